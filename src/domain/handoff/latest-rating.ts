import { createDataLoader } from '../../platform/data-loader.ts';
import type { Context } from '../context.ts';
import type { Conversation } from '../conversations/conversations.ts';
import type { HandoffSatisfaction } from './satisfaction-window.ts';

/**
 * Returns the latest rating of an agent in a conversation, or null. It stays when the conversation is reopened. The
 * caller must already have access to the conversation. If several conversations are requested together, one SQL
 * statement reads all of them.
 */
export function getLatestRating(
  context: Context,
  { id, projectId }: Pick<Conversation, 'id' | 'projectId'>,
): Promise<HandoffSatisfaction | null> {
  return loadRating(context, projectId, id, async (ids) => {
    const ratings = await context.db.handoffSatisfaction.findMany({
      where: { projectId, rating: { not: null }, handoff: { conversationId: { in: [...ids] } } },
      include: { handoff: { select: { conversationId: true } } },
      orderBy: { ratedAt: 'asc' },
    });
    const latest = new Map(ratings.map((rating) => [rating.handoff.conversationId, rating]));
    return ids.map((id) => latest.get(id) ?? null);
  });
}

const loadRating = createDataLoader<string, HandoffSatisfaction | null>();
