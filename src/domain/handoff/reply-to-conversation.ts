import { type Context, transaction } from '../context.ts';
import type { Message } from '../conversations/messages.ts';
import { DomainError } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { newId } from '../ids.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';
import { appendInboxEvent } from './append-inbox-event.ts';
import { lockConversation } from './lock-conversation.ts';
import { describeMessageCreated } from './message-created.ts';
import { requireWorkOnConversation, type Work } from './require-work.ts';

export interface Reply {
  readonly conversationId: string;
  readonly content: string;
  /** A UUIDv7 that the caller has made for it. */
  readonly messageId?: string | null;
}

/**
 * Says something to the end user in the name of the team, and tells inbox and webhook endpoints. Everyone who works
 * on handoffs may, whoever has claimed this one: the author is recorded. `query` says what is read beside the
 * message. With the `messageId` of a reply that the caller has sent here, that reply is given back as it is: whoever
 * got no answer can send it again. Throws what `requireProject` throws, `NOT_FOUND` for the conversation, and
 * `CONFLICT` while no person has it, and for a `messageId` that is another message's.
 */
export async function replyToConversation(
  context: Context,
  { conversationId, content, messageId }: Reply,
  query: Prisma.MessageDefaultArgs = {},
): Promise<Message> {
  const work = await requireWorkOnConversation(context, conversationId);
  const { projectId, organizationId } = work;
  return transaction(context, async (context) => {
    const { db } = context;
    await lockConversation(db, projectId, conversationId);
    const id = messageId ?? newId();
    const written = await db.message.findFirst({
      ...query,
      where: { id, projectId, conversationId, role: 'AGENT', author: work.operator },
    });
    if (written !== null) return written;
    const handoff = await db.handoff.findFirst({
      where: { projectId, conversationId, status: 'CLAIMED' },
      select: { id: true },
    });
    if (handoff === null) {
      throw new DomainError('CONFLICT', 'No person has the conversation: claim its handoff first');
    }
    const { message, endUserId } = await appendReply(db, work, { id, content }, query);
    await publishWebhookEvent(context, {
      projectId,
      type: 'message.created',
      data: describeMessageCreated(message, { organizationId, endUserId }),
    });
    const event = { projectId, handoffId: handoff.id, messageId: message.id };
    await appendInboxEvent(db, { ...event, type: 'MESSAGE' });
    return message;
  });
}

/** The end user's wait is over: the next one has a holding text of its own. */
async function appendReply(
  db: Prisma.TransactionClient,
  { projectId, conversationId, operator }: Work,
  { id, content }: { readonly id: string; readonly content: string },
  query: Prisma.MessageDefaultArgs,
): Promise<{ readonly message: Message; readonly endUserId: string | null }> {
  const createdAt = new Date();
  const { messageCount: position, endUserId } = await db.conversation.update({
    where: { id: conversationId, projectId },
    data: { messageCount: { increment: 1 }, lastMessageAt: createdAt, holdingMessageId: null },
    select: { messageCount: true, endUserId: true },
  });
  const place = { id, projectId, conversationId, position, createdAt };
  const { count } = await db.message.createMany({
    data: { ...place, role: 'AGENT', author: operator, content },
    skipDuplicates: true,
  });
  if (count === 0) throw new DomainError('CONFLICT', 'messageId is the id of another message');
  const message = await db.message.findFirstOrThrow({ ...query, where: { id, projectId } });
  return { message, endUserId };
}
