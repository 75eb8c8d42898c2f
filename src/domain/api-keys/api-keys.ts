import { DomainError, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { ApiKeyScope } from '../../platform/postgres/generated/prisma/enums.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import { type ListPart, selectPart } from '../list-place.ts';
import { type Page, type PageInput, readPage } from '../offset-pagination.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { requireProject } from '../organizations/require-project.ts';
import { insertApiKey, type NewApiKey } from './insert-api-key.ts';
import { newKeyFilter, requireFilterWithinCaller } from './key-filter.ts';
import { manageableKeys, requireKeyCapacity, requireWithinCaller } from './key-limits.ts';
import { lockKeys } from './lock-keys.ts';
import { moveCreatedKeys, revokeCreatedKeys } from './revoke-created-keys.ts';

export type { NewApiKey };
export type ApiKey = Prisma.ApiKeyGetPayload<object>;

/** Default time for which the old key stays valid after a rotation. Clients switch to the new key in this time. */
const defaultOverlapSeconds = 24 * 60 * 60;

/**
 * Creates a key for one project or, without `projectId`, for the whole organization.
 * @throws DomainError NOT_FOUND when the project does not exist in the organization
 * @throws DomainError VALIDATION_FAILED when there are no scopes or the expiry is in the past
 * @throws DomainError from `newKeyFilter`, `requireWithinCaller` and `requireKeyCapacity`
 */
export async function createApiKey(
  context: Context,
  input: {
    readonly organizationId: string;
    readonly projectId?: string | null;
    /** If true, creates a key for the whole organization and ignores `projectId`. */
    readonly isOrgWide?: boolean | null;
    readonly name: string;
    readonly scopes: readonly ApiKeyScope[];
    /** Default: the expiry of the calling API key, or none. */
    readonly expiresAt?: Date | null;
    /**
     * Filter of the documents that the key sees, as JSON (`parseFilter`). Default: the filter of the calling API key,
     * or none.
     */
    readonly filter?: unknown;
  },
): Promise<NewApiKey> {
  const organization = await requireOrganization(context, input.organizationId, 'keys:manage');
  if (input.scopes.length === 0) {
    throw new DomainError('VALIDATION_FAILED', ['scopes must name at least one scope']);
  }
  if (input.expiresAt != null && input.expiresAt.getTime() <= Date.now()) {
    throw new DomainError('VALIDATION_FAILED', ['expiresAt must be in the future']);
  }
  const filter = newKeyFilter(context.caller, input);
  if (input.projectId != null) {
    const where = { id: input.projectId, organizationId: organization.id };
    const project = isId(where.id) ? await context.db.project.findFirst({ where }) : null;
    if (project === null) throw notFound('Project');
  }
  const projectId = input.isOrgWide ? null : (input.projectId ?? null);
  return transaction(context, async (context) => {
    await lockKeys(context, organization.id);
    const limit = await requireWithinCaller(context, { ...input, projectId });
    await requireKeyCapacity(context);
    const created = await insertApiKey(context, {
      organizationId: organization.id,
      projectId,
      name: input.name,
      scopes: [...new Set(input.scopes)],
      expiresAt: input.expiresAt ?? limit.expiresAt,
      filter,
      creatorKeyId: callingKeyId(context),
    });
    const { name, scopes, expiresAt } = created.apiKey;
    const change = { name, projectId, scopes, expiresAt, ...(filter !== null && { filter }) };
    await auditKey(context, 'API_KEY_CREATED', created.apiKey, change);
    return created;
  });
}

/**
 * Selects keys. With `projectId`: keys that are valid for that project, which are its own keys and the org-wide keys.
 */
interface KeyFilter {
  readonly organizationId: string;
  readonly projectId?: string | null;
}

/** Returns the organization's keys that the caller may manage, newest first; `query` selects the page. */
export async function listApiKeys(
  context: Context,
  input: KeyFilter,
  query: Pick<Prisma.ApiKeyFindManyArgs, 'include'> & ListPart = {},
): Promise<ApiKey[]> {
  const where = await keysWhere(context, input);
  const { include, ...part } = query;
  return context.db.apiKey.findMany({ include, ...selectPart(part, where, newestFirst) });
}

/** Returns one page of `listApiKeys`. */
export async function listApiKeysByPage(
  context: Context,
  input: KeyFilter & PageInput,
): Promise<Page<ApiKey>> {
  const where = await keysWhere(context, input);
  return readPage(
    input,
    (part) => context.db.apiKey.findMany(selectPart(part, where, newestFirst)),
    () => context.db.apiKey.count({ where }),
  );
}

const newestFirst = [{ id: 'desc' }] as const;

async function keysWhere(
  context: Context,
  { organizationId, projectId }: KeyFilter,
): Promise<Prisma.ApiKeyWhereInput> {
  const { id } = await requireOrganization(context, organizationId, 'keys:manage');
  if (projectId != null) await requireProject(context, projectId, 'keys:manage');
  return { organizationId: id, ...manageableKeys(context.caller, projectId) };
}

/**
 * Replaces a key with a new one that has the same name, project, scopes, filter and expiry. The old key is revoked
 * after `overlapSeconds` (default: one day; 0: immediately). If an API key makes the rotation, it becomes the creator
 * of the new key, even if it rotates itself. If an operator makes the rotation, the new key keeps the creator of the
 * old key.
 * @throws DomainError CONFLICT when the old key is revoked, expired or already rotated
 * @throws DomainError from `requireFilterWithinCaller` and `requireWithinCaller`, because the caller receives the new
 *   secret
 */
export async function rotateApiKey(
  context: Context,
  input: KeyTarget & { readonly overlapSeconds?: number | null },
): Promise<NewApiKey> {
  const old = await getApiKey(context, input);
  requireFilterWithinCaller(context.caller, old.filter);
  const revokedAt = new Date(Date.now() + (input.overlapSeconds ?? defaultOverlapSeconds) * 1000);
  return transaction(context, async (context) => {
    await lockKeys(context, old.organizationId);
    await requireWithinCaller(context, { ...old, expiresAt: old.expiresAt ?? 'never' });
    const now = new Date();
    const [replaced] = await context.db.apiKey.updateManyAndReturn({
      where: {
        id: old.id,
        organizationId: old.organizationId,
        revokedAt: null,
        OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
      },
      data: { revokedAt },
    });
    if (replaced === undefined) {
      throw new DomainError('CONFLICT', 'The API key is already revoked, expired or rotated');
    }
    const { organizationId, projectId, name, scopes, expiresAt } = old;
    const filter = old.filter as object | null;
    const callerId = callingKeyId(context);
    const creatorKeyId = callerId ?? replaced.creatorKeyId;
    const data = { organizationId, projectId, name, scopes, expiresAt, filter, creatorKeyId };
    const created = await insertApiKey(context, data);
    if (callerId === null || callerId === old.id) {
      await moveCreatedKeys(context, old, created.apiKey.id);
    }
    const change = { newKeyId: created.apiKey.id, oldKeyRevokedAt: revokedAt };
    await auditKey(context, 'API_KEY_ROTATED', old, change);
    return created;
  });
}

/**
 * Revokes a key, and all keys that the key has created or rotated. Takes effect immediately on all nodes. Safe to
 * repeat.
 */
export async function revokeApiKey(context: Context, input: KeyTarget): Promise<ApiKey> {
  const { id, organizationId } = await getApiKey(context, input);
  const now = new Date();
  return transaction(
    context,
    async (context) => {
      await lockKeys(context, organizationId);
      const { count } = await context.db.apiKey.updateMany({
        where: { id, organizationId, OR: [{ revokedAt: null }, { revokedAt: { gt: now } }] },
        data: { revokedAt: now },
      });
      const apiKey = await context.db.apiKey.findUniqueOrThrow({ where: { id } });
      if (count > 0) await auditKey(context, 'API_KEY_REVOKED', apiKey, {});
      for (const created of await revokeCreatedKeys(context, apiKey, now)) {
        await auditKey(context, 'API_KEY_REVOKED', created, { revokedWithKeyId: id });
      }
      return apiKey;
    },
    { isRemoval: true },
  );
}

function auditKey(
  context: Context,
  action: 'API_KEY_CREATED' | 'API_KEY_ROTATED' | 'API_KEY_REVOKED',
  { id, organizationId, name }: Pick<ApiKey, 'id' | 'organizationId' | 'name'>,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const target = { type: 'API_KEY', id, name } as const;
  return recordAuditEntry(context, { organizationId, action, target, change });
}

/** Identifies a key. If `projectId` is set, the key must be valid for that project. */
interface KeyTarget {
  readonly id: string;
  readonly projectId?: string | null;
}

/**
 * Returns a key that the caller may manage.
 * @throws DomainError NOT_FOUND when the key is unknown or belongs to another organization
 */
export async function getApiKey(context: Context, { id, projectId }: KeyTarget): Promise<ApiKey> {
  const { caller, db } = context;
  if (projectId != null) await requireProject(context, projectId, 'keys:manage');
  const where = { id, ...manageableKeys(caller, projectId) };
  const apiKey = isId(id) ? await db.apiKey.findFirst({ where }) : null;
  if (apiKey === null) throw notFound('API key');
  try {
    await requireOrganization(context, apiKey.organizationId, 'keys:manage');
  } catch (error) {
    const isOtherOrganization = error instanceof DomainError && error.code === 'NOT_FOUND';
    throw isOtherOrganization ? notFound('API key') : error;
  }
  return apiKey;
}

/** Returns the id of the calling API key, or null if the caller is not an API key. */
function callingKeyId({ caller }: Context): string | null {
  return caller.type === 'key' ? caller.keyId : null;
}
