import type { Caller } from '../caller.ts';
import { type Context, transaction } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { ApiKeyScope } from '../generated/prisma/enums.ts';
import { isId, newId } from '../ids.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { displayParts, generateKeyText, hashKeyText } from './key-text.ts';

export type ApiKey = Prisma.ApiKeyGetPayload<object>;

/** A key at its creation, the only time its text is known. */
export interface NewApiKey {
  readonly secret: string;
  readonly apiKey: ApiKey;
}

/** The old key of a rotation stays valid this long, so that callers can change over. */
const defaultOverlapSeconds = 24 * 60 * 60;

/**
 * Makes a key for one project or, without `projectId`, for the whole organization.
 * Throws `NOT_FOUND` for a project of another organization, `VALIDATION_FAILED` for an expiry in the past.
 */
export async function createApiKey(
  context: Context,
  input: {
    readonly organizationId: string;
    readonly projectId?: string | null;
    readonly name: string;
    readonly scopes: readonly ApiKeyScope[];
    readonly expiresAt?: Date | null;
  },
): Promise<NewApiKey> {
  const organization = await requireOrganization(
    context,
    input.organizationId,
    'organization:manage',
  );
  if (input.scopes.length === 0) {
    throw new DomainError('VALIDATION_FAILED', ['scopes must name at least one scope']);
  }
  if (input.expiresAt != null && input.expiresAt.getTime() <= Date.now()) {
    throw new DomainError('VALIDATION_FAILED', ['expiresAt must be in the future']);
  }
  const projectId = input.projectId ?? null;
  if (projectId !== null) {
    const where = { id: projectId, organizationId: organization.id };
    const project = isId(projectId) ? await context.db.project.findFirst({ where }) : null;
    if (project === null) throw notFound('Project');
  }
  return insertApiKey(context, {
    organizationId: organization.id,
    projectId,
    name: input.name,
    scopes: [...new Set(input.scopes)],
    expiresAt: input.expiresAt ?? null,
  });
}

/** The organization's keys, newest first; `query` says which page of them. */
export async function listApiKeys(
  context: Context,
  input: { readonly organizationId: string },
  query: Pick<Prisma.ApiKeyFindManyArgs, 'include' | 'cursor' | 'take' | 'skip'> = {},
): Promise<ApiKey[]> {
  const { id } = await requireOrganization(context, input.organizationId, 'organization:manage');
  return context.db.apiKey.findMany({
    ...query,
    where: { organizationId: id },
    orderBy: { id: 'desc' },
  });
}

/**
 * Replaces a key by a new one of the same name, project and scopes. The old one is revoked after
 * `overlapSeconds` (default a day, 0 at once). Throws `CONFLICT` when it is revoked or expired already.
 */
export async function rotateApiKey(
  context: Context,
  input: { readonly id: string; readonly overlapSeconds?: number | null },
): Promise<NewApiKey> {
  const old = await requireApiKey(context, input.id);
  const revokedAt = new Date(Date.now() + (input.overlapSeconds ?? defaultOverlapSeconds) * 1000);
  return transaction(context, async (context) => {
    const now = new Date();
    const { count } = await context.db.apiKey.updateMany({
      where: {
        id: old.id,
        organizationId: old.organizationId,
        revokedAt: null,
        OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
      },
      data: { revokedAt },
    });
    if (count === 0) {
      throw new DomainError('CONFLICT', 'The API key is revoked, expired or rotated already');
    }
    const { organizationId, projectId, name, scopes, expiresAt } = old;
    return insertApiKey(context, { organizationId, projectId, name, scopes, expiresAt });
  });
}

/** Ends a key at once, on every node. Safe to repeat. */
export async function revokeApiKey(
  context: Context,
  input: { readonly id: string },
): Promise<ApiKey> {
  const { id, organizationId } = await requireApiKey(context, input.id);
  const now = new Date();
  await context.db.apiKey.updateMany({
    where: { id, organizationId, OR: [{ revokedAt: null }, { revokedAt: { gt: now } }] },
    data: { revokedAt: now },
  });
  return context.db.apiKey.findUniqueOrThrow({ where: { id } });
}

async function requireApiKey(context: Context, id: string): Promise<ApiKey> {
  const apiKey = isId(id) ? await context.db.apiKey.findUnique({ where: { id } }) : null;
  if (apiKey === null) throw notFound('API key');
  try {
    await requireOrganization(context, apiKey.organizationId, 'organization:manage');
  } catch (error) {
    const isForeign = error instanceof DomainError && error.code === 'NOT_FOUND';
    throw isForeign ? notFound('API key') : error;
  }
  return apiKey;
}

async function insertApiKey(
  { caller, db }: Context,
  data: Pick<
    Prisma.ApiKeyUncheckedCreateInput,
    'organizationId' | 'projectId' | 'name' | 'expiresAt'
  > & { readonly scopes: ApiKeyScope[] },
): Promise<NewApiKey> {
  const secret = generateKeyText();
  const apiKey = await db.apiKey.create({
    data: {
      id: newId(),
      ...data,
      hash: hashKeyText(secret),
      ...displayParts(secret),
      createdBy: creatorOf(caller),
    },
  });
  return { secret, apiKey };
}

function creatorOf(caller: Caller): string {
  return caller.type === 'operator' ? (caller.email ?? caller.userId) : caller.type;
}
