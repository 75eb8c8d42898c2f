import { DomainError } from '../../platform/errors.ts';
import { newId, scopedId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { type Context, transaction } from '../context.ts';
import type { Message } from '../conversations/messages.ts';
import { recordEffect } from '../idempotency/idempotent-effect.ts';
import { storedBytesOf } from '../usage/storage-quota.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';
import { appendInboxEvent } from './append-inbox-event.ts';
import { storeReadPosition } from './conversation-reads.ts';
import { lockConversation } from './lock-conversation.ts';
import { buildMessageCreatedPayload } from './message-created-payload.ts';
import { type HandoffAccess, requireConversationAccess } from './require-handoff-access.ts';

export interface ReplyInput {
  readonly conversationId: string;
  /** Project that the conversation must belong to. */
  readonly projectId?: string | null;
  /** E-mail address of the member for whom an API key replies. */
  readonly agent?: string | null;
  readonly content: string;
  /** UUIDv7 chosen by the caller, which makes retries idempotent. The message is stored under a different id. */
  readonly messageId?: string | null;
}

/**
 * Sends a reply to the end user in the name of the team, and notifies the inbox and webhook endpoints. Any agent may
 * reply, not only the one who claimed the handoff; the author is stored. `query` selects relations of the message.
 *
 * If the caller has already sent a reply with this `messageId` to the conversation, that reply is returned unchanged. A
 * caller that received no response can therefore retry. If the process of a request died after it sent the reply, a
 * retry of the request returns that reply.
 *
 * @throws DomainError from `requireProject` and `resolveAgent`.
 * @throws DomainError NOT_FOUND when the conversation does not exist.
 * @throws DomainError CONFLICT when no agent owns the conversation.
 * @throws an error that `toStorageExceeded` recognizes when the plan's storage is used up.
 */
export async function replyToConversation(
  context: Context,
  { content, messageId, ...target }: ReplyInput,
  query: Prisma.MessageDefaultArgs = {},
): Promise<Message> {
  const access = await requireConversationAccess(context, target);
  const { projectId, organizationId, conversationId } = access;
  return transaction(context, async (context) => {
    const { db, claimedKey } = context;
    await lockConversation(db, projectId, conversationId);
    const scope = `${conversationId} ${access.operator}`;
    const id = claimedKey?.effectId ?? (messageId ? scopedId(messageId, scope) : newId());
    const existing = await db.message.findFirst({
      ...query,
      where: { id, projectId, conversationId, role: 'AGENT', author: access.operator },
    });
    if (existing !== null) return existing;
    const handoff = await db.handoff.findFirst({
      where: { projectId, conversationId, status: 'CLAIMED' },
      select: { id: true },
    });
    if (handoff === null) {
      throw new DomainError('CONFLICT', 'No agent owns the conversation: claim its handoff first');
    }
    const { message, endUserId } = await insertReply(db, access, { id, content }, query);
    await storeReadPosition(db, access, message.position);
    await db.handoff.updateMany({
      where: { id: handoff.id, projectId, firstReplyAt: null },
      data: { firstReplyAt: message.createdAt },
    });
    await publishWebhookEvent(context, {
      projectId,
      type: 'message.created',
      data: buildMessageCreatedPayload(message, { organizationId, endUserId }),
    });
    const event = { projectId, handoffId: handoff.id, messageId: message.id };
    await appendInboxEvent(db, { ...event, type: 'MESSAGE' });
    await recordEffect(context, message.id);
    return message;
  });
}

/** Inserts the reply. It replaces the holding message: the end user's next question receives no holding message. */
async function insertReply(
  db: Prisma.TransactionClient,
  { projectId, conversationId, operator, displayName }: HandoffAccess,
  { id, content }: { readonly id: string; readonly content: string },
  query: Prisma.MessageDefaultArgs,
): Promise<{ readonly message: Message; readonly endUserId: string | null }> {
  const createdAt = new Date();
  const { messageCount: position, endUserId } = await db.conversation.update({
    where: { id: conversationId, projectId },
    data: { messageCount: { increment: 1 }, lastMessageAt: createdAt, holdingMessageId: id },
    select: { messageCount: true, endUserId: true },
  });
  const row = { id, projectId, conversationId, position, createdAt };
  const names = { author: operator, authorName: displayName };
  const message = await db.message.create({
    ...query,
    data: { ...row, ...names, role: 'AGENT', content, storedBytes: storedBytesOf(content) },
  });
  return { message, endUserId };
}
