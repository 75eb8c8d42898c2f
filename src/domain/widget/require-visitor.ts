import { requirePermission, type VisitorCaller } from '../caller.ts';
import type { Context } from '../context.ts';
import type { Conversation } from '../conversations/conversations.ts';
import { notFound } from '../errors.ts';
import { isId } from '../ids.ts';

export interface VisitorsContext {
  readonly visitor: VisitorCaller;
  /**
   * For what has been found to be the visitor's own: the verbs of the service, none of which a visitor may call. It
   * sees the rows of the project's organization alone, as the visitor does.
   */
  readonly service: Context;
}

/** Refuses everybody but visitors. Throws `NOT_FOUND` for the service role, which is no visitor. */
export function requireVisitor(context: Context): VisitorsContext {
  const { caller } = context;
  requirePermission(caller, 'widget:use');
  if (caller.type !== 'visitor') throw notFound('Visitor');
  return { visitor: caller, service: { ...context, caller: { type: 'service' } } };
}

/** A conversation of the visitor's own. Throws `NOT_FOUND` for any other. */
export async function requireOwnConversation(
  { db }: Context,
  { projectId, endUserId }: VisitorCaller,
  id: string,
): Promise<Conversation> {
  const where = { id, projectId, endUserId };
  const conversation = isId(id) ? await db.conversation.findFirst({ where }) : null;
  if (conversation === null) throw notFound('Conversation');
  return conversation;
}

/** A message in a conversation of the visitor's own. Throws `NOT_FOUND` for any other. */
export async function requireOwnAnswer(
  { db }: Context,
  { projectId, endUserId }: VisitorCaller,
  id: string,
): Promise<void> {
  const where = { id, projectId, conversation: { endUserId } };
  if (!isId(id) || (await db.message.findFirst({ where })) === null) throw notFound('Answer');
}
