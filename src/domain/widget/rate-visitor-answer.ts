import type { Context } from '../context.ts';
import { giveFeedback, type MessageFeedback } from '../feedback/give-feedback.ts';
import type { FeedbackRating } from '../generated/prisma/enums.ts';
import { requireOwnAnswer, requireVisitor } from './require-visitor.ts';

/** Notes what a visitor thinks of an answer it was given. Throws `NOT_FOUND` for any other message. */
export async function rateVisitorAnswer(
  context: Context,
  { messageId, rating }: { readonly messageId: string; readonly rating: FeedbackRating },
): Promise<MessageFeedback> {
  const { visitor, service } = requireVisitor(context);
  await requireOwnAnswer(context, visitor, messageId);
  return giveFeedback(service, { projectId: visitor.projectId, messageId, rating });
}
