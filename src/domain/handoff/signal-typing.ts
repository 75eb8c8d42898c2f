import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { notifyActivitySql } from './notify-activity.ts';
import { requireConversationAccess } from './require-handoff-access.ts';

export interface TypingSignal {
  readonly conversationId: string;
  /** Project that the conversation must belong to. */
  readonly projectId?: string | null;
  /** E-mail address of the member for whom an API key acts. */
  readonly agent?: string | null;
  /** If false, ends the signal immediately. Default: true. */
  readonly isTyping?: boolean | null;
}

/** Clients send a signal every three seconds while an agent types. This lifetime tolerates one late signal. */
export const typingLifetimeMs = 6_500;

/**
 * Signals for a few seconds that an agent is typing a reply. The other agents see the agent's name. The end user sees
 * no name, and sees only the signal of the agent who owns the conversation. Stores nothing. If no agent owns the
 * conversation, sends no signal and returns false.
 *
 * @throws DomainError from `requireProject` and `resolveAgent`.
 * @throws DomainError NOT_FOUND when the conversation does not exist.
 */
export async function signalTyping(
  context: Context,
  { isTyping, ...target }: TypingSignal,
): Promise<boolean> {
  const { projectId, conversationId, operator } = await requireConversationAccess(context, target);
  const lifetimeMs = isTyping === false ? 0 : typingLifetimeMs;
  const values = [projectId, conversationId, operator, 'TYPING', '', lifetimeMs];
  return (await runSql(context.pool, notifyTyping, values)).length > 0;
}

const notifyTyping = {
  name: 'notify-agent-typing',
  text: `
    select ${notifyActivitySql({ isOwner: 'handoff.claimed_by = $3' })}
    from grounded.handoffs handoff
    where handoff.project_id = $1::uuid and handoff.conversation_id = $2::uuid and handoff.status = 'CLAIMED'`,
};
