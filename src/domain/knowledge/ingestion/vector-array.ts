import { oncePerObject } from '../../../platform/once-per-object.ts';
import { runSql, type SqlClient } from '../../../platform/postgres/run-sql.ts';

/**
 * Encodes vectors as a parameter of the type `grounded.embedding[]`, in Postgres' binary form. It has a quarter of the
 * size of the text form, and neither side formats or parses numbers.
 */
export async function vectorArray(
  client: SqlClient,
  vectors: readonly Float32Array[],
): Promise<Uint8Array> {
  return encodeVectors(vectors, await elementType(client)());
}

/** Returns a function that reads the oid of the type `grounded.embedding`, which differs between databases. */
const elementType = oncePerObject((client: SqlClient) => {
  let known: number | null = null;
  return async () => {
    const read = () =>
      runSql<{ oid: number }>(
        client,
        `select 'grounded.embedding'::regtype::oid::bigint::float8 as oid`,
      );
    known ??= (await read())[0]?.oid ?? null;
    if (known === null) throw new Error('The type grounded.embedding is missing');
    return known;
  };
});

/**
 * Returns the binary form of a one-dimensional array (`array_recv` in Postgres) of vectors (`vector_recv` in pgvector):
 * number of dimensions, flags, element type, size and lower bound. Then each vector: its bytes, its size in 16 bits, 16
 * unused bits, and single-precision numbers. All numbers are big-endian.
 */
function encodeVectors(vectors: readonly Float32Array[], elementType: number): Uint8Array {
  const bytes = vectors.reduce((sum, vector) => sum + 8 + 4 * vector.length, 20);
  const view = new DataView(new ArrayBuffer(bytes));
  view.setInt32(0, 1);
  view.setUint32(8, elementType);
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
