import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { notifyActivitySql } from './notify-activity.ts';
import { requireConversationAccess } from './require-handoff-access.ts';

export interface TypingSignal {
  readonly conversationId: string;
  /** Project that the conversation must belong to. */
  readonly projectId?: string | null;
  /** E-mail address of the member in whose name an API key acts. */
  readonly agent?: string | null;
  /** False ends the signal at once. Default: true. */
  readonly isTyping?: boolean | null;
}

/** Clients signal every three seconds while somebody types, so a signal may be late once. */
export const typingLifetimeMs = 6_500;

/**
 * Signals for a few seconds that an agent types a reply. The other agents see the name. The end user sees no name, and
 * only the signal of the agent who owns the conversation. Nothing is stored. Returns false, without a signal, if no
 * agent owns the conversation.
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
