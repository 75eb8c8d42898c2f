import { DomainError } from '../../platform/errors.ts';

/** Length of the window in which the requests of a caller are counted. */
export const rateWindowSeconds = 60;

/** State of a caller's rate limit after the current request. */
export interface RateLimit {
  /** Requests allowed per minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

/** The current window of a caller, with the requests up to and including this one. */
export interface CountedWindow {
  readonly counted: number;
  readonly resetSeconds: number;
}

export function rateLimitOf({ counted, resetSeconds }: CountedWindow, limit: number): RateLimit {
  const remaining = Math.max(0, limit - counted);
  return { limit, remaining, resetSeconds, isExceeded: counted > limit };
}

/**
 * Rejects a request above the limit. `caller` and `what` are the subject and the object in the error message.
 * @throws DomainError RATE_LIMITED with the seconds to wait when the limit is exceeded
 */
export function requireWithinRateLimit(
  { limit, resetSeconds, isExceeded }: RateLimit,
  caller = 'The API key',
  what = 'requests',
): void {
  if (!isExceeded) return;
  throw new DomainError(
    'RATE_LIMITED',
    `${caller} may make ${limit} ${what} a minute. Retry in ${resetSeconds} s`,
    { retryable: true, retryAfterSeconds: resetSeconds },
  );
}
