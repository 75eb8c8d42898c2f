const minute = 60;
const hour = 60 * minute;

/** How long to wait after the first try that failed, the second, and so on, in seconds. */
const waits = [
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

/** Spreads what failed together. */
const jitter = 0.1;
const longestWaitSeconds = 24 * hour;

/**
 * Seconds until the next try after `failures` of them, with jitter; null when that was the last. Not before the
 * moment that the receiver has asked for in `Retry-After`, a number of seconds or a date, but within a day.
 */
export function secondsUntilNextTry(failures: number, retryAfter: string | null): number | null {
  const wait = waits[failures - 1];
  if (wait === undefined) return null;
  const spread = wait * (1 + jitter * (2 * Math.random() - 1));
  const asked = Math.min(secondsAskedFor(retryAfter), longestWaitSeconds);
  return Math.ceil(Math.max(spread, asked));
}

function secondsAskedFor(retryAfter: string | null): number {
  const value = retryAfter?.trim() ?? '';
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 0 : seconds;
}
