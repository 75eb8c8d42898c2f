import { notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { transactionSql } from '../run-sql.ts';

/**
 * Puts those who change one conversation or its handoffs in line until the transaction ends. Its writers of messages
 * wait, too; readers do not. Throws `NOT_FOUND`.
 */
export async function lockConversation(
  db: Prisma.TransactionClient,
  projectId: string,
  conversationId: string,
): Promise<void> {
  const [locked] = await transactionSql(db).query(
    `select id from grounded.conversations where id = $1::uuid and project_id = $2::uuid
     for no key update`,
    [conversationId, projectId],
  );
  if (locked === undefined) throw notFound('Conversation');
}
