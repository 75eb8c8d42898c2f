import { DomainError, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import { type Label, sortByName } from '../labels/labels.ts';
import { appendInboxEvent } from './append-inbox-event.ts';
import { latestFirst } from './handoffs.ts';
import { lockConversation } from './lock-conversation.ts';
import { type HandoffAccess, requireConversationAccess } from './require-handoff-access.ts';

/**
 * A label, and the conversation to which it is added or from which it is removed. With `projectId`, both must belong to
 * that project.
 */
interface ConversationLabelTarget {
  readonly conversationId: string;
  readonly labelId: string;
  readonly projectId?: string | null;
}

const maxLabels = 20;

/**
 * Adds a label to a conversation, and notifies the inbox. Returns all labels of the conversation, sorted by name.
 * Changes nothing if the conversation already has the label.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the conversation or the label does not exist, or their projects differ.
 * @throws DomainError CONFLICT when the conversation has 20 labels.
 */
export async function addConversationLabel(
  context: Context,
  target: ConversationLabelTarget,
): Promise<Label[]> {
  return changeLabels(context, target, async ({ db }, ids) => {
    if ((await db.conversationLabel.count({ where: ids })) > 0) return null;
    const { labelId: _, ...ofConversation } = ids;
    if ((await db.conversationLabel.count({ where: ofConversation })) >= maxLabels) {
      const message = `A conversation has at most ${maxLabels} labels. Remove one first`;
      throw new DomainError('CONFLICT', message);
    }
    await db.conversationLabel.createMany({ data: [ids] });
    return 'CONVERSATION_LABEL_ADDED';
  });
}

/**
 * Removes a label from a conversation, and notifies the inbox. Returns the remaining labels of the conversation, sorted
 * by name. Changes nothing if the conversation does not have the label.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the conversation or the label does not exist, or their projects differ.
 */
export async function removeConversationLabel(
  context: Context,
  target: ConversationLabelTarget,
): Promise<Label[]> {
  return changeLabels(context, target, async ({ db }, where) => {
    const { count } = await db.conversationLabel.deleteMany({ where });
    return count === 0 ? null : 'CONVERSATION_LABEL_REMOVED';
  });
}

interface LabelIds {
  readonly projectId: string;
  readonly conversationId: string;
  readonly labelId: string;
}

/** Does not update the conversation's row, because each update of that row is sent to the end user. */
async function changeLabels(
  context: Context,
  target: ConversationLabelTarget,
  change: (
    context: Context,
    ids: LabelIds,
  ) => Promise<'CONVERSATION_LABEL_ADDED' | 'CONVERSATION_LABEL_REMOVED' | null>,
): Promise<Label[]> {
  const access = await requireConversationAccess(context, target);
  const { projectId, conversationId } = access;
  const { labelId } = target;
  return transaction(context, async (context) => {
    const { db } = context;
    await lockConversation(db, projectId, conversationId);
    const { name } = await lockLabel(db, projectId, labelId);
    const action = await change(context, { projectId, conversationId, labelId });
    const labels = await readLabels(db, access);
    if (action === null) return labels;
    await recordAuditEntry(context, {
      organizationId: access.organizationId,
      action,
      target: { type: 'LABEL', id: labelId, name },
      change: { projectId, conversationId },
    });
    await notifyInbox(db, access);
    return labels;
  });
}

/** Locks the label, so that it cannot be deleted until the transaction finishes. */
async function lockLabel(db: Prisma.TransactionClient, projectId: string, labelId: string) {
  if (!isId(labelId)) throw notFound('Label');
  const [label] = await runSql<{ name: string }>(
    db,
    'select name from grounded.labels where id = $1::uuid and project_id = $2::uuid for key share',
    [labelId, projectId],
  );
  if (label === undefined) throw notFound('Label');
  return label;
}

async function readLabels(
  db: Prisma.TransactionClient,
  { projectId, conversationId }: HandoffAccess,
): Promise<Label[]> {
  const where = { projectId, conversationId };
  const rows = await db.conversationLabel.findMany({ where, include: { label: true } });
  return sortByName(rows.map(({ label }) => label));
}

async function notifyInbox(
  db: Prisma.TransactionClient,
  { projectId, conversationId }: HandoffAccess,
): Promise<void> {
  const handoff = await db.handoff.findFirst({
    where: { projectId, conversationId },
    orderBy: [...latestFirst],
    select: { id: true },
  });
  if (handoff === null) return;
  await appendInboxEvent(db, { projectId, type: 'MESSAGE', handoffId: handoff.id });
}
