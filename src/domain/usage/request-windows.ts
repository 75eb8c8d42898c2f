import type { Pool } from 'pg';
import { runSql } from '../../platform/postgres/run-sql.ts';
import {
  type CountedWindow,
  type RateLimit,
  rateLimitOf,
  rateWindowSeconds,
} from './rate-limit.ts';

/** Counts one request of the caller `name` in its current window. The counts are exact across all nodes. */
export async function countInWindow(
  tables: { readonly pool: Pool },
  name: string,
  limit: number,
): Promise<RateLimit> {
  const [window] = await countInWindows(tables, [name], 1);
  return rateLimitOf(window ?? { counted: 0, resetSeconds: rateWindowSeconds }, limit);
}

/** Adds the points of a request to the current windows of all `names`, with one SQL statement. */
export function countInWindows(
  { pool }: { readonly pool: Pool },
  names: readonly string[],
  points: number,
  seconds = rateWindowSeconds,
): Promise<NamedWindow[]> {
  return runSql<NamedWindow>(pool, countInNamedWindows, [names, points, seconds]);
}

interface NamedWindow extends CountedWindow {
  readonly name: string;
}

/**
 * SQL that adds to windows of the given length. `rows` selects the name of each window and what is added. `least` limits
 * the seconds to wait to the length, because `now()` of a statement may be earlier than the start of the window if the
 * statement waited for a row lock.
 */
export function addToWindowsSql(rows: string, seconds: string): string {
  const isOpen = 'last.ends_at > now()';
  return `
    insert into grounded.request_windows as last (name, ends_at, counted)
    select name, now() + make_interval(secs => ${seconds}), added from (${rows}) as request (name, added)
    on conflict (name) do update set
      ends_at = case when ${isOpen} then last.ends_at else excluded.ends_at end,
      counted = case when ${isOpen} then last.counted + excluded.counted else excluded.counted end
    returning name, counted,
      least(${seconds}, greatest(1, ceil(extract(epoch from ends_at - now()))))::integer as "resetSeconds"`;
}

/**
 * Also deletes a few windows that have ended, so that the table stays small. Locks the rows in the order of their names,
 * so that concurrent statements do not deadlock.
 */
const countInNamedWindows = {
  name: 'count-in-windows',
  text: `
    with ended as (
      delete from grounded.request_windows where name in (
        select name from grounded.request_windows
        where ends_at < now() and name <> all($1::text[])
        order by ends_at limit 10
        for update skip locked)
    )
    ${addToWindowsSql('select name, $2::integer from unnest($1::text[]) as name order by name', '$3')}`,
};
