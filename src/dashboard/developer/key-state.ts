import type { ApiKey } from './api-key-operations.ts';

/** `replaced`: rotated, and still valid for a while. */
export type KeyState = 'active' | 'replaced' | 'revoked' | 'expired';

/** How a key stands at a moment, in milliseconds. */
export function keyState(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now: number,
): KeyState {
  if (revokedAt !== null && Date.parse(revokedAt) <= now) return 'revoked';
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'expired';
  return revokedAt === null ? 'active' : 'replaced';
}
