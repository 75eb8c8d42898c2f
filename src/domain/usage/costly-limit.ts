import { systemTenant } from '../../platform/tenancy/tenant.ts';
import type { Context } from '../context.ts';
import { requireWithinRateLimit } from './rate-limit.ts';
import { countInWindow } from './request-windows.ts';

/**
 * Maximum number of drafts of replies and descriptions of the schema per caller and minute. Limited because each takes
 * long.
 */
const costlyPerMinute = 20;

/**
 * Counts a draft of a reply or a description of the schema against the limit of the caller. The counts are exact across
 * all nodes.
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
  // The table belongs to no tenant, so it needs the rights of the system.
  const tables = database.forTenant(systemTenant);
  const window = await countInWindow(tables, `${what} ${name}`, costlyPerMinute);
  requireWithinRateLimit(window, subject, what);
}
