import { answer } from '../chat/answer.ts';
import type { ChatEvent } from '../chat/chat-event.ts';
import type { Context } from '../context.ts';
import { requireOwnConversation, requireVisitor } from './require-visitor.ts';
import { type VisitorCitation, visitorCitations } from './visitor-citations.ts';

/** What a visitor hears of an answer: `meta`, any number of `delta`, then `done` or `error`. */
export type VisitorEvent =
  | Extract<ChatEvent, { readonly type: 'meta' | 'delta' | 'error' }>
  | { readonly type: 'done'; readonly reply: VisitorReply };

export interface VisitorReply {
  readonly messageId: string;
  readonly content: string;
  readonly citations: readonly VisitorCitation[];
}

/**
 * Answers a visitor, in a conversation of its own or a new one. The answer goes on when the visitor leaves the page,
 * and stands in the conversation then. Throws what `answer` throws.
 */
export async function* answerVisitor(
  context: Context,
  input: { readonly message: string; readonly conversationId?: string | null },
): AsyncGenerator<VisitorEvent, void, undefined> {
  const { visitor, service } = requireVisitor(context);
  const { message, conversationId } = input;
  if (conversationId != null) await requireOwnConversation(context, visitor, conversationId);
  const { projectId, endUserId } = visitor;
  const question = { projectId, endUserId, message, conversationId, resumable: true };
  for await (const event of answer(service, question)) {
    if (event.type === 'done') {
      const { messageId, content, citations } = event.reply;
      const reply = { messageId, content, citations: visitorCitations(content, citations) };
      yield { type: 'done', reply };
    } else if (event.type !== 'sources') yield event;
  }
}
