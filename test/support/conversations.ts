import type { Pool } from 'pg';
import { newId } from '../../src/platform/ids.ts';
import type { Prisma } from '../../src/platform/postgres/generated/prisma/client.ts';
import type { TestService } from './service.ts';

/**
 * Stores a conversation with these messages. The first is from the end user, and then the assistant and the end user
 * alternate. Returns its id.
 */
export async function addConversation(
  { system: { db, pool } }: Pick<TestService, 'system'>,
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
  await pool.query(insertMessages, [id, projectId, messages.map(() => newId()), messages]);
  return id;
}

/** Uses one SQL statement, because Prisma takes seconds for thousands of rows. */
const insertMessages = `
  insert into grounded.messages (id, conversation_id, project_id, position, role, content)
  select message_id, $1, $2, position,
    (case when position % 2 = 1 then 'USER' else 'ASSISTANT' end)::grounded.message_role, content
  from unnest($3::uuid[], $4::text[]) with ordinality as message(message_id, content, position)`;

/** Counts the statements that `work` runs outside transactions. For each of them, the pool lends one connection. */
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
