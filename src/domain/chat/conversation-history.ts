import type { HistoryMessage } from '../../models/models.ts';
import { runSql, type SqlClient } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { Citation } from '../conversations/citation.ts';
import { storedCitations } from '../conversations/messages.ts';
import type { InsertedTurn } from './insert-turn.ts';

export const maxHistoryMessages = 12;

/**
 * Returns up to `maxHistoryMessages` messages before the turn, oldest first, for the model's prompt. Omits small talk.
 * Does not query the database for the first turn of a conversation.
 */
export async function readHistory(
  { db, pool }: Pick<Context, 'db' | 'pool'>,
  projectId: string,
  turn: InsertedTurn,
): Promise<readonly HistoryMessage[]> {
  if (turn.position <= 2) return [];
  const messages = await db.message.findMany({
    where: {
      projectId,
      conversationId: turn.conversationId,
      position: { lt: turn.position - 1 },
      role: { in: ['USER', 'ASSISTANT', 'AGENT'] },
      content: { not: '' },
      status: { not: 'GENERATING' },
      intent: null,
    },
    orderBy: { position: 'desc' },
    take: maxHistoryMessages,
    select: { role: true, content: true, citations: true },
  });
  const cited = messages.map((message) => storedCitations(message)[0]);
  const headings = await readHeadings(pool, projectId, cited);
  return messages
    .flatMap(({ role, content }, index): HistoryMessage[] => {
      const citation = cited[index];
      if (role === 'SYSTEM') return [];
      if (citation === undefined) return [{ role, content }];
      const citedHeading = headings.get(citation.chunkId) || citation.documentName;
      return [{ role, content, citedHeading, citedDocumentId: citation.documentId }];
    })
    .reverse();
}

/** Returns the last heading above each cited chunk. Omits chunks that were deleted. */
async function readHeadings(
  pool: SqlClient,
  projectId: string,
  cited: readonly (Citation | undefined)[],
): Promise<ReadonlyMap<string, string>> {
  const ids = cited.flatMap((citation) => (citation === undefined ? [] : [citation.chunkId]));
  if (ids.length === 0) return new Map();
  const rows = await runSql<{ id: string; context: string }>(
    pool,
    'select id, context from grounded.chunks where project_id = $1::uuid and id = any($2::uuid[])',
    [projectId, ids],
  );
  return new Map(rows.map(({ id, context }) => [id, context.split(' › ').at(-1) ?? '']));
}
