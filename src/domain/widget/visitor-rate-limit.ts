import type { Pool } from 'pg';
import { DomainError } from '../../platform/errors.ts';
import { hashAddress } from '../../platform/hash-address.ts';
import { countInWindows } from '../usage/request-windows.ts';
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
  tables: { readonly pool: Pool },
  { visitorSecret }: Pick<AuthenticatedWidget, 'visitorSecret'>,
  { visitorId, address, points }: VisitorRequest,
): Promise<void> {
  const names = [`address ${hashAddress(address, visitorSecret)}`];
  if (visitorId !== null) names.push(`visitor ${visitorId}`);
  const windows = await countInWindows(tables, names, points);
  const limitOf = (name: string) =>
    name.startsWith('visitor ') ? visitorPointsPerMinute : addressPointsPerMinute;
  const exceeded = windows
    .filter(({ name, counted }) => counted > limitOf(name))
    .map(({ resetSeconds }) => resetSeconds);
  if (exceeded.length === 0) return;
  const wait = Math.max(...exceeded);
  throw new DomainError('RATE_LIMITED', `Too many requests. Try again in ${wait} s`, {
    retryable: true,
    retryAfterSeconds: wait,
  });
}
