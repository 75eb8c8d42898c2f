import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Context } from '../context.ts';
import { type HandoffRating, rateHandoff } from '../handoff/rate-handoff.ts';
import type { HandoffSatisfaction } from '../handoff/satisfaction-window.ts';
import { ownConversations, requireVisitor } from './require-visitor.ts';

/**
 * Rates the agent who resolved a handoff of one of the visitor's conversations.
 * @throws DomainError from `rateHandoff`
 * @throws DomainError NOT_FOUND when the handoff does not belong to a conversation of the visitor
 */
export async function rateVisitorHandoff(
  context: Context,
  input: Omit<HandoffRating, 'projectId'>,
): Promise<HandoffSatisfaction> {
  const { visitor, service } = requireVisitor(context);
  const { projectId } = visitor;
  const { handoffId: id } = input;
  const where = { id, projectId, conversation: ownConversations(visitor) };
  if (!isId(id) || (await context.db.handoff.findFirst({ where })) === null) {
    throw notFound('Handoff');
  }
  return rateHandoff(service, { ...input, projectId });
}
