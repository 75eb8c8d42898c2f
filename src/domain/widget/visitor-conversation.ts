import type { Context } from '../context.ts';
import { storedCitations } from '../conversations/messages.ts';
import type {
  ConversationStatus,
  FeedbackRating,
  MessageRole,
  MessageStatus,
} from '../generated/prisma/enums.ts';
import { outOfHoursTextAt } from '../handoff/holding-text.ts';
import { requireProject } from '../organizations/require-project.ts';
import { requireOpenWidget } from './open-widget.ts';
import { requireOwnConversation, requireVisitor } from './require-visitor.ts';
import { type VisitorCitation, visitorCitations } from './visitor-citations.ts';

export interface VisitorConversation {
  readonly id: string;
  readonly status: ConversationStatus;
  /** What is told while the conversation waits for the team outside of its hours; null otherwise. */
  readonly outOfHoursText: string | null;
  /** Oldest first. */
  readonly messages: readonly VisitorMessage[];
}

export interface VisitorMessage {
  readonly id: string;
  /** Counts the messages of a conversation from 1. */
  readonly position: number;
  readonly role: MessageRole;
  readonly status: MessageStatus;
  readonly content: string;
  readonly citations: readonly VisitorCitation[];
  readonly rating: FeedbackRating | null;
  readonly createdAt: Date;
}

/** What a visitor is shown of a long conversation: its end. */
const maxMessages = 100;

/** A conversation of the visitor's own, with its last hundred messages. Throws `NOT_FOUND`. */
export async function getVisitorConversation(
  context: Context,
  id: string,
): Promise<VisitorConversation> {
  const { visitor, service } = requireVisitor(context);
  const { status } = await requireOwnConversation(context, visitor, id);
  const outOfHoursText =
    status === 'HANDOFF_REQUESTED' ? await outOfHoursTextNow(service, visitor.projectId) : null;
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

async function outOfHoursTextNow(service: Context, projectId: string): Promise<string | null> {
  return outOfHoursTextAt(await requireProject(service, projectId, 'chat'), new Date());
}

/** A connection is not kept for longer: whoever still listens comes again. */
const lifetimeMs = 10 * 60_000;

/**
 * A conversation of the visitor's own as it is; then, each time that something is said in it or its status changes,
 * its status with those messages that are new or have changed, and at least each half minute, so that a connection
 * that broke is noticed. Ends after ten minutes. Throws `NOT_FOUND`, `FORBIDDEN` as soon as the site may not use the
 * widget any more, and `UNAVAILABLE` when the service stops.
 */
export async function* watchVisitorConversation(
  context: Context,
  id: string,
): AsyncGenerator<VisitorConversation, void, undefined> {
  const { visitor } = requireVisitor(context);
  await requireOwnConversation(context, visitor, id);
  const place = { topic: 'conversations', projectId: visitor.projectId, id } as const;
  const watch = context.events.watch(place, context.signal);
  const told = new Map<string, string>();
  const endsAt = Date.now() + lifetimeMs;
  try {
    do {
      const conversation = await getVisitorConversation(context, id);
      const news = conversation.messages.filter(
        (message) => told.get(message.id) !== stateOf(message),
      );
      for (const message of news) told.set(message.id, stateOf(message));
      yield { ...conversation, messages: news };
      if (Date.now() > endsAt || (await watch.next()) === null) return;
      await requireOpenWidget(context, visitor);
    } while (!context.signal.aborted);
  } finally {
    watch.close();
  }
}

/** The text that holds a visitor may change in place, and an answer comes to its end. */
function stateOf({ status, content, role }: VisitorMessage): string {
  return role === 'SYSTEM' ? content : status;
}
