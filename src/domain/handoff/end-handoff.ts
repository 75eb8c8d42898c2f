import type { Context } from '../context.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { ConversationStatus } from '../generated/prisma/enums.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';
import { appendInboxEvent } from './append-inbox-event.ts';
import { changeHandoff } from './change-handoff.ts';
import type { Handoff } from './handoffs.ts';

/**
 * Resolves an open handoff, claimed or not, leaves its conversation as `status`, and tells inbox and webhook
 * endpoints. A resolved one is given back as it is. Throws what `changeHandoff` throws.
 */
export async function endHandoff(
  context: Context,
  handoffId: string,
  status: Extract<ConversationStatus, 'RESOLVED' | 'OPEN'>,
  query: Prisma.HandoffDefaultArgs,
): Promise<Handoff> {
  return changeHandoff(context, handoffId, query, async (context, handoff, work) => {
    if (handoff.status === 'RESOLVED') return handoff;
    const { db } = context;
    const { organizationId, projectId, conversationId } = work;
    const resolvedAt = new Date();
    const { endUserId } = await db.conversation.update({
      where: { id: conversationId, projectId },
      data: { status, holdingMessageId: null },
      select: { endUserId: true },
    });
    const resolved = await db.handoff.update({
      ...query,
      where: { id: handoffId, projectId },
      data: { status: 'RESOLVED', resolvedAt },
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
