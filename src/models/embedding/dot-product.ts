/** Returns the dot product of two vectors. For unit vectors, this is their cosine similarity. */
export function dotProduct(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < left.length; n += 1) sum += (left[n] ?? 0) * (right[n] ?? 0);
  return sum;
}
