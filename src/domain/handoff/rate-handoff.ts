import { DomainError, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { type Context, transaction } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';
import { appendInboxEvent } from './append-inbox-event.ts';
import { lockConversation } from './lock-conversation.ts';
import {
  changeHours,
  firstRatingDays,
  type HandoffSatisfaction,
  ratableUntil,
} from './satisfaction-window.ts';

export interface HandoffRating {
  readonly projectId?: string | null;
  readonly handoffId: string;
  /** 1 (very dissatisfied) to 5 (very satisfied). */
  readonly rating: number;
  /** At most 2,000 characters. A blank comment counts as no comment. */
  readonly comment?: string | null;
}

/**
 * Stores how satisfied the end user was with the agent, and notifies the inbox and webhook endpoints. Replaces the
 * previous rating and its comment. If the rating is the same as before, it is returned unchanged.
 *
 * The rating belongs to the handoff. Later events of the conversation do not affect it: new messages may reopen the
 * conversation, and further handoffs have their own ratings. `query` selects relations.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the handoff does not exist in the project.
 * @throws DomainError CONFLICT when the end user was not asked, the project no longer asks, or the time for a rating is
 *   over.
 */
export async function rateHandoff(
  context: Context,
  input: HandoffRating,
  query: Prisma.HandoffSatisfactionDefaultArgs = {},
): Promise<HandoffSatisfaction> {
  const project = await requireProject(context, input.projectId, 'handoffs:rate');
  const { id: projectId, organizationId } = project;
  const { handoffId, rating } = input;
  const comment = input.comment?.trim() || null;
  return transaction(context, async (context) => {
    const { db } = context;
    const { conversationId, status } = await lockHandoff(db, projectId, handoffId);
    const where = { handoffId, projectId };
    const asked = await db.handoffSatisfaction.findFirst({ ...query, where });
    if (asked === null) throw new DomainError('CONFLICT', notAskedMessages[status]);
    if (asked.rating === rating && asked.comment === comment) return asked;
    requireRatable(asked, project.asksForSatisfaction);
    const ratedAt = asked.ratedAt ?? new Date();
    const rated = await db.handoffSatisfaction.update({
      ...query,
      where,
      data: { rating, comment, ratedAt },
    });
    const { endUserId } = await db.conversation.findUniqueOrThrow({
      where: { id: conversationId, projectId },
      select: { endUserId: true },
    });
    await publishWebhookEvent(context, {
      projectId,
      type: 'handoff.rated',
      data: {
        handoffId,
        organizationId,
        projectId,
        conversationId,
        endUserId,
        agent: asked.agent,
        rating,
        comment,
        ratedAt: ratedAt.toISOString(),
      },
    });
    await appendInboxEvent(db, { projectId, type: 'MESSAGE', handoffId });
    return rated;
  });
}

/** Locks the conversation, so that concurrent ratings are stored and reported one after the other. */
async function lockHandoff(db: Prisma.TransactionClient, projectId: string, id: string) {
  const handoff = isId(id)
    ? await db.handoff.findFirst({ where: { id, projectId }, select: { conversationId: true } })
    : null;
  if (handoff === null) throw notFound('Handoff');
  await lockConversation(db, projectId, handoff.conversationId);
  const locked = await db.handoff.findFirst({ where: { id, projectId } });
  if (locked === null) throw notFound('Handoff');
  return locked;
}

const stillOpen = 'The handoff is not resolved. It can be rated after an agent has resolved it';

/** Why the end user was not asked for a rating, by the status of the handoff. */
const notAskedMessages = {
  REQUESTED: stillOpen,
  CLAIMED: stillOpen,
  RESOLVED:
    'The handoff cannot be rated: it was returned to the assistant, no agent had claimed it, or the project did not ask for satisfaction when it was resolved',
} as const;

function requireRatable(asked: HandoffSatisfaction, asksForSatisfaction: boolean): void {
  if (!asksForSatisfaction) {
    const message = 'The project does not ask for satisfaction. Turn it on in the settings';
    throw new DomainError('CONFLICT', message);
  }
  if (ratableUntil(asked) >= new Date()) return;
  throw new DomainError(
    'CONFLICT',
    asked.rating === null
      ? `The handoff can no longer be rated: it was resolved more than ${firstRatingDays} days ago`
      : `The rating is final: it could be changed for ${changeHours} hours`,
  );
}
