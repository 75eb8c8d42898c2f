import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { type Context, transaction } from '../context.ts';
import { assignHandoff } from './assign-handoff.ts';
import { recordConversationEvent } from './conversation-events.ts';
import { readKnownContact } from './known-contact.ts';
import { lockConversation } from './lock-conversation.ts';
import type { RequestedHandoff } from './request-handoff.ts';
import { type HandoffTarget, requireConversationAccess } from './require-handoff-access.ts';

/**
 * Takes over a conversation from the assistant or from another agent, in one transaction: claims its open handoff, or
 * opens one that the agent owns. Nobody asked for a person then, so the webhook `human.requested` is not sent, only
 * `handoff.claimed`. A conversation that the agent already owns is returned unchanged. `query` selects relations.
 *
 * @throws DomainError from `requireProject` and `resolveAgent`.
 * @throws DomainError NOT_FOUND when the conversation does not exist.
 */
export async function takeOverConversation(
  context: Context,
  target: Omit<HandoffTarget, 'handoffId'> & { readonly conversationId: string },
  query: Prisma.HandoffDefaultArgs = {},
): Promise<RequestedHandoff> {
  const access = await requireConversationAccess(context, target);
  const { projectId, conversationId, operator } = access;
  return transaction(context, async (context) => {
    const { db } = context;
    await lockConversation(db, projectId, conversationId);
    const open = await db.handoff.findFirst({
      ...query,
      where: { projectId, conversationId, status: { not: 'RESOLVED' } },
    });
    if (open?.status === 'CLAIMED' && open.claimedBy === operator) return { ...open, isNew: false };
    await recordConversationEvent(db, access, {
      type: 'TAKEN_OVER',
      previousAgent: open?.claimedBy ?? null,
      agent: operator,
    });
    const handoff = open ?? (await openHandoff(db, projectId, conversationId));
    const claimed = await assignHandoff(context, handoff, access, operator, query);
    return { ...claimed, isNew: open === null };
  });
}

/**
 * Resets the holding message, so that the end user's next question gets one. The handoff has no due times, because
 * nobody waits for a reply.
 */
async function openHandoff(
  db: Prisma.TransactionClient,
  projectId: string,
  conversationId: string,
): Promise<{ readonly id: string }> {
  const { endUserId } = await db.conversation.update({
    where: { id: conversationId, projectId },
    data: { holdingMessageId: null },
    select: { endUserId: true },
  });
  const contact = await readKnownContact(db, projectId, { conversationId, endUserId });
  return db.handoff.create({
    data: { id: newId(), projectId, conversationId, isRequested: false, ...contact },
  });
}
