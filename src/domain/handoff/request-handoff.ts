import { type Context, transaction } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { isId, newId } from '../ids.ts';
import { requireProject } from '../organizations/require-project.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';
import { appendInboxEvent } from './append-inbox-event.ts';
import type { Handoff } from './handoffs.ts';
import { describeHumanRequested } from './human-requested.ts';
import { lockConversation } from './lock-conversation.ts';

export interface HandoffRequest {
  readonly projectId?: string | null;
  readonly conversationId: string;
  /** How the end user can be reached. */
  readonly email?: string | null;
  readonly name?: string | null;
  readonly reason?: string | null;
}

export interface RequestedHandoff extends Handoff {
  /** Whether this request opened it, rather than finding it open. */
  readonly isNew: boolean;
}

/**
 * Asks people to take over a conversation. Its open handoff, requested or claimed, is given back as it is; otherwise
 * a new one is opened, and inbox and webhook endpoints are told, all in one transaction. `query` says what is read
 * beside it. Throws what `requireProject` throws, and `NOT_FOUND` for the conversation.
 */
export async function requestHandoff(
  context: Context,
  input: HandoffRequest,
  query: Prisma.HandoffDefaultArgs = {},
): Promise<RequestedHandoff> {
  const { id: projectId, organizationId } = await requireProject(context, input.projectId, 'chat');
  const { conversationId } = input;
  if (!isId(conversationId)) throw notFound('Conversation');
  return transaction(context, async (context) => {
    const { db } = context;
    await lockConversation(db, projectId, conversationId);
    const open = await db.handoff.findFirst({
      ...query,
      where: { projectId, conversationId, status: { not: 'RESOLVED' } },
    });
    if (open !== null) return { ...open, isNew: false };

    const { endUserId } = await db.conversation.update({
      where: { id: conversationId, projectId },
      data: { status: 'HANDOFF_REQUESTED', holdingMessageId: null },
      select: { endUserId: true },
    });
    const { email, name, reason } = input;
    const handoff = await db.handoff.create({
      ...query,
      data: { id: newId(), projectId, conversationId, email, name, reason },
    });
    const data = await describeHumanRequested(db, handoff, { organizationId, endUserId });
    await publishWebhookEvent(context, { projectId, type: 'human.requested', data });
    await appendInboxEvent(db, { projectId, type: 'REQUESTED', handoffId: handoff.id });
    return { ...handoff, isNew: true };
  });
}
