import { DomainError } from '../../platform/errors.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { ApiKeyScope } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { requireScope } from '../permissions.ts';

/**
 * Returns the SQL condition for keys that the caller may manage. An API key of a project manages only keys of that
 * project. With `projectId`, the condition also requires that the key is valid for the project.
 */
export function manageableKeys(
  caller: Caller,
  projectId: string | null | undefined,
): Prisma.ApiKeyWhereInput {
  const { organizationId, projectId: own } = caller.type === 'key' ? caller : noKey;
  const ofOrganization = organizationId === null ? {} : { organizationId };
  if (own !== null) return { ...ofOrganization, projectId: own };
  if (projectId == null) return ofOrganization;
  return { ...ofOrganization, OR: [{ projectId }, { projectId: null }] };
}

const noKey = { organizationId: null, projectId: null };

/**
 * Access of the new key. `expiresAt: 'never'`: the key has no expiry and must not get one. Null: it gets the expiry of
 * the caller.
 */
interface KeyReach {
  readonly projectId: string | null;
  readonly scopes: readonly ApiKeyScope[];
  readonly expiresAt?: Date | 'never' | null;
}

/**
 * Refuses a key with more scopes, more projects or a later expiry than the calling API key. Returns the expiry of the
 * calling API key, or null. Operators and the service have no limit. Call it in the transaction that inserts the key.
 * The calling key cannot be revoked until this transaction ends.
 *
 * @throws DomainError SCOPE_MISSING when the caller lacks one of the scopes
 * @throws DomainError PROJECT_FORBIDDEN when the caller is bound to another project
 * @throws DomainError UNAUTHENTICATED when the caller has been revoked since the request arrived
 * @throws DomainError FORBIDDEN when the key would outlive the caller, or the caller was rotated
 */
export async function requireWithinCaller(
  context: Context,
  { projectId, scopes, expiresAt }: KeyReach,
): Promise<{ readonly expiresAt: Date | null }> {
  const { caller, db } = context;
  if (caller.type !== 'key') return { expiresAt: null };
  if (caller.projectId !== null && caller.projectId !== projectId) {
    throw new DomainError(
      'PROJECT_FORBIDDEN',
      'The API key is restricted to one project: it creates keys of this project only',
    );
  }
  for (const scope of scopes) requireScope(caller, scope);
  const [own] = await runSql<OwnKey>(db, lockOwnKey, [caller.keyId, caller.organizationId]);
  if (own === undefined || (own.revokedAt !== null && own.revokedAt <= new Date())) {
    throw new DomainError('UNAUTHENTICATED', 'The API key is not valid');
  }
  if (own.revokedAt !== null) {
    throw new DomainError(
      'FORBIDDEN',
      'The API key was replaced: create and rotate keys with the new one',
    );
  }
  if (own.expiresAt !== null && expiresAt != null && isAfter(expiresAt, own.expiresAt)) {
    throw new DomainError(
      'FORBIDDEN',
      `The API key expires at ${own.expiresAt.toISOString()}: the new key must not expire later`,
    );
  }
  return own;
}

interface OwnKey {
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/**
 * Locks the calling key's row. A concurrent revocation commits before this lock is granted, or waits until the
 * transaction ends.
 */
const lockOwnKey = `
  select expires_at as "expiresAt", revoked_at as "revokedAt" from grounded.api_keys
  where id = $1::uuid and organization_id = $2::uuid for share`;

function isAfter(expiresAt: Date | 'never', limit: Date): boolean {
  return expiresAt === 'never' || expiresAt > limit;
}

/** Each key has its own rate limit. A key that creates many keys could therefore avoid its limit. */
const maxKeysByKeys = 100;
/** Revoked keys stay stored. */
const maxStoredKeys = 10_000;

/**
 * Limits the number of keys that API keys create. Operators and the service have no limit.
 * @throws DomainError CONFLICT when the organization has 100 active keys, or 10,000 with the revoked ones
 */
export async function requireKeyCapacity({ caller, db }: Context): Promise<void> {
  if (caller.type !== 'key') return;
  const isActive = {
    AND: [
      { OR: [{ revokedAt: null }, { revokedAt: { gt: new Date() } }] },
      { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
    ],
  };
  const { organizationId } = caller;
  const count = await db.apiKey.count({ where: { organizationId, ...isActive } });
  if (count < maxKeysByKeys) {
    if ((await db.apiKey.count({ where: { organizationId } })) < maxStoredKeys) return;
    throw new DomainError(
      'CONFLICT',
      `The organization has ${maxStoredKeys} keys with the revoked ones: let an owner or admin create the key`,
    );
  }
  throw new DomainError(
    'CONFLICT',
    `The organization has ${maxKeysByKeys} active keys: revoke one, or let an owner or admin create the key`,
  );
}
