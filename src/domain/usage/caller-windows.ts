import type { Pool } from 'pg';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { fixedWindowSql, type RateLimit, rateWindowSeconds } from './rate-limit.ts';

/** Counts one request of the caller `name` in its current rate limit window. */
export async function countInWindow(
  { pool }: { readonly pool: Pool },
  name: string,
  limit: number,
): Promise<RateLimit> {
  const [window] = await runSql<Window>(pool, countRequest, [name, rateWindowSeconds]);
  const { requests, resetSeconds } = window ?? { requests: 0, resetSeconds: rateWindowSeconds };
  const remaining = Math.max(0, limit - requests);
  return { limit, remaining, resetSeconds, isExceeded: requests > limit };
}

interface Window {
  readonly requests: number;
  readonly resetSeconds: number;
}

const rateWindowSql = fixedWindowSql('requests', '$2');

/** Counts the request. Also deletes a few expired windows, so that the table stays small. */
const countRequest = {
  name: 'count-caller-request',
  text: `
    with expired as (
      delete from grounded.caller_windows where caller in (
        select caller from grounded.caller_windows
        where started_at < now() - make_interval(secs => $2) and caller <> $1
        order by started_at limit 10
        for update skip locked)
    )
    insert into grounded.caller_windows as last (caller, started_at, requests)
    values ($1, now(), 1)
    on conflict (caller) do update set
      ${rateWindowSql.update}
    returning requests, ${rateWindowSql.resetSeconds} as "resetSeconds"`,
};
