import { ApiKeyScope } from '../../../platform/postgres/generated/prisma/enums.ts';
import type { Caller } from '../../caller.ts';

/**
 * Returns the id of an API key if the caller may read or stop only the answers of that key. Returns null if the caller
 * may read or stop all answers. A key that may not read conversations can access only the answers that it has requested
 * itself.
 */
export function ownAnswersOnly(caller: Caller): string | null {
  if (caller.type !== 'key' || caller.scopes.includes(ApiKeyScope.CONVERSATIONS_READ)) return null;
  return caller.keyId;
}
