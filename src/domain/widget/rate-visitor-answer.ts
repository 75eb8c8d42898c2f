import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { giveFeedback, type MessageFeedback } from '../feedback/give-feedback.ts';
import type { FeedbackRating } from '../generated/prisma/enums.ts';
import { isId } from '../ids.ts';
import { requireVisitor } from './require-visitor.ts';

/** Notes what a visitor thinks of an answer it was given. Throws `NOT_FOUND` for any other message. */
export async function rateVisitorAnswer(
  context: Context,
  { messageId, rating }: { readonly messageId: string; readonly rating: FeedbackRating },
): Promise<MessageFeedback> {
  const { visitor, service } = requireVisitor(context);
  const { projectId, endUserId } = visitor;
  const where = { id: messageId, projectId, conversation: { endUserId } };
  const isOwn = isId(messageId) && (await context.db.message.findFirst({ where })) !== null;
  if (!isOwn) throw notFound('Answer');
  return giveFeedback(service, { projectId, messageId, rating });
}
