import { DomainError } from '../../platform/errors.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { systemTenant } from '../../platform/tenancy/tenant.ts';
import type { ApiKeyCaller, Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import type { Permission } from '../permissions.ts';
import { requireActiveSession } from '../sign-in/operator-sessions.ts';

/**
 * Checks whether the caller still has access to the project. Call it before each emission of a subscription.
 * @throws DomainError UNAUTHENTICATED when the key is revoked or expired, or the token has expired, or the session of
 *   the token was signed out
 * @throws DomainError FORBIDDEN when the project is deleted, or the caller is no longer a member with a sufficient role
 */
export async function reauthorizeSubscription(
  context: Context,
  projectId: string | null | undefined,
  permission: Permission,
): Promise<void> {
  const { caller, pool, database } = context;
  if (caller.type === 'key') {
    const [validKey] = await runSql(pool, findValidKey, [caller.keyId]);
    if (validKey === undefined)
      throw new DomainError('UNAUTHENTICATED', 'The API key is not valid');
  } else if (isTokenExpired(caller)) {
    throw new DomainError('UNAUTHENTICATED', 'The token has expired');
  }
  if (caller.type === 'operator' && caller.sessionId !== undefined) {
    await requireActiveSession(database.forTenant(systemTenant), caller.sessionId);
  }
  try {
    await requireProject(context, projectId, permission);
  } catch (error) {
    const isGone = error instanceof DomainError && error.code === 'NOT_FOUND';
    throw isGone
      ? new DomainError('FORBIDDEN', 'You no longer have access to this project')
      : error;
  }
}

function isTokenExpired(caller: Exclude<Caller, ApiKeyCaller>): boolean {
  const expiresAt = caller.type === 'anonymous' ? undefined : caller.expiresAt;
  return expiresAt !== undefined && expiresAt.getTime() <= Date.now();
}

const findValidKey = {
  name: 'find-valid-key',
  text: `
    select id from grounded.api_keys
    where id = $1 and coalesce(revoked_at > now(), true) and coalesce(expires_at > now(), true)`,
};
