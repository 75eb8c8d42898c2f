import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { ConversationStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';
import { appendInboxEvent } from './append-inbox-event.ts';
import { askForSatisfaction } from './ask-for-satisfaction.ts';
import { recordConversationEvent } from './conversation-events.ts';
import type { Handoff } from './handoffs.ts';
import type { HandoffTarget } from './require-handoff-access.ts';
import { withLockedHandoff } from './with-locked-handoff.ts';

/**
 * Resolves a requested or claimed handoff, sets its conversation to `status`, and notifies the inbox and webhook
 * endpoints. If the conversation becomes `RESOLVED`, asks the end user for their satisfaction. A resolved handoff is
 * returned unchanged.
 *
 * @throws DomainError from `withLockedHandoff`.
 */
export async function closeHandoff(
  context: Context,
  target: Omit<HandoffTarget, 'agent'>,
  status: Extract<ConversationStatus, 'RESOLVED' | 'OPEN'>,
  query: Prisma.HandoffDefaultArgs,
): Promise<Handoff> {
  return withLockedHandoff(context, target, query, async (context, handoff, access) => {
    if (handoff.status === 'RESOLVED') return handoff;
    const { db } = context;
    const { organizationId, projectId, conversationId } = access;
    const { handoffId } = target;
    const resolvedAt = new Date();
    const { endUserId } = await db.conversation.update({
      where: { id: conversationId, projectId },
      data: { status, holdingMessageId: null },
      select: { endUserId: true },
    });
    if (status === 'RESOLVED') await askForSatisfaction(db, handoff, access.operator);
    const resolved = await db.handoff.update({
      ...query,
      where: { id: handoffId, projectId },
      data: { status: 'RESOLVED', resolvedAt },
    });
    await recordConversationEvent(db, access, {
      type: status === 'RESOLVED' ? 'RESOLVED' : 'RETURNED',
      previousAgent: handoff.claimedBy,
      agent: null,
    });
    await publishWebhookEvent(context, {
      projectId,
      type: 'handoff.resolved',
      data: {
        handoffId,
        organizationId,
        projectId,
        conversationId,
        endUserId,
        resolvedAt: resolvedAt.toISOString(),
      },
    });
    await appendInboxEvent(db, { projectId, type: 'RESOLVED', handoffId });
    return resolved;
  });
}
