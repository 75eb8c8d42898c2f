/** Parameters of BM25, as in `bm25Sql`. */
const k1 = 1.2;
const b = 0.75;

/**
 * Returns the share of a term's weight that a chunk earns, 0 to 1. `relativeLength` is the chunk's length divided by the
 * mean length.
 */
export function bm25(frequency: number, relativeLength: number): number {
  const occurrences = occurrencesByFrequency[frequency] ?? 0;
  return frequency === 0 ? 0 : 1 / (1 + (k1 * (1 - b + b * relativeLength)) / occurrences);
}

/** The limit of 1 + 1/4 + 1/9 + … + 1/n². */
const basel = 1.6449340668;

/**
 * The frequency that `bm25Sql` computes from `ts_rank`, which is a single-precision number. The result is slightly too
 * high: 1.05 for a frequency of 1, and less than 0.02 too much for higher frequencies.
 */
const occurrencesByFrequency = Float64Array.from({ length: 256 }, (_, frequency) => {
  let sum = 0;
  for (let n = 1; n <= frequency; n += 1) sum += 1 / n ** 2;
  const rank = Math.fround(sum / 1.64493406685);
  return 1 / (basel * (1 - Math.min(rank, 0.9976))) - 0.5;
});
