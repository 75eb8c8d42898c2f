/**
 * Returns the wait in milliseconds that a `Retry-After` header requests, as a number of seconds or a date (RFC 9110,
 * 10.2.3). Null if there is none.
 */
export function retryAfterMs(header: string | null | undefined): number | null {
  const value = header?.trim();
  if (!value) return null;
  const waitMs = /^\d+(\.\d+)?$/.test(value)
    ? Number(value) * 1_000
    : Date.parse(value) - Date.now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}
