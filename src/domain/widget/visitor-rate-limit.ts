import type { Pool } from 'pg';
import { DomainError } from '../../platform/errors.ts';
import { hashAddress } from '../../platform/hash-address.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { fixedWindowSql, rateWindowSeconds } from '../usage/rate-limit.ts';
import type { AuthenticatedWidget } from './authenticate-widget-request.ts';

/**
 * Points per visitor and minute. A question costs 4 points, and stopping its answer costs 1 point. So 12 questions are
 * allowed even if every answer is stopped.
 */
export const visitorPointsPerMinute = 60;
/**
 * Points per IP address and minute. This second limit is needed because a client can create any number of visitors. It
 * is higher than the limit per visitor, because all visitors of an office or a mobile network may share one address.
 */
const addressPointsPerMinute = 600;

export interface VisitorRequest {
  /** Id of the visitor. Null if the visitor is being created. */
  readonly visitorId: string | null;
  /** IP address of the connection, or the address that a trusted proxy reports. */
  readonly address: string;
  readonly points: number;
}

/**
 * Counts a request against the limits of the visitor and of the IP address, with one SQL statement. The counts are
 * exact across all nodes.
 * @throws DomainError RATE_LIMITED with the seconds to wait when a limit is exceeded
 */
export async function consumeVisitorRateLimit(
  { pool }: { readonly pool: Pool },
  { projectId, visitorSecret }: Pick<AuthenticatedWidget, 'projectId' | 'visitorSecret'>,
  { visitorId, address, points }: VisitorRequest,
): Promise<void> {
  const counted = [`address ${hashAddress(address, visitorSecret)}`];
  if (visitorId !== null) counted.push(`visitor ${visitorId}`);
  const values = [projectId, counted, points, rateWindowSeconds];
  const windows = await runSql<RateWindow>(pool, countPoints, values);
  const isExceeded = ({ who, points }: RateWindow) =>
    points > (who.startsWith('visitor ') ? visitorPointsPerMinute : addressPointsPerMinute);
  const exceeded = windows.filter(isExceeded).map(({ resetSeconds }) => resetSeconds);
  if (exceeded.length === 0) return;
  const wait = Math.max(...exceeded);
  throw new DomainError('RATE_LIMITED', `Too many requests. Try again in ${wait} s`, {
    retryable: true,
    retryAfterSeconds: wait,
  });
}

interface RateWindow {
  readonly who: string;
  readonly points: number;
  readonly resetSeconds: number;
}

const rateWindowSql = fixedWindowSql('points', '$4');

/**
 * Adds the points to the current windows. Also deletes a few expired windows, so that the table stays small. Locks the
 * rows in the order of `who`, addresses before visitors, so that concurrent statements do not deadlock.
 */
const countPoints = {
  name: 'count-visit',
  text: `
    with expired as (
      delete from grounded.visitor_windows where (project_id, who) in (
        select project_id, who from grounded.visitor_windows
        where project_id = $1 and started_at < now() - make_interval(secs => $4) and who <> all($2::text[])
        order by started_at limit 10
        for update skip locked)
    )
    insert into grounded.visitor_windows as last (project_id, who, started_at, points)
    select $1, who, now(), $3 from unnest($2::text[]) as who order by who
    on conflict (project_id, who) do update set
      ${rateWindowSql.update}
    returning who, points, ${rateWindowSql.resetSeconds} as "resetSeconds"`,
};
