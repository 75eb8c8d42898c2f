import type { Pool } from 'pg';
import type { Caller } from '../caller.ts';
import { requireWithinRateLimit } from './rate-limit.ts';
import { countInWindow } from './request-windows.ts';

/** Maximum number of requests per minute for callers without an API key. 0: no limit. */
export interface CallerRateLimits {
  /** Limit for all tokens of one operator together. */
  readonly operatorRequestsPerMinute: number;
  /** Limit for all tokens of the service role together. */
  readonly serviceRequestsPerMinute: number;
}

/**
 * Counts a request of an operator or of the service role against the limit. The counts are exact across all nodes.
 * Requests of API keys are counted by `authenticateKey`.
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
