import type { ApiKeyCaller, Caller, Permission } from '../caller.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { requireProject } from '../organizations/require-project.ts';

/**
 * Judges anew whether the caller may go on watching the project. Throws `UNAUTHENTICATED` for a key that is revoked
 * or has expired and for a token that has expired, and `FORBIDDEN` where the membership, its role or the project is gone.
 */
export async function requireStillAllowed(
  context: Context,
  projectId: string,
  permission: Permission,
): Promise<void> {
  const { caller, pool } = context;
  if (caller.type === 'key') {
    const { rowCount } = await pool.query({ ...findValidKey, values: [caller.keyId] });
    if (rowCount === 0) throw new DomainError('UNAUTHENTICATED', 'The API key is not valid');
  } else if (hasExpired(caller)) {
    throw new DomainError('UNAUTHENTICATED', 'The token has expired');
  }
  try {
    await requireProject(context, projectId, permission);
  } catch (error) {
    const isGone = error instanceof DomainError && error.code === 'NOT_FOUND';
    throw isGone ? new DomainError('FORBIDDEN', 'You may watch this project no longer') : error;
  }
}

function hasExpired(caller: Exclude<Caller, ApiKeyCaller>): boolean {
  const expiresAt = caller.type === 'anonymous' ? undefined : caller.expiresAt;
  return expiresAt !== undefined && expiresAt.getTime() <= Date.now();
}

const findValidKey = {
  name: 'find-valid-key',
  text: `
    select id from grounded.api_keys
    where id = $1 and coalesce(revoked_at > now(), true) and coalesce(expires_at > now(), true)`,
};
