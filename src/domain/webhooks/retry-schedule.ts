const minute = 60;
const hour = 60 * minute;

/** Delays in seconds: after the first failed attempt, after the second, and so on. */
const retryDelaysSeconds = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Maximum jitter as a share of the delay. Jitter spreads the retries of deliveries that failed at the same time. */
const jitterRatio = 0.1;
const maxRetryDelaySeconds = 24 * hour;

/**
 * Returns the seconds until the next attempt after `failures` failed attempts, with jitter. Returns null after the last
 * attempt. Waits at least as long as `Retry-After` requires (seconds or a date), but at most one day.
 */
export function nextRetryDelaySeconds(failures: number, retryAfter: string | null): number | null {
  const wait = retryDelaysSeconds[failures - 1];
  if (wait === undefined) return null;
  const jittered = wait * (1 + jitterRatio * (2 * Math.random() - 1));
  const requested = Math.min(parseRetryAfter(retryAfter), maxRetryDelaySeconds);
  return Math.ceil(Math.max(jittered, requested));
}

function parseRetryAfter(retryAfter: string | null): number {
  const value = retryAfter?.trim() ?? '';
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 0 : seconds;
}
