import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { VisitorCaller } from '../caller.ts';
import type { Context } from '../context.ts';
import type { Conversation } from '../conversations/conversations.ts';
import { requirePermission } from '../permissions.ts';

export interface VisitorContext {
  readonly visitor: VisitorCaller;
  /**
   * Context with the permissions of the service role. Use it only for resources that belong to the visitor for certain.
   * It is needed because visitors have only the permission `widget:use`. Row-level security still restricts this
   * context to the project's organization.
   */
  readonly service: Context;
}

/**
 * Requires a visitor as the caller.
 * @throws DomainError NOT_FOUND when the caller is the service role
 */
export function requireVisitor(context: Context): VisitorContext {
  const { caller } = context;
  requirePermission(caller, 'widget:use');
  if (caller.type !== 'visitor') throw notFound('Visitor');
  return { visitor: caller, service: { ...context, caller: { type: 'service' } } };
}

/**
 * Returns a conversation of the visitor.
 * @throws DomainError NOT_FOUND when the conversation belongs to another visitor
 */
export async function requireOwnConversation(
  { db }: Context,
  visitor: VisitorCaller,
  id: string,
): Promise<Conversation> {
  const where = { id, ...ownConversations(visitor) };
  const conversation = isId(id) ? await db.conversation.findFirst({ where }) : null;
  if (conversation === null) throw notFound('Conversation');
  return conversation;
}

/**
 * Requires a message in a conversation of the visitor.
 * @throws DomainError NOT_FOUND when the conversation belongs to another visitor
 */
export async function requireVisitorMessage(
  { db }: Context,
  visitor: VisitorCaller,
  id: string,
): Promise<void> {
  const where = { id, projectId: visitor.projectId, conversation: ownConversations(visitor) };
  if (!isId(id) || (await db.message.findFirst({ where })) === null) throw notFound('Answer');
}

/**
 * Returns the filter for the visitor's conversations. Verified and unverified end users with the same id are separate:
 * an id that the website signs never gives access to conversations of an anonymous visitor or of an API key.
 */
export function ownConversations({ projectId, endUserId, identityVersion }: VisitorCaller) {
  return { projectId, endUserId, isEndUserVerified: identityVersion !== null };
}
