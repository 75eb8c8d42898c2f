import type { Prisma } from '../generated/prisma/client.ts';
import {
  type WebhookEventData,
  webhookBody,
  webhookBodyLimitBytes,
} from '../webhooks/webhook-types.ts';
import type { Handoff } from './handoffs.ts';
import { shortenContents } from './shorten-contents.ts';

type HumanRequested = WebhookEventData['human.requested'];

/**
 * What the webhook `human.requested` tells of a handoff: enough to act on without asking back. The contents of the
 * last messages are cut where the body would grow beyond its limit.
 */
export async function describeHumanRequested(
  db: Prisma.TransactionClient,
  handoff: Handoff,
  { organizationId, endUserId }: Pick<HumanRequested, 'organizationId' | 'endUserId'>,
): Promise<HumanRequested> {
  const { id: handoffId, projectId, conversationId, email, name, reason } = handoff;
  const messages = await findLastMessages(db, handoff);
  return fitToBody({
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

const lastMessages = 10;

/** Oldest first. An answer that is still being generated has no content yet. */
async function findLastMessages(
  db: Prisma.TransactionClient,
  { projectId, conversationId }: Handoff,
) {
  const messages = await db.message.findMany({
    where: { projectId, conversationId, content: { not: '' } },
    orderBy: { position: 'desc' },
    take: lastMessages,
    select: { id: true, role: true, content: true, createdAt: true },
  });
  return messages.reverse();
}

function fitToBody(data: HumanRequested): HumanRequested {
  const contents = data.lastMessages.map(({ content }) => content);
  const withContents = (shown: readonly string[]): HumanRequested => ({
    ...data,
    lastMessages: data.lastMessages.map((message, n) => ({ ...message, content: shown[n] ?? '' })),
  });
  const roomBytes = webhookBodyLimitBytes - bodyBytes(withContents([])) - 1;
  return withContents(shortenContents(contents, roomBytes));
}

/** Moments all have the same length, so that any will do. */
function bodyBytes(data: HumanRequested): number {
  const occurredAt = new Date(0);
  return Buffer.byteLength(webhookBody({ type: 'human.requested', occurredAt, data }));
}
