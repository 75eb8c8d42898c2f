import type { Context } from '../context.ts';
import { storedCitations } from '../conversations/messages.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { requireProject } from '../organizations/require-project.ts';
import { type EndUserRecords, readRecords } from './end-user-records.ts';
import type { EndUserInput } from './erase-end-user.ts';

/** Everything that is known of an end user. Moments are ISO 8601, UTC. Equal data gives equal exports. */
export type EndUserExport = ReturnType<typeof describe>;

/**
 * What `eraseEndUser` would remove, for the person to read, oldest first. Left out are copies of it: the events of
 * streams, and jobs, which hold ids only. An end user who is not known has no conversations.
 * Throws what `requireProject` throws.
 */
export async function exportEndUser(context: Context, input: EndUserInput): Promise<EndUserExport> {
  const { id: projectId } = await requireProject(context, input.projectId, 'end-users:manage');
  const { endUserId } = input;
  const conversations = await context.db.conversation.findMany({
    ...withEverything,
    where: { projectId, endUserId },
    orderBy: { id: 'asc' },
  });
  const ids = conversations.map(({ id }) => id);
  return describe(input, conversations, await readRecords(context, projectId, ids));
}

const withEverything = {
  include: {
    messages: { orderBy: { position: 'asc' }, include: { feedback: true } },
    handoffs: { orderBy: { id: 'asc' } },
  },
} as const satisfies Prisma.ConversationFindManyArgs;

type Conversation = Prisma.ConversationGetPayload<typeof withEverything>;

function describe(
  { endUserId }: EndUserInput,
  conversations: readonly Conversation[],
  records: EndUserRecords,
) {
  return {
    endUserId,
    conversations: conversations.map((conversation) => ({
      id: conversation.id,
      title: conversation.title,
      status: conversation.status,
      createdAt: conversation.createdAt.toISOString(),
      lastMessageAt: conversation.lastMessageAt.toISOString(),
      messages: conversation.messages.map(describeMessage),
      handoffs: conversation.handoffs.map((handoff) => describeHandoff(handoff, records)),
    })),
    webhookEvents: records.webhookEvents.map(describeWebhookEvent),
    keptAnswers: records.keptAnswers.map(({ keptAt, expiresAt, body }) => ({
      keptAt: keptAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      body,
    })),
  };
}

function describeMessage({ feedback, ...message }: Conversation['messages'][number]) {
  return {
    id: message.id,
    role: message.role,
    status: message.status,
    content: message.content,
    createdAt: message.createdAt.toISOString(),
    confidence: message.confidence,
    citations: storedCitations(message).map(({ documentName, quote }) => ({ documentName, quote })),
    feedback: feedback && {
      rating: feedback.rating,
      comment: feedback.comment,
      createdAt: feedback.createdAt.toISOString(),
    },
  };
}

function describeHandoff(
  handoff: Conversation['handoffs'][number],
  { inboxEvents }: EndUserRecords,
) {
  return {
    id: handoff.id,
    status: handoff.status,
    email: handoff.email,
    name: handoff.name,
    reason: handoff.reason,
    requestedAt: handoff.requestedAt.toISOString(),
    claimedAt: handoff.claimedAt?.toISOString() ?? null,
    resolvedAt: handoff.resolvedAt?.toISOString() ?? null,
    inbox: inboxEvents
      .filter(({ handoffId }) => handoffId === handoff.id)
      .map(({ type, createdAt }) => ({ type, createdAt: createdAt.toISOString() })),
  };
}

/** Addresses of receivers may hold secrets, so that only their hosts are told. */
function describeWebhookEvent(event: EndUserRecords['webhookEvents'][number]) {
  return {
    id: event.id,
    type: event.type,
    occurredAt: event.occurredAt.toISOString(),
    data: event.data,
    deliveries: event.deliveries.map(({ status, endpoint, log }) => ({
      receiver: new URL(endpoint.url).host,
      status,
      attempts: log.map(({ sentAt, responseStatus, responseExcerpt, error }) => ({
        sentAt: sentAt.toISOString(),
        responseStatus,
        responseExcerpt,
        error,
      })),
    })),
  };
}
