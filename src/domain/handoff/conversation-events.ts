import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { type HandoffAccess, requireConversationAccess } from './require-handoff-access.ts';

/** A change of the agent who owns a conversation. End users, models and webhooks never receive it. */
export type ConversationEvent = Prisma.ConversationEventGetPayload<object>;

const maxEvents = 200;

/**
 * Returns the latest 200 events of a conversation, oldest first.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the conversation does not exist.
 */
export async function listConversationEvents(
  context: Context,
  target: { readonly conversationId: string; readonly projectId?: string | null },
): Promise<ConversationEvent[]> {
  const { projectId, conversationId } = await requireConversationAccess(context, target);
  const latest = await context.db.conversationEvent.findMany({
    where: { projectId, conversationId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: maxEvents,
  });
  return latest.reverse();
}

/**
 * Stores a change that the caller makes. Call it in the transaction of the change, with the lock of the conversation
 * (`lockConversation`). Does not update the conversation's row, because each update of that row is sent to the end
 * user.
 */
export async function recordConversationEvent(
  db: Prisma.TransactionClient,
  { projectId, conversationId, operator: actor }: HandoffAccess,
  event: Pick<ConversationEvent, 'type' | 'previousAgent' | 'agent'>,
): Promise<void> {
  const row = { id: newId(), projectId, conversationId, actor, createdAt: new Date() };
  await db.conversationEvent.create({ data: { ...row, ...event } });
}
