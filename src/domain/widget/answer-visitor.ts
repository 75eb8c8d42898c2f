import type { ConversationStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import type { ChatEvent } from '../chat/chat-event.ts';
import { streamAnswer } from '../chat/stream-answer.ts';
import type { Context } from '../context.ts';
import { readWhileAuthorized } from '../subscriptions/read-while-authorized.ts';
import { authenticateWidgetRequest } from './authenticate-widget-request.ts';
import { requireOwnConversation, requireVisitor } from './require-visitor.ts';
import { type VisitorCitation, visitorCitations } from './visitor-citations.ts';

/** Event of an answer to a visitor. Order: `meta`, any number of `delta`, then `done` or `error`. */
export type VisitorChatEvent =
  | Extract<ChatEvent, { readonly type: 'meta' | 'delta' | 'error' }>
  | { readonly type: 'done'; readonly reply: VisitorReply };

export interface VisitorReply {
  readonly messageId: string;
  readonly content: string;
  readonly citations: readonly VisitorCitation[];
  /** The answer itself may have requested a handoff. */
  readonly conversationStatus: ConversationStatus;
}

/**
 * Answers a visitor in one of the visitor's conversations or in a new one. The answer is completed and stored even if
 * the visitor leaves the page.
 * @throws DomainError from `streamAnswer`
 */
export async function* answerVisitor(
  context: Context,
  input: { readonly message: string; readonly conversationId?: string | null },
): AsyncGenerator<VisitorChatEvent, void, undefined> {
  const { visitor, service } = requireVisitor(context);
  const { message, conversationId } = input;
  if (conversationId != null) await requireOwnConversation(context, visitor, conversationId);
  const { projectId, endUserId } = visitor;
  const question = { projectId, endUserId, message, conversationId, resumable: true };
  const authorize = async () => void (await authenticateWidgetRequest(context, visitor));
  const events = readWhileAuthorized(context, authorize, (signal) =>
    streamAnswer({ ...service, signal }, question),
  );
  for await (const event of events) {
    if (event.type === 'done') {
      const { messageId, content } = event.reply;
      const citations = visitorCitations(content, event.reply.citations);
      const { status } = await requireOwnConversation(context, visitor, event.reply.conversationId);
      yield {
        type: 'done',
        reply: { messageId, content, citations, conversationStatus: status },
      };
    } else if (event.type !== 'sources') yield event;
  }
}
