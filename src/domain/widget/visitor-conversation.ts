import type {
  ConversationStatus,
  FeedbackRating,
  MessageRole,
  MessageStatus,
} from '../../platform/postgres/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import { storedCitations } from '../conversations/messages.ts';
import { outOfHoursMessageAt } from '../handoff/holding-message.ts';
import { requireProject } from '../organizations/require-project.ts';
import { subscribeCaller } from '../subscriptions/subscribe-caller.ts';
import { authenticateWidgetRequest } from './authenticate-widget-request.ts';
import { requireOwnConversation, requireVisitor } from './require-visitor.ts';
import { type VisitorCitation, visitorCitations } from './visitor-citations.ts';

export interface VisitorConversation {
  readonly id: string;
  readonly status: ConversationStatus;
  /** Message to show while the conversation waits for the team outside business hours; otherwise null. */
  readonly outOfHoursText: string | null;
  /** Oldest first. */
  readonly messages: readonly VisitorMessage[];
}

export interface VisitorMessage {
  readonly id: string;
  /** Position in the conversation, counted from 1. */
  readonly position: number;
  readonly role: MessageRole;
  readonly status: MessageStatus;
  readonly content: string;
  readonly citations: readonly VisitorCitation[];
  readonly rating: FeedbackRating | null;
  readonly createdAt: Date;
}

/** Visitors see only the latest messages of a long conversation. */
const maxMessages = 100;

/**
 * Returns a conversation of the visitor with its latest 100 messages.
 * @throws DomainError NOT_FOUND when it belongs to someone else
 */
export async function getVisitorConversation(
  context: Context,
  id: string,
): Promise<VisitorConversation> {
  const { visitor, service } = requireVisitor(context);
  const { status } = await requireOwnConversation(context, visitor, id);
  const outOfHoursText =
    status === 'HANDOFF_REQUESTED' ? await currentOutOfHoursText(service, visitor.projectId) : null;
  const last = await context.db.message.findMany({
    where: { conversationId: id, projectId: visitor.projectId },
    include: { feedback: true },
    orderBy: { position: 'desc' },
    take: maxMessages,
  });
  const messages = last.reverse().map((message) => {
    const { id, position, role, status, content, feedback, createdAt } = message;
    const citations = visitorCitations(content, storedCitations(message));
    const rating = feedback?.rating ?? null;
    return { id, position, role, status, content, citations, rating, createdAt };
  });
  return { id, status, outOfHoursText, messages };
}

async function currentOutOfHoursText(service: Context, projectId: string): Promise<string | null> {
  return outOfHoursMessageAt(await requireProject(service, projectId, 'chat'), new Date());
}

/** Maximum lifetime of a stream; clients then reconnect. */
const streamLifetimeMs = 10 * 60_000;

/**
 * Emits a conversation of the visitor immediately, and again after each change to its messages or status. Later
 * emissions contain only new and changed messages. Emits at least every 30 seconds, so that a broken connection is
 * noticed. Closes after ten minutes.
 * @throws DomainError NOT_FOUND when the conversation belongs to someone else
 * @throws DomainError FORBIDDEN when the site may no longer use the widget
 * @throws DomainError UNAVAILABLE when the service stops
 */
export async function* watchVisitorConversation(
  context: Context,
  id: string,
): AsyncGenerator<VisitorConversation, void, undefined> {
  const { visitor } = requireVisitor(context);
  await requireOwnConversation(context, visitor, id);
  const target = { topic: 'conversations', projectId: visitor.projectId, id } as const;
  const subscription = subscribeCaller(context, target);
  const sentStates = new Map<string, string>();
  const endsAt = Date.now() + streamLifetimeMs;
  try {
    do {
      const conversation = await getVisitorConversation(context, id);
      const changedMessages = conversation.messages.filter(
        (message) => sentStates.get(message.id) !== messageState(message),
      );
      for (const message of changedMessages) sentStates.set(message.id, messageState(message));
      yield { ...conversation, messages: changedMessages };
      if (Date.now() > endsAt || (await subscription.next()) === null) return;
      await authenticateWidgetRequest(context, visitor);
    } while (!context.signal.aborted);
  } finally {
    subscription.close();
  }
}

/**
 * Returns the part of a message whose change is emitted: the text of a holding message, or the status of another
 * message.
 */
function messageState({ status, content, role }: VisitorMessage): string {
  return role === 'SYSTEM' ? content : status;
}
