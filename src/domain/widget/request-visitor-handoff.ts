import type { Context } from '../context.ts';
import { requestHandoff } from '../handoff/request-handoff.ts';
import { requireOwnConversation, requireVisitor } from './require-visitor.ts';
import { getVisitorConversation, type VisitorConversation } from './visitor-conversation.ts';

/**
 * Requests a handoff for one of the visitor's conversations.
 * @throws DomainError NOT_FOUND when the conversation belongs to another visitor
 */
export async function requestVisitorHandoff(
  context: Context,
  input: {
    readonly conversationId: string;
    readonly name?: string | null;
    readonly email?: string | null;
    readonly reason?: string | null;
  },
): Promise<VisitorConversation> {
  const { visitor, service } = requireVisitor(context);
  await requireOwnConversation(context, visitor, input.conversationId);
  await requestHandoff(service, { ...input, projectId: visitor.projectId });
  return getVisitorConversation(context, input.conversationId);
}
