import type { ApiKey } from './api-key-operations.ts';

/** `replaced`: the key was rotated, and stays valid until the overlap ends. */
export type ApiKeyState = 'active' | 'replaced' | 'revoked' | 'expired';

/** Returns the state of a key. `now` is Unix time in milliseconds. */
export function apiKeyState(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now: number,
): ApiKeyState {
  if (revokedAt !== null && Date.parse(revokedAt) <= now) return 'revoked';
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'expired';
  return revokedAt === null ? 'active' : 'replaced';
}
