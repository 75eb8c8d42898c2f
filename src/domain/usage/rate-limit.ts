import { DomainError } from '../../platform/errors.ts';

/** Length of a rate limit window. */
export const rateWindowSeconds = 60;

/** State of a caller's rate limit after the current request. */
export interface RateLimit {
  /** Requests allowed per window. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
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

/**
 * Returns SQL for a table that counts requests in fixed windows. `update` contains the assignments for `on conflict do
 * update`; the table must have the alias `last`. `resetSeconds` contains, for `returning`, the whole seconds until the
 * window ends. `seconds` is the name of a parameter.
 *
 * `least` limits the seconds to wait to one window, because `now()` of a statement may be earlier than the start of the
 * window if the statement waited for a row lock.
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
