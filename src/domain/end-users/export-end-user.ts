import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { auditEndUser } from '../audit/audit-end-user.ts';
import { decodeTrace } from '../chat/traces/trace-format.ts';
import type { Context } from '../context.ts';
import { storedCitations } from '../conversations/messages.ts';
import { requireProject } from '../organizations/require-project.ts';
import { type EndUserRecords, listEndUserRecords } from './end-user-records.ts';
import type { EndUserInput } from './erase-end-user.ts';

/** All stored data of an end user. Times are ISO 8601, UTC. Identical data gives identical exports. */
export type EndUserExport = ReturnType<typeof buildExport>;

/**
 * Returns the data that `eraseEndUser` would delete, oldest first. Omits internal notes of the team. Also omits stream
 * events, because the messages contain their text, and jobs, because they contain only ids. For an unknown end user,
 * the export has no conversations.
 * @throws DomainError from `requireProject`
 */
export async function exportEndUser(context: Context, input: EndUserInput): Promise<EndUserExport> {
  const project = await requireProject(context, input.projectId, 'end-users:manage');
  const { id: projectId } = project;
  const { endUserId } = input;
  await auditEndUser(context, 'END_USER_EXPORTED', project, endUserId);
  const conversations = await context.db.conversation.findMany({
    ...withMessagesAndHandoffs,
    where: { projectId, endUserId },
    orderBy: { id: 'asc' },
  });
  const ids = conversations.map(({ id }) => id);
  return buildExport(input, conversations, await listEndUserRecords(context, projectId, ids));
}

const withMessagesAndHandoffs = {
  include: {
    messages: { orderBy: { position: 'asc' }, include: { feedback: true, answerTrace: true } },
    handoffs: { orderBy: { id: 'asc' }, include: { satisfaction: true } },
  },
} as const satisfies Prisma.ConversationFindManyArgs;

type Conversation = Prisma.ConversationGetPayload<typeof withMessagesAndHandoffs>;

function buildExport(
  { endUserId }: EndUserInput,
  conversations: readonly Conversation[],
  records: EndUserRecords,
) {
  return {
    endUserId,
    conversations: conversations.map((conversation) => ({
      id: conversation.id,
      title: conversation.title,
      isVerified: conversation.isEndUserVerified,
      name: conversation.endUserName,
      email: conversation.endUserEmail,
      page: conversation.visitorPage,
      browser: conversation.visitorBrowser,
      timeZone: conversation.visitorTimeZone,
      attributes: conversation.visitorAttributes,
      status: conversation.status,
      createdAt: conversation.createdAt.toISOString(),
      lastMessageAt: conversation.lastMessageAt.toISOString(),
      messages: conversation.messages.map(exportMessage),
      handoffs: conversation.handoffs.map((handoff) => exportHandoff(handoff, records)),
    })),
    webhookEvents: records.webhookEvents.map(exportWebhookEvent),
    questions: records.setQuestions,
    keptAnswers: records.keptAnswers.map(({ keptAt, expiresAt, body }) => ({
      keptAt: keptAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      body,
    })),
  };
}

function exportMessage({ feedback, answerTrace, ...message }: Conversation['messages'][number]) {
  return {
    id: message.id,
    role: message.role,
    status: message.status,
    content: message.content,
    createdAt: message.createdAt.toISOString(),
    confidence: message.confidence,
    citations: storedCitations(message).map(({ documentName, quote }) => ({ documentName, quote })),
    trace: answerTrace && exportTrace(answerTrace.trace),
    feedback: feedback && {
      rating: feedback.rating,
      comment: feedback.comment,
      createdAt: feedback.createdAt.toISOString(),
    },
  };
}

/** Exports what was searched and decided for the end user, without the scores of the search. */
function exportTrace(bytes: Uint8Array) {
  const { question, decision, modelCalls, filtered } = decodeTrace(bytes);
  const models = [...new Set(modelCalls.map(({ model }) => model))];
  return { question, reasons: decision.reasons, models, filtered };
}

function exportHandoff(
  { satisfaction, ...handoff }: Conversation['handoffs'][number],
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
    firstReplyAt: handoff.firstReplyAt?.toISOString() ?? null,
    resolvedAt: handoff.resolvedAt?.toISOString() ?? null,
    satisfaction: satisfaction && {
      askedAt: satisfaction.askedAt.toISOString(),
      rating: satisfaction.rating,
      comment: satisfaction.comment,
      ratedAt: satisfaction.ratedAt?.toISOString() ?? null,
    },
    inbox: inboxEvents
      .filter(({ handoffId }) => handoffId === handoff.id)
      .map(({ type, createdAt }) => ({ type, createdAt: createdAt.toISOString() })),
  };
}

/** Exports only the host of the receiver's URL, because the URL may contain secrets. */
function exportWebhookEvent(event: EndUserRecords['webhookEvents'][number]) {
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
