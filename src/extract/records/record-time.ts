/** Times from 2001 to 2100, in seconds. Other numbers are not the time of a message. */
const [firstSecond, lastSecond] = [1_000_000_000, 4_102_444_800];

/**
 * Returns a time of a record as `2026-03-02 10:00 UTC`, or a day as `2026-03-02`. Reads ISO 8601, and seconds or
 * milliseconds since 1970. Returns null for any other value.
 */
export function readRecordTime(value: unknown): string | null {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (/^\d{10}(?:\.\d{1,9})?$|^\d{13}$/.test(text)) {
    const seconds = text.length === 13 ? Number(text) / 1_000 : Math.floor(Number(text));
    return seconds >= firstSecond && seconds <= lastSecond
      ? minuteOf(new Date(seconds * 1_000))
      : null;
  }
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  const isTime =
    /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z| ?UTC|[+-]\d\d:?\d\d)?$/.test(text);
  if (!isTime) return null;
  const hasZone = /(?:Z|UTC|[+-]\d\d:?\d\d)$/.test(text.slice(10));
  if (!hasZone) return text.slice(0, 16).replace('T', ' ');
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : minuteOf(date);
}

function minuteOf(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
