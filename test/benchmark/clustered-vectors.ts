import { normal, type Random } from './seeded-random.ts';

/**
 * Unit vectors as embedding models spread them: clusters of meaning, each of which fills only a few directions of the
 * space. Uniform noise would make every vector about as far as any other, and no index could find the nearest.
 */
export interface ClusteredVectors {
  readonly clusters: number;
  draw(cluster: number, random: Random): Float32Array;
}

/**
 * `intrinsic` is the number of directions a cluster varies in. Models of 384 dimensions fill some 20 to 40. The spread
 * makes the cosine of two vectors of a cluster about 0.5, and of two clusters about 0, as of passages of one topic and
 * of two.
 */
export function clusteredVectors(
  random: Random,
  { dimensions, clusters, intrinsic }: { dimensions: number; clusters: number; intrinsic: number },
): ClusteredVectors {
  const normals = (length: number) => Float32Array.from({ length }, () => normal(random));
  const centres = Array.from({ length: clusters }, () => unit(normals(dimensions)));
  const scale = 1 / Math.sqrt(intrinsic * dimensions);
  const bases = Array.from({ length: clusters }, () =>
    normals(dimensions * intrinsic).map((value) => value * scale),
  );
  return {
    clusters,
    draw(cluster, random) {
      const vector = Float32Array.from(centres[cluster] ?? []);
      const basis = bases[cluster];
      if (basis === undefined) throw new RangeError(`no cluster ${cluster}`);
      for (let direction = 0; direction < intrinsic; direction += 1) {
        const amount = normal(random);
        const from = direction * dimensions;
        for (let n = 0; n < dimensions; n += 1) {
          vector[n] = (vector[n] ?? 0) + amount * (basis[from + n] ?? 0);
        }
      }
      return unit(vector);
    },
  };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
