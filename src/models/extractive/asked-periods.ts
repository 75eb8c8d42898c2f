import { extractPeriods, type Period } from '../../text/periods.ts';

/** Whether the question names a day, such as the end of a quarter, and no text names this day. */
export function isDayMissing(question: string, texts: readonly string[]): boolean {
  const asked = extractPeriods(question).filter(isDay);
  if (asked.length === 0) return false;
  const named = texts.flatMap(extractPeriods).filter(isDay);
  return !named.some((period) => asked.some((one) => isSame(one, period)));
}

function isDay({ day }: Period): boolean {
  return day !== undefined;
}

function isSame(one: Period, other: Period): boolean {
  const agrees = (left: number | undefined, right: number | undefined) =>
    left === undefined || right === undefined || left === right;
  return (
    one.year === other.year &&
    agrees(one.quarter, other.quarter) &&
    agrees(one.month, other.month) &&
    agrees(one.day, other.day)
  );
}
