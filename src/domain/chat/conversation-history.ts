import type { HistoryMessage } from '../../models/models.ts';
import type { Context } from '../context.ts';
import type { InsertedTurn } from './insert-turn.ts';

const maxHistoryMessages = 12;

/**
 * Returns up to `maxHistoryMessages` messages that precede the turn, oldest first, for the model's prompt. Omits small
 * talk.
 */
export async function readHistory(
  { db }: Pick<Context, 'db'>,
  projectId: string,
  turn: InsertedTurn,
): Promise<readonly HistoryMessage[]> {
  const messages = await db.message.findMany({
    where: {
      projectId,
      conversationId: turn.conversationId,
      position: { lt: turn.position - 1 },
      role: { in: ['USER', 'ASSISTANT', 'AGENT'] },
      content: { not: '' },
      intent: null,
    },
    orderBy: { position: 'desc' },
    take: maxHistoryMessages,
    select: { role: true, content: true },
  });
  return messages
    .reverse()
    .flatMap(({ role, content }) => (role === 'SYSTEM' ? [] : [{ role, content }]));
}
