import type { MessageStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import { stopAnswer } from '../chat/runs/stop-answer.ts';
import type { Context } from '../context.ts';
import { requireVisitor, requireVisitorMessage } from './require-visitor.ts';

/**
 * Stops an answer to a visitor, keeps the partial text and returns the new status. A finished answer does not change.
 * @throws DomainError NOT_FOUND when the message is not in a conversation of the visitor
 */
export async function stopVisitorAnswer(
  context: Context,
  messageId: string,
): Promise<MessageStatus> {
  const { visitor, service } = requireVisitor(context);
  await requireVisitorMessage(context, visitor, messageId);
  return (await stopAnswer(service, { projectId: visitor.projectId, messageId })).status;
}
