import { hashEmbedding } from './hash-embedding.ts';

/**
 * Returns a vector as from a model with only high cosines, such as e5: 0.8 plus a fifth of the cosine of
 * `hashEmbedding`.
 */
export function narrowBandEmbedding(text: string): Float32Array {
  const vector = hashEmbedding(text).map((value) => value * Math.sqrt(0.2));
  return Float32Array.from([...vector, Math.sqrt(0.8)]);
}
