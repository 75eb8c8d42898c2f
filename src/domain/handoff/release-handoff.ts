import { DomainError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import type { Context } from '../context.ts';
import { appendInboxEvent } from './append-inbox-event.ts';
import { recordConversationEvent } from './conversation-events.ts';
import { insertNote } from './conversation-notes.ts';
import type { Handoff } from './handoffs.ts';
import type { HandoffAccess, HandoffTarget } from './require-handoff-access.ts';
import { withLockedHandoff } from './with-locked-handoff.ts';

/**
 * Puts a handoff that the caller owns back into the list of waiting handoffs, at its old position. Until an agent
 * claims it again, the assistant answers. `note` becomes an internal note of the caller. If the handoff is already
 * waiting, it is returned unchanged and `note` is ignored. Only the owner may release a handoff. Otherwise a late call
 * could take the handoff from an agent who has just claimed it.
 *
 * @throws DomainError from `requireProject` and `resolveAgent`.
 * @throws DomainError NOT_FOUND when the handoff does not exist.
 * @throws DomainError CONFLICT when another agent owns the handoff, it is resolved, or the conversation has 200 notes.
 */
export async function releaseHandoff(
  context: Context,
  { note, ...target }: HandoffTarget & { readonly note?: string | null },
  query: Prisma.HandoffDefaultArgs = {},
): Promise<Handoff> {
  return withLockedHandoff(context, target, query, async (context, handoff, access) => {
    switch (handoff.status) {
      case 'REQUESTED':
        return handoff;
      case 'RESOLVED':
        throw new DomainError('CONFLICT', 'The handoff is resolved');
      case 'CLAIMED':
        if (handoff.claimedBy !== access.operator) {
          throw new DomainError('CONFLICT', 'Another agent has claimed the handoff');
        }
        await recordConversationEvent(context.db, access, {
          type: 'RELEASED',
          previousAgent: access.operator,
          agent: null,
        });
        if (note != null) await insertNote(context.db, access, { id: newId(), content: note });
        return returnToQueue(context, handoff.id, access, query);
    }
  });
}

async function returnToQueue(
  context: Context,
  handoffId: string,
  { organizationId, projectId, conversationId, operator }: HandoffAccess,
  query: Prisma.HandoffDefaultArgs,
): Promise<Handoff> {
  const { db } = context;
  await db.conversation.update({
    where: { id: conversationId, projectId },
    data: { status: 'HANDOFF_REQUESTED', holdingMessageId: null },
  });
  const handoff = await db.handoff.update({
    ...query,
    where: { id: handoffId, projectId },
    data: { status: 'REQUESTED', claimedAt: null, claimedBy: null },
  });
  await recordAuditEntry(context, {
    organizationId,
    action: 'HANDOFF_RELEASED',
    target: { type: 'HANDOFF', id: handoffId },
    change: { projectId, conversationId, claimedBy: operator },
  });
  await appendInboxEvent(db, { projectId, type: 'REQUESTED', handoffId });
  return handoff;
}
