/** The least of 1, 2 and 5 times a power of ten that is not below the value: where an axis ends. */
export function axisEnd(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5].find((factor) => factor * power >= value) ?? 10;
  return factor * power;
}
