/**
 * Returns the maximum of an axis: the smallest number that is at least `value`, out of 1, 2, 5, 10, 20, 50 and so on.
 */
export function niceAxisMax(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5].find((factor) => factor * power >= value) ?? 10;
  return factor * power;
}
