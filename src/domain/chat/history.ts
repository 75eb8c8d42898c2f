import type { Context } from '../context.ts';
import type { Turn } from '../models/models.ts';
import type { OpenTurn } from './open-turn.ts';

const historyMessages = 12;

/** What was said before the turn, oldest first, as far back as is useful to the model. */
export async function readHistory(
  { db }: Pick<Context, 'db'>,
  projectId: string,
  turn: OpenTurn,
): Promise<readonly Turn[]> {
  const messages = await db.message.findMany({
    where: {
      projectId,
      conversationId: turn.conversationId,
      position: { lt: turn.position - 1 },
      role: { in: ['USER', 'ASSISTANT', 'AGENT'] },
      content: { not: '' },
    },
    orderBy: { position: 'desc' },
    take: historyMessages,
    select: { role: true, content: true },
  });
  return messages
    .reverse()
    .flatMap(({ role, content }) => (role === 'SYSTEM' ? [] : [{ role, content }]));
}
