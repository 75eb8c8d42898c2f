import type { Pool } from 'pg';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { systemTenant } from '../../platform/tenancy/tenant.ts';
import type { Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import {
  fixedWindowSql,
  type RateLimit,
  rateWindowSeconds,
  requireWithinRateLimit,
} from './rate-limit.ts';

/** Requests that callers without an API key may make per minute. 0: no limit. */
export interface CallerRateLimits {
  /** All tokens of an operator together. */
  readonly operatorRequestsPerMinute: number;
  /** All tokens of the service role together. */
  readonly serviceRequestsPerMinute: number;
}

/**
 * Counts a request of an operator or of the service role. The counts are exact across all nodes. API keys are counted
 * by `authenticateKey`.
 * @throws DomainError RATE_LIMITED with the seconds to wait when the limit is exceeded
 */
export async function consumeCallerRateLimit(
  { pool }: { readonly pool: Pool },
  caller: Caller,
  limits: CallerRateLimits,
): Promise<void> {
  if (caller.type !== 'operator' && caller.type !== 'service') return;
  const isOperator = caller.type === 'operator';
  const limit = isOperator ? limits.operatorRequestsPerMinute : limits.serviceRequestsPerMinute;
  if (limit === 0) return;
  const name = isOperator ? `operator ${caller.userId}` : 'service';
  const window = await countInWindow({ pool }, name, limit);
  requireWithinRateLimit(window, isOperator ? 'An operator' : 'The service role');
}

/** Drafts of replies that an agent, or an API key, may request per minute. */
const draftsPerMinute = 20;

/**
 * Counts a draft of a reply, for the caller. The counts are exact across all nodes.
 * @throws DomainError RATE_LIMITED with the seconds to wait when the limit is exceeded
 */
export async function consumeDraftLimit({
  database,
  caller,
}: Pick<Context, 'database' | 'caller'>): Promise<void> {
  const name =
    caller.type === 'operator'
      ? `draft operator ${caller.userId}`
      : caller.type === 'key'
        ? `draft key ${caller.keyId}`
        : 'draft service';
  // The table belongs to no tenant.
  const window = await countInWindow(database.forTenant(systemTenant), name, draftsPerMinute);
  requireWithinRateLimit(window, caller.type === 'key' ? 'The API key' : 'An agent', 'drafts');
}

/** Counts one request of `name` in its current window. */
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

/** Also deletes a few expired windows, so that the table stays small. */
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
