/**
 * Parses an ISO 8601 time with a time zone. Returns null for any other text. `Date` would read 30 February as 2 March,
 * so this function checks the day.
 */
export function parseIsoDateTime(text: string): Date | null {
  const [, day] = dateTimePattern.exec(text) ?? [];
  return day !== undefined && isCalendarDay(day) ? validDate(text) : null;
}

/** Like `parseIsoDateTime`, but also accepts a day without a time. The result is then midnight UTC. */
export function parseIsoDateOrTime(text: string): Date | null {
  if (!isIsoDay(text)) return parseIsoDateTime(text);
  return isCalendarDay(text) ? validDate(text) : null;
}

/** Whether the text has the form of a day without a time. The day may not exist. */
export function isIsoDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text);
}

const dateTimePattern = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

function isCalendarDay(day: string): boolean {
  return validDate(day)?.toISOString().startsWith(day) ?? false;
}

function validDate(text: string): Date | null {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
}
