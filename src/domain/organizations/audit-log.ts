import { DomainError } from '../../platform/errors.ts';
import { escapeLike } from '../../platform/postgres/escape-like.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { AuditAction } from '../audit/audit-actions.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import { type ListPart, selectPart } from '../list-place.ts';
import { requireMember } from './require-member.ts';
import { requireOrganization } from './require-organization.ts';

export type AuditEntry = Prisma.AuditEntryGetPayload<object>;

/** Selects entries. `from` is inclusive, `to` is exclusive. */
export interface AuditFilter {
  readonly action?: AuditAction | null;
  /** Id or name of the actor. Must match exactly, but the name ignores case. */
  readonly actor?: string | null;
  readonly from?: Date | null;
  readonly to?: Date | null;
}

/** Returns an organization's audit log, newest first. Only owners may read it. `query` selects the page. */
export async function listAuditEntries(
  context: Context,
  organization: { readonly id: string },
  filter: AuditFilter,
  query: ListPart = {},
): Promise<AuditEntry[]> {
  await requireMember(context, organization.id, 'audit:read');
  return context.db.auditEntry.findMany(
    selectPart(query, whereOf(organization.id, filter), newestFirst),
  );
}

const newestFirst = [{ createdAt: 'desc' }, { id: 'desc' }] as const;

const exportPageSize = 500;

/**
 * Returns the audit log of an organization, oldest first, in pages, which limits the memory needed. Records the export
 * in the audit log. The result does not contain this new entry.
 * @throws DomainError from `requireOrganization`
 */
export async function* exportAuditLog(
  context: Context,
  { organizationId, ...filter }: AuditFilter & { readonly organizationId: string },
): AsyncGenerator<AuditEntry[]> {
  const { id } = await requireOrganization(context, organizationId, 'audit:read');
  const until = new Date();
  await transaction(context, (context) =>
    recordAuditEntry(context, {
      organizationId: id,
      action: 'AUDIT_LOG_EXPORTED',
      target: { type: 'AUDIT_LOG', id },
      change: { ...filter },
    }),
  );
  const to = filter.to != null && filter.to < until ? filter.to : until;
  let last: AuditEntry | undefined;
  do {
    context.signal.throwIfAborted();
    const page: AuditEntry[] = await context.db.auditEntry.findMany({
      where: {
        AND: [whereOf(id, { ...filter, to }), last === undefined ? {} : afterEntry(last)],
      },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: exportPageSize,
    });
    if (page.length > 0) yield page;
    last = page.length < exportPageSize ? undefined : page.at(-1);
  } while (last !== undefined);
}

function afterEntry({ createdAt, id }: AuditEntry): Prisma.AuditEntryWhereInput {
  return { OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }] };
}

function whereOf(
  organizationId: string,
  { action, actor, from, to }: AuditFilter,
): Prisma.AuditEntryWhereInput {
  if (from != null && to != null && from >= to) {
    throw new DomainError('VALIDATION_FAILED', ['from must be before to']);
  }
  return {
    organizationId,
    ...(action != null && { action }),
    ...(actor != null && {
      OR: [{ actorId: actor }, { actorName: { equals: escapeLike(actor), mode: 'insensitive' } }],
    }),
    createdAt: { ...(from != null && { gte: from }), ...(to != null && { lt: to }) },
  };
}
