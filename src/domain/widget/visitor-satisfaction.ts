import type { Context } from '../context.ts';
import { latestFirst } from '../handoff/handoffs.ts';
import { ratableUntil } from '../handoff/satisfaction-window.ts';

/** The question that asks how satisfied the visitor was with the agent who resolved a handoff. */
export interface VisitorSatisfaction {
  readonly handoffId: string;
  /** The visitor's rating, 1 to 5. Null if the visitor has not answered yet. */
  readonly rating: number | null;
  readonly comment: string | null;
}

/**
 * Returns the question to show in a conversation of the visitor, or null. The question is about the latest handoff,
 * after an agent has resolved it. It is shown as long as the rating can be given or changed, even if the visitor has
 * reopened the conversation.
 */
export async function findVisitorSatisfaction(
  { db }: Context,
  where: { readonly projectId: string; readonly conversationId: string },
): Promise<VisitorSatisfaction | null> {
  const handoff = await db.handoff.findFirst({
    where,
    orderBy: [...latestFirst],
    select: { satisfaction: true, project: { select: { asksForSatisfaction: true } } },
  });
  const asked = handoff?.satisfaction;
  if (asked == null || !handoff?.project.asksForSatisfaction) return null;
  if (ratableUntil(asked) < new Date()) return null;
  const { handoffId, rating, comment } = asked;
  return { handoffId, rating, comment };
}
