/** Returns the pixel of a value. */
export type Scale = (value: number) => number;

/** Returns a logarithmic scale. If the first and the last value are equal, every value is in the middle. */
export function logScale(
  [first, last]: readonly [number, number],
  [from, to]: readonly [number, number],
): Scale {
  if (first === last) return () => (from + to) / 2;
  const perUnit = (to - from) / Math.log(last / first);
  return (value) => from + Math.log(value / first) * perUnit;
}

/** Returns the values 1, 2 and 5 times a power of ten from the last one below `least` to the first one above `most`. */
export function ticksBetween(least: number, most: number): number[] {
  const power = (value: number) => Math.floor(Math.log10(value));
  const all: number[] = [];
  for (let exponent = power(least) - 1; exponent <= power(most) + 1; exponent += 1) {
    for (const digit of [1, 2, 5]) all.push(Number(`${digit}e${exponent}`));
  }
  const from = all.findLastIndex((value) => value <= least);
  const to = all.findIndex((value) => value >= most);
  return all.slice(from, Math.max(to, from + 1) + 1);
}

/**
 * Moves labels apart as little as possible (least squares), so that their centers have at least this gap, and keeps
 * them between `from` and `to` if there is room. The result has the order of the input.
 */
export function spreadLabels(
  centers: readonly number[],
  gap: number,
  { from, to }: { readonly from: number; readonly to: number },
): number[] {
  const order = centers.map((_, index) => index).sort((a, b) => at(centers, a) - at(centers, b));
  // After subtracting the gaps, the positions only have to ascend: pooling adjacent violators solves that.
  const groups: { sum: number; count: number }[] = [];
  for (const [rank, index] of order.entries()) {
    let group = { sum: at(centers, index) - rank * gap, count: 1 };
    for (let last = groups.at(-1); last !== undefined; last = groups.at(-1)) {
      if (last.sum / last.count <= group.sum / group.count) break;
      groups.pop();
      group = { sum: last.sum + group.sum, count: last.count + group.count };
    }
    groups.push(group);
  }
  const highest = to - (centers.length - 1) * gap;
  const bases = groups.flatMap(({ sum, count }) =>
    Array.from({ length: count }, () => Math.max(from, Math.min(sum / count, highest))),
  );
  const placed = centers.map(() => 0);
  for (const [rank, index] of order.entries()) placed[index] = at(bases, rank) + rank * gap;
  return placed;
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}
