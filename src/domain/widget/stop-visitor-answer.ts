import { stopAnswer } from '../chat/stop-answer.ts';
import type { Context } from '../context.ts';
import type { MessageStatus } from '../generated/prisma/enums.ts';
import { requireOwnAnswer, requireVisitor } from './require-visitor.ts';

/**
 * Ends an answer to a visitor with what there is of it, and gives its status then. One that has ended already is left
 * as it is. Throws `NOT_FOUND` for any other message.
 */
export async function stopVisitorAnswer(
  context: Context,
  messageId: string,
): Promise<MessageStatus> {
  const { visitor, service } = requireVisitor(context);
  await requireOwnAnswer(context, visitor, messageId);
  return (await stopAnswer(service, { projectId: visitor.projectId, messageId })).status;
}
