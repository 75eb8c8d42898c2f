import { notFound } from '../../platform/errors.ts';
import { isId, newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { type Context, transaction } from '../context.ts';
import { recordEffect } from '../idempotency/idempotent-effect.ts';
import { requireProject } from '../organizations/require-project.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';
import { appendInboxEvent } from './append-inbox-event.ts';
import { computeDueTimes } from './handoff-targets.ts';
import type { Handoff } from './handoffs.ts';
import { buildHumanRequestedPayload } from './human-requested-payload.ts';
import { readKnownContact, storeContact } from './known-contact.ts';
import { lockConversation } from './lock-conversation.ts';

export interface HandoffRequest {
  readonly projectId?: string | null;
  readonly conversationId: string;
  /** The end user's e-mail address. */
  readonly email?: string | null;
  readonly name?: string | null;
  readonly reason?: string | null;
}

export interface RequestedHandoff extends Handoff {
  /** True if this request created the handoff. False if the handoff was already open. */
  readonly isNew: boolean;
}

/**
 * Requests a human agent for a conversation. If the conversation has an open handoff (requested or claimed), adds the
 * details of this request to it. Otherwise creates a handoff. If the request contains no name or e-mail address, uses
 * those of an earlier handoff. Notifies the inbox and webhook endpoints in the same transaction. `query` selects
 * relations. If the process of a request died after it created the handoff, a retry of the request returns that
 * handoff.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the conversation does not exist in the project.
 */
export async function requestHandoff(
  context: Context,
  input: HandoffRequest,
  query: Prisma.HandoffDefaultArgs = {},
): Promise<RequestedHandoff> {
  const project = await requireProject(context, input.projectId, 'chat');
  const { id: projectId, organizationId } = project;
  const { conversationId } = input;
  if (!isId(conversationId)) throw notFound('Conversation');
  return transaction(context, async (context) => {
    const { db, claimedKey } = context;
    await lockConversation(db, projectId, conversationId);
    if (claimedKey?.effectId) {
      const where = { id: claimedKey.effectId, projectId, conversationId };
      return { ...(await db.handoff.findFirstOrThrow({ ...query, where })), isNew: true };
    }
    const open = await db.handoff.findFirst({
      ...query,
      where: { projectId, conversationId, status: { not: 'RESOLVED' } },
    });
    if (open !== null) return addDetails(context, open, { input, organizationId, query });

    const { endUserId } = await db.conversation.update({
      where: { id: conversationId, projectId },
      data: { status: 'HANDOFF_REQUESTED', holdingMessageId: null },
      select: { endUserId: true },
    });
    const isComplete = input.email != null && input.name != null;
    const endUser = { conversationId, endUserId };
    const known = isComplete ? input : await readKnownContact(db, projectId, endUser);
    const contact = { email: input.email ?? known.email, name: input.name ?? known.name };
    await storeContact(db, { projectId, conversationId }, contact);
    const requestedAt = new Date();
    const dueTimes = computeDueTimes(project, requestedAt);
    const request = { ...contact, reason: input.reason, requestedAt, ...dueTimes };
    const handoff = await db.handoff.create({
      ...query,
      data: { id: newId(), projectId, conversationId, ...request },
    });
    const data = await buildHumanRequestedPayload(db, handoff, { organizationId, endUserId });
    await publishWebhookEvent(context, { projectId, type: 'human.requested', data });
    await appendInboxEvent(db, { projectId, type: 'REQUESTED', handoffId: handoff.id });
    await recordEffect(context, handoff.id);
    return { ...handoff, isNew: true };
  });
}

/**
 * Stores the details of the request that differ from the details of the open handoff, and notifies the inbox and
 * webhook endpoints.
 */
async function addDetails(
  context: Context,
  open: Handoff,
  {
    input,
    organizationId,
    query,
  }: {
    readonly input: HandoffRequest;
    readonly organizationId: string;
    readonly query: Prisma.HandoffDefaultArgs;
  },
): Promise<RequestedHandoff> {
  const { db } = context;
  const { id: handoffId, projectId, conversationId } = open;
  const details = {
    email: input.email ?? open.email,
    name: input.name ?? open.name,
    reason: input.reason ?? open.reason,
  };
  const { email, name, reason } = details;
  if (email === open.email && name === open.name && reason === open.reason) {
    return { ...open, isNew: false };
  }
  const where = { id: handoffId, projectId };
  const changed = await db.handoff.update({ ...query, where, data: details });
  await storeContact(db, open, details);
  const { endUserId } = await db.conversation.findUniqueOrThrow({
    where: { id: conversationId, projectId },
    select: { endUserId: true },
  });
  const data = {
    handoffId,
    organizationId,
    projectId,
    conversationId,
    endUserId,
    ...details,
    updatedAt: new Date().toISOString(),
  };
  await publishWebhookEvent(context, { projectId, type: 'handoff.updated', data });
  await appendInboxEvent(db, { projectId, type: 'MESSAGE', handoffId });
  return { ...changed, isNew: false };
}
