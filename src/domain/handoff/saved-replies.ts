import { DomainError, isUniqueViolation, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { requireProject } from '../organizations/require-project.ts';
import { requireProjectResource } from '../organizations/require-project-resource.ts';
import type { Permission } from '../permissions.ts';

/** A text that agents insert into their replies. */
export type SavedReply = Prisma.SavedReplyGetPayload<object>;

/** Identifies a saved reply. If `projectId` is set, the saved reply must belong to that project. */
export interface SavedReplyTarget {
  readonly savedReplyId: string;
  readonly projectId?: string | null;
}

const maxSavedReplies = 200;

/**
 * Returns all saved replies of the project, sorted by name. There are at most 200.
 * @throws DomainError from `requireProject`
 */
export async function listSavedReplies(
  context: Context,
  input: { readonly projectId: string },
): Promise<SavedReply[]> {
  const { id: projectId } = await requireProject(context, input.projectId, 'handoffs:work');
  const replies = await context.db.savedReply.findMany({ where: { projectId } });
  return replies.sort((one, other) => names.compare(one.name, other.name));
}

/** Sorts names in the same order for every database. The collations of databases differ. */
const names = new Intl.Collator('en', { numeric: true });

/**
 * Returns a saved reply of a project in which the caller may work on handoffs.
 * @throws DomainError NOT_FOUND when the saved reply is unknown
 */
export async function getSavedReply(
  context: Context,
  target: SavedReplyTarget,
): Promise<SavedReply> {
  return (await requireSavedReply(context, target, 'handoffs:work')).resource;
}

/**
 * Adds a saved reply to a project.
 * @throws DomainError from `requireProject`
 * @throws DomainError CONFLICT when the project has 200 saved replies, or already has a saved reply with this name
 */
export async function createSavedReply(
  context: Context,
  input: { readonly projectId: string; readonly name: string; readonly content: string },
): Promise<SavedReply> {
  const project = await requireProject(context, input.projectId, 'organization:manage');
  const { id: projectId } = project;
  const texts = { name: input.name.trim(), content: input.content };
  return withUniqueName(
    transaction(context, async (context) => {
      await requireCapacity(context.db, projectId);
      const data = { id: newId(), projectId, ...texts };
      const reply = await context.db.savedReply.create({ data });
      await audit(context, 'SAVED_REPLY_CREATED', project, reply, texts);
      return reply;
    }),
  );
}

/**
 * Changes the given fields of a saved reply.
 * @throws DomainError NOT_FOUND when the saved reply is unknown
 * @throws DomainError CONFLICT when another saved reply of the project has this name
 */
export async function updateSavedReply(
  context: Context,
  input: SavedReplyTarget & { readonly name?: string | null; readonly content?: string | null },
): Promise<SavedReply> {
  const { resource, project } = await requireSavedReply(context, input, 'organization:manage');
  const { id, projectId } = resource;
  const { name, content } = input;
  const change = {
    ...(name != null && { name: name.trim() }),
    ...(content != null && { content }),
  };
  return withUniqueName(
    transaction(context, async (context) => {
      const [reply] = await context.db.savedReply.updateManyAndReturn({
        where: { id, projectId },
        data: change,
      });
      if (reply === undefined) throw notFound('Saved reply');
      await audit(context, 'SAVED_REPLY_UPDATED', project, reply, change);
      return reply;
    }),
  );
}

/**
 * Deletes a saved reply. Does not change messages in which agents have used it.
 * @throws DomainError NOT_FOUND when the saved reply is unknown
 */
export async function deleteSavedReply(
  context: Context,
  target: SavedReplyTarget,
): Promise<SavedReply> {
  const { resource: reply, project } = await requireSavedReply(
    context,
    target,
    'organization:manage',
  );
  const { id, projectId } = reply;
  return transaction(
    context,
    async (context) => {
      const { count } = await context.db.savedReply.deleteMany({ where: { id, projectId } });
      if (count === 0) throw notFound('Saved reply');
      await audit(context, 'SAVED_REPLY_DELETED', project, reply);
      return reply;
    },
    { isRemoval: true },
  );
}

function requireSavedReply(
  context: Context,
  { savedReplyId, projectId }: SavedReplyTarget,
  permission: Permission,
) {
  const target = { what: 'Saved reply', id: savedReplyId, projectId: projectId ?? null };
  return requireProjectResource(context, permission, target, (id) =>
    context.db.savedReply.findUnique({ where: { id } }),
  );
}

/** Counts the saved replies after locking the project's row, so that concurrent calls cannot exceed the limit. */
async function requireCapacity(db: Prisma.TransactionClient, projectId: string): Promise<void> {
  await runSql(db, 'select id from grounded.projects where id = $1::uuid for no key update', [
    projectId,
  ]);
  if ((await db.savedReply.count({ where: { projectId } })) >= maxSavedReplies) {
    const message = `A project has at most ${maxSavedReplies} saved replies. Delete one first`;
    throw new DomainError('CONFLICT', message);
  }
}

async function withUniqueName(change: Promise<SavedReply>): Promise<SavedReply> {
  try {
    return await change;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const message = 'name is taken by another saved reply of the project. Choose another one';
    throw new DomainError('CONFLICT', message, { cause: error });
  }
}

async function audit(
  context: Context,
  action: 'SAVED_REPLY_CREATED' | 'SAVED_REPLY_UPDATED' | 'SAVED_REPLY_DELETED',
  { id: projectId, organizationId }: Project,
  { id, name }: SavedReply,
  change: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await recordAuditEntry(context, {
    organizationId,
    action,
    target: { type: 'SAVED_REPLY', id, name },
    change: { projectId, ...change },
  });
}
