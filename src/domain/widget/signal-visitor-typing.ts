import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { notifyActivitySql } from '../handoff/notify-activity.ts';
import { typingLifetimeMs } from '../handoff/signal-typing.ts';
import { requireOwnConversation, requireVisitor } from './require-visitor.ts';

/**
 * Signals to the team for a few seconds that the visitor is typing. Stores nothing. If no agent owns the conversation,
 * no person waits for the text, so it sends no signal and returns false.
 *
 * @throws DomainError NOT_FOUND when the conversation belongs to another visitor
 */
export async function signalVisitorTyping(
  context: Context,
  input: { readonly conversationId: string; readonly isTyping?: boolean | null },
): Promise<boolean> {
  const { visitor } = requireVisitor(context);
  const { id, projectId, status } = await requireOwnConversation(
    context,
    visitor,
    input.conversationId,
  );
  if (status !== 'HUMAN') return false;
  const lifetimeMs = input.isTyping === false ? 0 : typingLifetimeMs;
  await runSql(context.pool, notifyTyping, [projectId, id, null, 'TYPING', '', lifetimeMs]);
  return true;
}

const notifyTyping = {
  name: 'notify-visitor-typing',
  text: `select ${notifyActivitySql({ isOwner: 'false' })}`,
};
