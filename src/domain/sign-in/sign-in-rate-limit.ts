import { hashAddress } from '../../platform/hash-address.ts';
import type { Context } from '../context.ts';
import { requireWithinRateLimit } from '../usage/rate-limit.ts';
import { countInWindow } from '../usage/request-windows.ts';

/** A sign-in with a provider needs two requests, and all people in an office may have the same IP address. */
const requestsPerMinute = 60;

/**
 * Counts a request of a sign-in with the OIDC provider against the limit of its IP address. The counts are exact across
 * all nodes.
 * @throws DomainError RATE_LIMITED with the seconds to wait when the limit is exceeded
 */
export async function consumeSignInLimit(
  { pool }: Pick<Context, 'pool'>,
  address: string,
  secret: Uint8Array,
): Promise<void> {
  const name = `sign-in ${hashAddress(address, secret)}`;
  requireWithinRateLimit(await countInWindow({ pool }, name, requestsPerMinute), 'An IP address');
}
