import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { webhookBody, webhookBodyLimitBytes } from '../webhooks/webhook-event-types.ts';
import type { WebhookEventData } from '../webhooks/webhook-events.ts';
import type { Handoff } from './handoffs.ts';
import { truncateContents } from './truncate-contents.ts';

type HumanRequested = WebhookEventData['human.requested'];

/**
 * Builds the data of the webhook `human.requested`. The data is sufficient for the receiver to act without further
 * requests. The contents of the last messages are truncated if the body would exceed its size limit.
 */
export async function buildHumanRequestedPayload(
  db: Prisma.TransactionClient,
  handoff: Handoff,
  { organizationId, endUserId }: Pick<HumanRequested, 'organizationId' | 'endUserId'>,
): Promise<HumanRequested> {
  const { id: handoffId, projectId, conversationId, email, name, reason } = handoff;
  const messages = await findLastMessages(db, handoff);
  return fitToBodyLimit({
    handoffId,
    organizationId,
    projectId,
    conversationId,
    endUserId,
    email,
    name,
    reason,
    requestedAt: handoff.requestedAt.toISOString(),
    lastMessages: messages.map(({ createdAt, ...message }) => ({
      ...message,
      createdAt: createdAt.toISOString(),
    })),
  });
}

const maxLastMessages = 10;

/**
 * Returns the last messages, oldest first. Excludes answers that are still being generated, because they have no
 * content yet.
 */
async function findLastMessages(
  db: Prisma.TransactionClient,
  { projectId, conversationId }: Handoff,
) {
  const messages = await db.message.findMany({
    where: { projectId, conversationId, content: { not: '' } },
    orderBy: { position: 'desc' },
    take: maxLastMessages,
    select: { id: true, role: true, content: true, createdAt: true },
  });
  return messages.reverse();
}

function fitToBodyLimit(data: HumanRequested): HumanRequested {
  const withContents = (shown: readonly string[]): HumanRequested => ({
    ...data,
    lastMessages: data.lastMessages.map((message, n) => ({ ...message, content: shown[n] ?? '' })),
  });
  const availableBytes = webhookBodyLimitBytes - bodyBytes(withContents([])) - 1;
  return withContents(truncateContents(data.lastMessages, availableBytes));
}

/**
 * Returns the size of the webhook body in bytes. Uses an arbitrary date, because all timestamps have the same length.
 */
function bodyBytes(data: HumanRequested): number {
  const occurredAt = new Date(0);
  return Buffer.byteLength(webhookBody({ type: 'human.requested', occurredAt, data }));
}
