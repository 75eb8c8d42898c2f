import type { ConversationStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import type { VisitorCaller } from '../caller.ts';
import type { ChatEvent } from '../chat/chat-event.ts';
import type { EndUserContact } from '../chat/chat-input.ts';
import { streamAnswer } from '../chat/stream-answer.ts';
import type { Context } from '../context.ts';
import { readWhileAuthorized } from '../subscriptions/read-while-authorized.ts';
import { reauthorizeVisitor } from './authenticate-widget-request.ts';
import { ownConversations, requireOwnConversation, requireVisitor } from './require-visitor.ts';
import { parseVisitorAttributes } from './visitor-attributes.ts';
import { type VisitorCitation, visitorCitations } from './visitor-citations.ts';
import { type Surroundings, storeSurroundings } from './visitor-surroundings.ts';

/** Event of an answer to a visitor. The order is `meta`, any number of `delta`, then `done` or `error`. */
export type VisitorChatEvent =
  | Extract<ChatEvent, { readonly type: 'meta' | 'delta' | 'error' }>
  | { readonly type: 'done'; readonly reply: VisitorReply };

export interface VisitorReply {
  readonly messageId: string;
  readonly content: string;
  readonly citations: readonly VisitorCitation[];
  /** Status after the answer, because the answer itself may have requested a handoff. */
  readonly conversationStatus: ConversationStatus;
}

/**
 * Answers a visitor in one of the visitor's conversations or in a new conversation. The answer is completed and stored
 * even if the visitor leaves the page. Stores name and e-mail address only for a verified visitor. Other visitors enter
 * them when they request a handoff.
 * @throws DomainError from `parseVisitorAttributes` and `streamAnswer`
 */
export async function* answerVisitor(
  context: Context,
  input: {
    readonly message: string;
    readonly conversationId?: string | null;
    readonly name?: string | null;
    readonly email?: string | null;
    /** What the website says of the visitor, as `parseVisitorAttributes` accepts it. Not verified. */
    readonly attributes?: unknown;
  } & Omit<Surroundings, 'attributes'>,
): AsyncGenerator<VisitorChatEvent, void, undefined> {
  const { visitor, service } = requireVisitor(context);
  const { message, conversationId } = input;
  const attributes = parseVisitorAttributes(input.attributes);
  const verifiedEndUser = contactOf(visitor, input);
  if (conversationId != null)
    await updateContact(context, visitor, conversationId, verifiedEndUser);
  const { projectId, endUserId } = visitor;
  const question = {
    projectId,
    endUserId,
    verifiedEndUser,
    message,
    conversationId,
    resumable: true,
  };
  const authorize = () => reauthorizeVisitor(context, visitor);
  const events = readWhileAuthorized(context, authorize, (signal) =>
    streamAnswer({ ...service, signal }, question),
  );
  let stored = Promise.resolve();
  for await (const event of events) {
    if (event.type === 'meta') {
      // Not awaited here, so that the answer does not wait for it.
      const surroundings = { ...input, attributes };
      stored = storeSurroundings(context, visitor, event.conversationId, surroundings).catch(
        (error: unknown) => context.log.warn({ err: error }, "a visitor's page was not stored"),
      );
    }
    if (event.type === 'done') {
      await stored;
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

/** Returns the contact data of a verified visitor. Returns null for an anonymous visitor. */
function contactOf(
  { identityVersion }: VisitorCaller,
  { name, email }: { readonly name?: string | null; readonly email?: string | null },
): EndUserContact | null {
  return identityVersion === null ? null : { name: name || null, email: email || null };
}

/**
 * Stores the name or e-mail address of a verified visitor in the conversation if one of them has changed. If the page
 * gives neither, the contact from a handoff stays.
 * @throws DomainError NOT_FOUND when the conversation belongs to another visitor
 */
async function updateContact(
  context: Context,
  visitor: VisitorCaller,
  id: string,
  contact: EndUserContact | null,
): Promise<void> {
  const { endUserName, endUserEmail } = await requireOwnConversation(context, visitor, id);
  if (contact === null || (contact.name === null && contact.email === null)) return;
  if (contact.name === endUserName && contact.email === endUserEmail) return;
  await context.db.conversation.updateMany({
    where: { id, ...ownConversations(visitor) },
    data: { endUserName: contact.name, endUserEmail: contact.email },
  });
}
