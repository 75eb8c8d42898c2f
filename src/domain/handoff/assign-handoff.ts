import type { Context } from '../context.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';
import { appendInboxEvent } from './append-inbox-event.ts';
import type { Handoff } from './handoffs.ts';
import type { Work } from './require-work.ts';

/**
 * Gives a handoff to `claimedBy`, who has it from now on, and tells inbox and webhook endpoints. To be called behind
 * the lock of the conversation.
 */
export async function assignHandoff(
  context: Context,
  { id: handoffId }: Pick<Handoff, 'id'>,
  { organizationId, projectId, conversationId }: Work,
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
