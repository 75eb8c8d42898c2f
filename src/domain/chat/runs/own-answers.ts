import { ApiKeyScope } from '../../../platform/postgres/generated/prisma/enums.ts';
import type { Caller } from '../../caller.ts';

/**
 * Returns the id of the API key whose answers alone the caller may read or stop, or null if it may those of all. A key
 * that may not read conversations continues only the answers that it has asked for itself.
 */
export function ownAnswersOnly(caller: Caller): string | null {
  if (caller.type !== 'key' || caller.scopes.includes(ApiKeyScope.CONVERSATIONS_READ)) return null;
  return caller.keyId;
}
