import { normal, type Random } from '../support/seeded-random.ts';

/**
 * Unit vectors distributed like those of embedding models: one cluster per topic, each spread over a few directions of
 * the space. With uniform noise, all vectors would have similar distances, and no index could find the nearest.
 */
export interface ClusteredVectors {
  readonly clusters: number;
  draw(cluster: number, random: Random): Float32Array;
}

/**
 * Creates the clusters. `intrinsic` is the number of directions in which a cluster varies, 20 to 40 for models with 384
 * dimensions. The cosine of two vectors is about 0.5 in the same cluster and about 0 in different clusters. Passages of
 * the same topic and of different topics have such cosines.
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
