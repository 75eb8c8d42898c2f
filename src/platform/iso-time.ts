/** Times that every part of the service can store and print: the years 1 to 9999. */
export const earliestMs = Date.parse('0001-01-01T00:00:00Z');
export const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Returns a time in ISO 8601. Times outside the years 1 to 9999 are moved to the nearest of these years, because
 * Postgres cannot read other years in this form.
 */
export function toIsoTime(milliseconds: number): string {
  return new Date(Math.min(Math.max(milliseconds, earliestMs), latestMs)).toISOString();
}
