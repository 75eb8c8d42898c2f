import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { type Context, transaction } from '../context.ts';
import { assignHandoff } from './assign-handoff.ts';
import { recordConversationEvent } from './conversation-events.ts';
import { latestFirst } from './handoffs.ts';
import { readKnownContact, storeContact } from './known-contact.ts';
import { lockConversation } from './lock-conversation.ts';
import type { RequestedHandoff } from './request-handoff.ts';
import { type HandoffTarget, requireConversationAccess } from './require-handoff-access.ts';

/**
 * Takes over a conversation from the assistant or from another agent, in one transaction. Claims the open handoff of
 * the conversation, or opens a handoff that the agent owns. A new handoff sends only the webhook `handoff.claimed` and
 * not `human.requested`, because the end user did not ask for a person. If the agent already owns the conversation, it
 * is returned unchanged. `query` selects relations.
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
 * Opens a handoff that the agent owns. Resets the holding message, so that the end user's next question receives one.
 * The handoff has no due times, because the end user is not waiting for a reply. If the conversation is resolved, it is
 * reopened, so the reason of its latest handoff still applies.
 */
async function openHandoff(
  db: Prisma.TransactionClient,
  projectId: string,
  conversationId: string,
): Promise<{ readonly id: string }> {
  const { endUserId, status } = await db.conversation.update({
    where: { id: conversationId, projectId },
    data: { holdingMessageId: null },
    select: { endUserId: true, status: true },
  });
  const contact = await readKnownContact(db, projectId, { conversationId, endUserId });
  await storeContact(db, { projectId, conversationId }, contact);
  const isReopened = status === 'RESOLVED';
  const latest = isReopened
    ? await db.handoff.findFirst({
        where: { projectId, conversationId },
        orderBy: [...latestFirst],
        select: { reason: true },
      })
    : null;
  const request = { ...contact, reason: latest?.reason ?? null };
  return db.handoff.create({
    data: { id: newId(), projectId, conversationId, isRequested: false, ...request },
  });
}
