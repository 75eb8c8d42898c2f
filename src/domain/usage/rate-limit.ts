import { DomainError } from '../../platform/errors.ts';

/** Length of a rate limit window. */
export const rateWindowSeconds = 60;

/** Rate limit state of a caller, including the current request. */
export interface RateLimit {
  /** Requests allowed per window. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

/**
 * Rejects a request above the limit. `caller` and `what` are the subject and the object of the error message.
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

/**
 * Returns SQL for a table that counts per fixed window: the assignments of `on conflict do update`, where the table has
 * the alias `last`, and the whole seconds until the window ends, for `returning`. `seconds` is a parameter's name.
 *
 * `least` keeps the seconds to wait within one window: if the statement waited for a row lock, its `now()` may be
 * earlier than the start of the window.
 */
export function fixedWindowSql(counter: string, seconds: string) {
  const isOpen = `last.started_at + make_interval(secs => ${seconds}) > now()`;
  return {
    update: `
      started_at = case when ${isOpen} then last.started_at else now() end,
      ${counter} = case when ${isOpen} then last.${counter} + excluded.${counter} else excluded.${counter} end`,
    resetSeconds: `least(${seconds}, greatest(1, ceil(extract(epoch from
      started_at + make_interval(secs => ${seconds}) - now()))))::integer`,
  };
}
