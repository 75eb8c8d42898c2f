import { DomainError } from '../errors.ts';

/** Length of the window in which the requests of a key are counted. */
export const rateWindowSeconds = 60;

/** How an API key stands with its requests, the present one counted. */
export interface RateLimit {
  /** Requests that the key may make in one window. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window is over, at least 1; a request then begins a new one. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

/** Refuses a request over the limit. Throws `RATE_LIMITED`, which says how long to wait. */
export function requireWithinRateLimit({ limit, resetSeconds, isExceeded }: RateLimit): void {
  if (!isExceeded) return;
  throw new DomainError(
    'RATE_LIMITED',
    `The API key may make ${limit} requests a minute. Retry in ${resetSeconds} s`,
    { retryable: true, retryAfterSeconds: resetSeconds },
  );
}
