import type { Pool } from 'pg';
import type { Prisma } from '../../src/domain/generated/prisma/client.ts';
import { newId } from '../../src/domain/ids.ts';
import type { TestService } from './service.ts';

/** Stores a conversation as it stands after these messages, the end user's and the assistant's in turns; its id. */
export async function addConversation(
  { system: { db } }: Pick<TestService, 'system'>,
  projectId: string,
  {
    messages = [],
    ...fields
  }: Partial<Omit<Prisma.ConversationCreateManyInput, 'id' | 'projectId'>> & {
    readonly messages?: readonly string[];
  } = {},
): Promise<string> {
  const id = newId();
  await db.conversation.create({
    data: {
      id,
      title: messages[0]?.slice(0, 80) ?? 't',
      messageCount: messages.length,
      ...fields,
      projectId,
    },
  });
  await db.message.createMany({
    data: messages.map((content, index) => ({
      id: newId(),
      conversationId: id,
      projectId,
      position: index + 1,
      role: index % 2 === 0 ? 'USER' : 'ASSISTANT',
      content,
    })),
  });
  return id;
}

/** The statements that `work` runs outside of transactions: the pool lends a connection for each. */
export async function countStatements(pool: Pool, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const add = () => {
    count += 1;
  };
  pool.on('acquire', add);
  try {
    await work();
  } finally {
    pool.off('acquire', add);
  }
  return count;
}
