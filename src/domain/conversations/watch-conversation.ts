import type { Context } from '../context.ts';
import { watchRows } from '../events/watch-rows.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { requireProject } from '../organizations/require-project.ts';
import { type Conversation, getConversation } from './conversations.ts';

/**
 * The project's conversations, or the one that is named, each time that what is said in them or their status has
 * changed, as they are then. Ends as `watchInbox` does. Throws what `requireProject` throws, and `NOT_FOUND` for the
 * conversation.
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
  const watch = context.events.watch({ topic: 'conversations', projectId, id }, context.signal);
  return watchRows(context, watch, {
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
