import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { subscribeCaller } from '../subscriptions/subscribe-caller.ts';
import { watchRows } from '../subscriptions/watch-rows.ts';
import { type Conversation, getConversation } from './conversations.ts';

/**
 * Subscribes to all conversations of the project, or only to the conversation `conversationId`. When the messages or
 * the status of a conversation change, yields the conversation's current state. The subscription closes in the same
 * cases as `watchInbox`.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when `conversationId` does not exist in the project.
 */
export async function watchConversation(
  context: Context,
  input: { readonly projectId?: string | null; readonly conversationId?: string | null },
  query: Prisma.ConversationDefaultArgs = {},
): Promise<AsyncGenerator<Conversation, void, undefined>> {
  const permission = 'conversations:read';
  const { id: projectId } = await requireProject(context, input.projectId, permission);
  const id = input.conversationId ?? null;
  if (id !== null) await getConversation(context, { projectId, id });
  const subscription = subscribeCaller(context, { topic: 'conversations', projectId, id });
  return watchRows(context, subscription, {
    projectId,
    id,
    permission,
    find: (where, take) =>
      context.db.conversation.findMany({ ...query, where, orderBy: oldestChangeFirst, take }),
  });
}

const oldestChangeFirst = [
  { updatedAt: 'asc' },
  { id: 'asc' },
] as const satisfies Prisma.ConversationOrderByWithRelationInput[];
