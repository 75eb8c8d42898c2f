import { fixedWindowSql, type RateLimit } from '../usage/rate-limit.ts';

/** The current window of a key, with the requests up to this one. */
export interface KeyWindow {
  readonly limit: number;
  readonly requests: number;
  readonly resetSeconds: number;
}

const rateWindowSql = fixedWindowSql('requests', '$2');

/**
 * SQL that counts $3 requests of the row of the step `key` in its current window of $2 seconds. A step of the statement
 * that authenticates the key, which saves a round trip for every request.
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
