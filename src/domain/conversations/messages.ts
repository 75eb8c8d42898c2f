import { requirePermission } from '../caller.ts';
import type { Citation } from '../chat/citations.ts';
import type { Context } from '../context.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Conversation } from './conversations.ts';

export type Message = Prisma.MessageGetPayload<object>;

/** Messages of a conversation that the caller has been given, oldest first; `query` says which part of them. */
export async function listMessages(
  { caller, db }: Context,
  { id: conversationId, projectId }: Pick<Conversation, 'id' | 'projectId'>,
  query: Pick<Prisma.MessageFindManyArgs, 'include' | 'cursor' | 'take' | 'skip'> = {},
): Promise<Message[]> {
  requirePermission(caller, 'conversations:read');
  return db.message.findMany({
    ...query,
    where: { conversationId, projectId },
    orderBy: oldestFirst,
  });
}

/** By position, which is unique in a conversation. */
export const oldestFirst = {
  position: 'asc',
} as const satisfies Prisma.MessageOrderByWithRelationInput;

/** What an answer cites. The column is written in this very shape; Prisma only knows that it is JSON. */
export function storedCitations({ citations }: Pick<Message, 'citations'>): readonly Citation[] {
  return citations as unknown as readonly Citation[];
}
