import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { hashedEndUserId } from '../audit/audit-end-user.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import { sortByName } from '../labels/labels.ts';
import { requireProject } from '../organizations/require-project.ts';
import { type ConversationFilter, conversationsWhere } from './conversations.ts';
import { storedCitations } from './messages.ts';

const conversationsPerPage = 50;
const messagesPerPage = 500;

/** A message with the data of its conversation, as exports contain it. Times are ISO 8601, UTC. */
export type ExportedMessage = ReturnType<typeof toExportedMessage>;

/**
 * Returns the messages of the matching conversations in pages, which limits the memory needed. Sorts conversations by
 * their start, and messages by their position. Includes labels, and omits internal notes. Records the export in the
 * audit log before the first page.
 * @throws DomainError from `requireProject`
 */
export async function* exportConversations(
  context: Context,
  { projectId, ...filter }: ConversationFilter & { readonly projectId?: string | null },
): AsyncGenerator<ExportedMessage[]> {
  const project = await requireProject(context, projectId, 'end-users:manage');
  const startedAt = new Date();
  await transaction(context, (context) =>
    recordAuditEntry(context, {
      organizationId: project.organizationId,
      action: 'CONVERSATIONS_EXPORTED',
      target: { type: 'PROJECT', id: project.id, name: project.name },
      change: auditedFilter(filter),
    }),
  );
  const matching = {
    AND: [conversationsWhere(project, filter), { createdAt: { lte: startedAt } }],
  };
  let lastId: string | undefined;
  do {
    context.signal.throwIfAborted();
    const page: ExportedConversation[] = await context.db.conversation.findMany({
      ...withLabelsAndHandoff,
      where: { ...matching, projectId: project.id, ...(lastId && { id: { gt: lastId } }) },
      orderBy: { id: 'asc' },
      take: conversationsPerPage,
    });
    yield* exportMessages(context, project.id, page);
    lastId = page.length < conversationsPerPage ? undefined : page.at(-1)?.id;
  } while (lastId !== undefined);
}

/**
 * Returns the filter for the audit log, which outlives an erasure: the end user's id is hashed, and the search words
 * are omitted.
 */
function auditedFilter({ endUserId, search, ...others }: ConversationFilter) {
  return {
    ...others,
    ...(endUserId != null && { endUserId: hashedEndUserId(endUserId) }),
    ...(search != null && { hasSearch: true }),
  };
}

const withLabelsAndHandoff = {
  include: {
    labels: { include: { label: true } },
    handoffs: { orderBy: [{ requestedAt: 'desc' }, { id: 'desc' }], take: 1 },
  },
} as const satisfies Prisma.ConversationFindManyArgs;
type ExportedConversation = Prisma.ConversationGetPayload<typeof withLabelsAndHandoff>;

const withFeedback = { include: { feedback: true } } as const satisfies Prisma.MessageFindManyArgs;
type MessageWithFeedback = Prisma.MessageGetPayload<typeof withFeedback>;

/**
 * Reads the messages in pages even for one page of conversations, because a conversation may have thousands of
 * messages.
 */
async function* exportMessages(
  { db, signal }: Context,
  projectId: string,
  page: readonly ExportedConversation[],
): AsyncGenerator<ExportedMessage[]> {
  const conversations = new Map(page.map((conversation) => [conversation.id, conversation]));
  let last: MessageWithFeedback | undefined;
  do {
    signal.throwIfAborted();
    const messages: MessageWithFeedback[] = await db.message.findMany({
      ...withFeedback,
      where: {
        projectId,
        conversationId: { in: [...conversations.keys()] },
        ...(last !== undefined && afterMessage(last)),
      },
      orderBy: [{ conversationId: 'asc' }, { position: 'asc' }],
      take: messagesPerPage,
    });
    const exported = messages.flatMap((message) => {
      const conversation = conversations.get(message.conversationId);
      return conversation === undefined ? [] : [toExportedMessage(conversation, message)];
    });
    if (exported.length > 0) yield exported;
    last = messages.length < messagesPerPage ? undefined : messages.at(-1);
  } while (last !== undefined);
}

function afterMessage({ conversationId, position }: MessageWithFeedback): Prisma.MessageWhereInput {
  return {
    OR: [
      { conversationId: { gt: conversationId } },
      { conversationId, position: { gt: position } },
    ],
  };
}

function toExportedMessage(conversation: ExportedConversation, message: MessageWithFeedback) {
  const isAnswer = message.role === 'ASSISTANT' && message.intent === null;
  return {
    conversationId: conversation.id,
    title: conversation.title,
    conversationStatus: conversation.status,
    channel: conversation.channel,
    endUserId: conversation.endUserId,
    endUserName: conversation.endUserName,
    endUserEmail: conversation.endUserEmail,
    visitorAttributes: conversation.visitorAttributes,
    labels: sortByName(conversation.labels.map(({ label }) => label)).map(({ name }) => name),
    handoffStatus: conversation.handoffs[0]?.status ?? null,
    messageId: message.id,
    position: message.position,
    createdAt: message.createdAt.toISOString(),
    role: message.role,
    author: message.author,
    messageStatus: message.status,
    content: message.content,
    confidence: isAnswer ? message.confidence : null,
    latencyMs: message.latencyMs,
    rating: message.feedback?.rating ?? null,
    ratingComment: message.feedback?.comment ?? null,
    citations: storedCitations(message).map((citation) => ({
      documentId: citation.documentId,
      documentName: citation.documentName,
      chunkId: citation.chunkId,
      page: citation.page ?? null,
      quote: citation.quote ?? null,
      sourceUrl: citation.sourceUrl ?? null,
    })),
  };
}
