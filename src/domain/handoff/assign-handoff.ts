import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';
import { appendInboxEvent } from './append-inbox-event.ts';
import type { Handoff } from './handoffs.ts';
import type { HandoffAccess } from './require-handoff-access.ts';

/**
 * Assigns a handoff to the agent `claimedBy`, and notifies the inbox and webhook endpoints. The caller must hold the
 * lock of the conversation (`lockConversation`).
 */
export async function assignHandoff(
  context: Context,
  { id: handoffId }: Pick<Handoff, 'id'>,
  { organizationId, projectId, conversationId }: HandoffAccess,
  claimedBy: string,
  query: Prisma.HandoffDefaultArgs,
): Promise<Handoff> {
  const { db } = context;
  const claimedAt = new Date();
  const { endUserId } = await db.conversation.update({
    where: { id: conversationId, projectId },
    data: { status: 'HUMAN' },
    select: { endUserId: true },
  });
  const handoff = await db.handoff.update({
    ...query,
    where: { id: handoffId, projectId },
    data: { status: 'CLAIMED', claimedAt, claimedBy },
  });
  await publishWebhookEvent(context, {
    projectId,
    type: 'handoff.claimed',
    data: {
      handoffId,
      organizationId,
      projectId,
      conversationId,
      endUserId,
      claimedBy,
      claimedAt: claimedAt.toISOString(),
    },
  });
  await appendInboxEvent(db, { projectId, type: 'CLAIMED', handoffId });
  return handoff;
}
