/**
 * Returns the edit distance between two texts divided by the length of the expected text. Counts repeated spaces as
 * one.
 */
export function characterErrorRate(actual: string, expected: string): number {
  const [a, b] = [actual, expected].map((text) => [...text.replace(/\s+/g, ' ').trim()]);
  if (a === undefined || b === undefined || b.length === 0) return 0;
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, character] of a.entries()) {
    const current = [row + 1];
    for (const [column, other] of b.entries()) {
      const change = (above[column] ?? 0) + (character === other ? 0 : 1);
      current.push(Math.min(change, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    above = current;
  }
  return (above[b.length] ?? 0) / b.length;
}
