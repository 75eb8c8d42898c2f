/**
 * Returns the milliseconds to wait that a `Retry-After` header requests (RFC 9110, 10.2.3). The header contains a
 * number of seconds or a date. Returns null if there is no valid value.
 */
export function retryAfterMs(header: string | null | undefined): number | null {
  const value = header?.trim();
  if (!value) return null;
  const waitMs = /^\d+(\.\d+)?$/.test(value)
    ? Number(value) * 1_000
    : Date.parse(value) - Date.now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}
