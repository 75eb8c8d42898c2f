import { notFound } from '../../platform/errors.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';

/**
 * Locks a conversation until the transaction finishes. Other transactions that change the conversation, its handoffs or
 * its messages wait. Reads do not wait.
 *
 * @throws DomainError NOT_FOUND when the conversation does not exist in the project.
 */
export async function lockConversation(
  db: Prisma.TransactionClient,
  projectId: string,
  conversationId: string,
): Promise<void> {
  const [locked] = await runSql(
    db,
    `select id from grounded.conversations where id = $1::uuid and project_id = $2::uuid
     for no key update`,
    [conversationId, projectId],
  );
  if (locked === undefined) throw notFound('Conversation');
}
