import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import {
  defineNestedList,
  type NestedPageArgs,
  paginatePerParent,
} from '../paginate-per-parent.ts';
import { requirePermission } from '../permissions.ts';
import type { Citation } from './citation.ts';
import type { Conversation } from './conversations.ts';

export type Message = Prisma.MessageGetPayload<object>;

/**
 * Returns messages of a conversation, oldest first. `query` selects the page. The caller must already have access to
 * the conversation.
 *
 * @throws DomainError from `requirePermission`.
 */
export async function listMessages(
  context: Context,
  { id, projectId }: Pick<Conversation, 'id' | 'projectId'>,
  query: NestedPageArgs & Pick<Prisma.MessageFindManyArgs, 'include'> = {},
): Promise<Message[]> {
  requirePermission(context.caller, 'conversations:read');
  return paginatePerParent(
    context,
    messages,
    { id, tenantId: projectId },
    query,
    (ids, projectIds) =>
      context.db.message.findMany({
        include: query.include,
        where: { id: { in: ids }, projectId: { in: projectIds } },
      }),
  );
}

const messages = defineNestedList<Message>({
  table: 'grounded.messages',
  parentColumn: 'conversation_id',
  tenantColumn: 'project_id',
  orderBy: [{ position: 'asc' }],
});

/** Sort order of messages. Positions are unique in a conversation. */
export const oldestFirst = {
  position: 'asc',
} as const satisfies Prisma.MessageOrderByWithRelationInput;

/** Returns the stored citations of an answer. The column contains this shape, but Prisma only types it as JSON. */
export function storedCitations({ citations }: Pick<Message, 'citations'>): readonly Citation[] {
  return citations as unknown as readonly Citation[];
}
