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

/** Drafts of replies, or descriptions of the schema, that a caller may request per minute. Each takes long. */
const costlyPerMinute = 20;

/**
 * Counts a draft of a reply or a description of the schema, for the caller. The counts are exact across all nodes.
 * @throws DomainError RATE_LIMITED with the seconds to wait when the limit is exceeded
 */
export async function consumeCostlyLimit(
  { database, caller }: Pick<Context, 'database' | 'caller'>,
  what: 'drafts' | 'introspections',
): Promise<void> {
  const [name, subject] =
    caller.type === 'operator'
      ? [`operator ${caller.userId}`, 'An operator']
      : caller.type === 'key'
        ? [`key ${caller.keyId}`, 'The API key']
        : ['service', 'The service role'];
  // The table belongs to no tenant.
  const tables = database.forTenant(systemTenant);
  const window = await countInWindow(tables, `${what} ${name}`, costlyPerMinute);
  requireWithinRateLimit(window, subject, what);
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
