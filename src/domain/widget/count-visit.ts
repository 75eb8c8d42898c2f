import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Pool } from 'pg';
import { DomainError } from '../errors.ts';
import { rateWindowSeconds } from '../usage/rate-limit.ts';
import type { OpenWidget } from './open-widget.ts';

/** What a visitor may spend in a minute. A question costs 4, and to stop its answer 1: 12 of both. */
export const visitorPoints = 60;
/** The same of an address, because visitors cost nothing to make; an office or a mobile network may be behind one. */
const addressPoints = 600;

export interface Visit {
  /** Null where it is just being made. */
  readonly visitorId: string | null;
  /** Of the connection, or as a trusted proxy tells it. */
  readonly address: string;
  readonly points: number;
}

/**
 * Counts what a visitor asks for against its own limit and that of its address, in one statement, exactly over all
 * nodes. Throws `RATE_LIMITED`, which says how long to wait.
 */
export async function countVisit(
  { pool }: { readonly pool: Pool },
  { projectId, visitorSecret }: Pick<OpenWidget, 'projectId' | 'visitorSecret'>,
  { visitorId, address, points }: Visit,
): Promise<void> {
  const counted = [`address ${hashOf(address, visitorSecret)}`];
  if (visitorId !== null) counted.push(`visitor ${visitorId}`);
  const { rows } = await pool.query<Window>({
    ...countPoints,
    values: [projectId, counted, points, rateWindowSeconds],
  });
  const isOver = ({ who, points }: Window) =>
    points > (who.startsWith('visitor ') ? visitorPoints : addressPoints);
  const exceeded = rows.filter(isOver).map(({ resetSeconds }) => resetSeconds);
  if (exceeded.length === 0) return;
  const wait = Math.max(...exceeded);
  throw new DomainError('RATE_LIMITED', `That was a lot at once. Try again in ${wait} s`, {
    retryable: true,
    retryAfterSeconds: wait,
  });
}

interface Window {
  readonly who: string;
  readonly points: number;
  readonly resetSeconds: number;
}

/**
 * Removes a few windows that are over on the way, so that there are never many more than are in use. Addresses come
 * before visitors in every statement, so that no two wait for each other.
 */
const countPoints = {
  name: 'count-visit',
  text: `
    with over as (
      delete from grounded.visitor_windows where (project_id, who) in (
        select project_id, who from grounded.visitor_windows
        where project_id = $1 and started_at < now() - make_interval(secs => $4) and who <> all($2::text[])
        order by started_at limit 10
        for update skip locked)
    )
    insert into grounded.visitor_windows as last (project_id, who, started_at, points)
    select $1, who, now(), $3 from unnest($2::text[]) as who order by who
    on conflict (project_id, who) do update set
      started_at = case when last.started_at + make_interval(secs => $4) > now() then last.started_at else now() end,
      points = case when last.started_at + make_interval(secs => $4) > now()
        then last.points + excluded.points else excluded.points end
    returning who, points,
      least($4, greatest(1, ceil(extract(epoch from started_at + make_interval(secs => $4) - now()))))::integer
        as "resetSeconds"`,
};

/** Addresses are personal: what is kept for the minute is a hash that no one without the secret can look up. */
function hashOf(address: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(networkOf(address)).digest('base64url').slice(0, 22);
}

/** Of IPv6 the network of a subscriber, who has 2^64 addresses in it to choose from. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - groups.length - behind.length;
  const all = [...groups, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...behind];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
