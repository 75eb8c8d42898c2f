import { requirePermission } from '../caller.ts';
import type { Citation } from '../chat/citations.ts';
import type { Context } from '../context.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { type NestedPart, nestedList, readNestedList } from '../nested-list.ts';
import type { Conversation } from './conversations.ts';

export type Message = Prisma.MessageGetPayload<object>;

/** Messages of a conversation that the caller has been given, oldest first; `query` says which part of them. */
export async function listMessages(
  context: Context,
  { id, projectId }: Pick<Conversation, 'id' | 'projectId'>,
  query: NestedPart & Pick<Prisma.MessageFindManyArgs, 'include'> = {},
): Promise<Message[]> {
  requirePermission(context.caller, 'conversations:read');
  return readNestedList(context, messages, { id, tenantId: projectId }, query, (ids, projectIds) =>
    context.db.message.findMany({
      include: query.include,
      where: { id: { in: ids }, projectId: { in: projectIds } },
    }),
  );
}

const messages = nestedList<Message>({
  table: 'grounded.messages',
  parent: 'conversation_id',
  tenant: 'project_id',
  order: ['position'],
  direction: 'asc',
});

/** By position, which is unique in a conversation. */
export const oldestFirst = {
  position: 'asc',
} as const satisfies Prisma.MessageOrderByWithRelationInput;

/** What an answer cites. The column is written in this very shape; Prisma only knows that it is JSON. */
export function storedCitations({ citations }: Pick<Message, 'citations'>): readonly Citation[] {
  return citations as unknown as readonly Citation[];
}
