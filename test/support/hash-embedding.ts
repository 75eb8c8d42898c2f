import { createHash } from 'node:crypto';

/**
 * Returns a unit vector of 64 dimensions that counts hashed words. The result is deterministic, and texts with common
 * words are similar. Tests use it instead of an embedding model.
 */
export function hashEmbedding(text: string): Float32Array {
  const vector = new Float32Array(64);
  for (const word of text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? ['']) {
    const [index = 0] = createHash('sha256').update(word).digest();
    vector[index % vector.length] = (vector[index % vector.length] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
