import type { FeedbackRating } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import { giveFeedback, type MessageFeedback } from '../feedback/give-feedback.ts';
import { requireVisitor, requireVisitorMessage } from './require-visitor.ts';

/**
 * Rates an answer in one of the visitor's conversations.
 * @throws DomainError NOT_FOUND when the message is not in a conversation of the visitor
 */
export async function rateVisitorAnswer(
  context: Context,
  { messageId, rating }: { readonly messageId: string; readonly rating: FeedbackRating },
): Promise<MessageFeedback> {
  const { visitor, service } = requireVisitor(context);
  await requireVisitorMessage(context, visitor, messageId);
  return giveFeedback(service, { projectId: visitor.projectId, messageId, rating });
}
