/**
 * Returns the SQL expression for the share of a term's idf that a chunk earns, 0 to 1: tf / (tf + k1 (1 − b + b ·
 * length / average)), k1 = 1.2, b = 0.75.
 *
 * `rank` is `ts_rank` of the term alone with weight 1, which equals (1 + 1/4 + 1/9 + … + 1/tf²) · 6/π². The remainder
 * of this series up to its limit is about 1/(tf + 1/2), so tf can be computed from `rank`. `relativeLength` is the
 * chunk's length divided by the mean length. Both parameters are SQL expressions.
 */
export function bm25Sql(rank: string, relativeLength: string): string {
  const occurrences = `(1 / (1.6449340668 * (1 - least(${rank}::float8, 0.9976))) - 0.5)`;
  const share = `1 / (1 + 1.2 * (0.25 + 0.75 * ${relativeLength}) / ${occurrences})`;
  return `case when ${rank} > 0 then ${share} else 0 end`;
}
