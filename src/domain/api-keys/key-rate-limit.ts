import { fixedWindowSql, type RateLimit } from '../usage/rate-limit.ts';

/** The current rate limit window of a key. `requests` counts the requests up to and including this one. */
export interface KeyWindow {
  readonly limit: number;
  readonly requests: number;
  readonly resetSeconds: number;
}

const rateWindowSql = fixedWindowSql('requests', '$2');

/**
 * SQL that counts $3 requests for the key that the step `key` returns, in the key's current window of $2 seconds. It is
 * a step of the statement that authenticates the key, which saves a round trip for every request.
 */
export const countKeyRequestsSql = `
    insert into grounded.rate_windows as last (key_id, started_at, requests)
    select id, now(), $3::integer from key
    on conflict (key_id) do update set
      ${rateWindowSql.update}
    returning requests, ${rateWindowSql.resetSeconds} as reset_seconds
  `;

export function keyRateLimit({ limit, requests, resetSeconds }: KeyWindow): RateLimit {
  const remaining = Math.max(0, limit - requests);
  return { limit, remaining, resetSeconds, isExceeded: requests > limit };
}
