/**
 * Encodes vectors as a parameter of the type `grounded.embedding[]`, in Postgres' binary form. It has a quarter of the
 * size of the text form, and neither side formats or parses numbers.
 *
 * The form is a one-dimensional array (`array_recv` in Postgres) of vectors (`vector_recv` in pgvector): number of
 * dimensions, flags, element type, size and lower bound. Then each vector: its bytes, its size in 16 bits, 16 unused
 * bits, and single-precision numbers. All numbers are big-endian. The element type is 0, because the oid of the type
 * differs between databases: Postgres then uses the element type of the parameter.
 */
export function vectorArray(vectors: readonly Float32Array[]): Uint8Array {
  const bytes = vectors.reduce((sum, vector) => sum + 8 + 4 * vector.length, 20);
  const view = new DataView(new ArrayBuffer(bytes));
  view.setInt32(0, 1);
  view.setInt32(12, vectors.length);
  view.setInt32(16, 1);
  let at = 20;
  for (const vector of vectors) {
    view.setInt32(at, 4 + 4 * vector.length);
    view.setInt16(at + 4, vector.length);
    at += 8;
    for (let n = 0; n < vector.length; n += 1, at += 4) view.setFloat32(at, vector[n] ?? 0);
  }
  return new Uint8Array(view.buffer);
}
