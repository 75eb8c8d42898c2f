import { extractPeriods, type Period } from '../../text/periods.ts';

/**
 * Returns a function that checks whether a text names days, months or quarters, but none of those that the question
 * names. If the question names none, the function always returns false.
 */
export function isAboutOtherPeriods(question: string): (text: string) => boolean {
  const asked = extractPeriods(question).filter(isPartOfYear);
  if (asked.length === 0) return () => false;
  return (text) => {
    const named = extractPeriods(text).filter((period) =>
      asked.some((one) => isPartOfYear(period) && isComparable(one, period)),
    );
    return named.length > 0 && !named.some((period) => asked.some((one) => isSame(one, period)));
  };
}

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

function isPartOfYear({ month, quarter }: Period): boolean {
  return month !== undefined || quarter !== undefined;
}

/**
 * A quarter is compared only with quarters and not with months, because the quarters of a fiscal year can differ from
 * those of the calendar.
 */
function isComparable(one: Period, other: Period): boolean {
  return (one.month === undefined) === (other.month === undefined);
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
