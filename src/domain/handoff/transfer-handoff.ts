import { DomainError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { ConversationEventType } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import { assignHandoff } from './assign-handoff.ts';
import { recordConversationEvent } from './conversation-events.ts';
import { insertNote } from './conversation-notes.ts';
import type { Handoff } from './handoffs.ts';
import type { HandoffTarget } from './require-handoff-access.ts';
import { requireAssignee } from './resolve-agent.ts';
import { withLockedHandoff } from './with-locked-handoff.ts';

/**
 * Transfers a claimed handoff to another member, or assigns a requested handoff to a member. `to` is the member's
 * e-mail address (case is ignored). Any agent may do this, so that a handoff does not stay with an absent agent. `note`
 * becomes an internal note of the caller. If this member has already claimed the handoff, it is returned unchanged and
 * `note` is ignored.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the handoff or the member does not exist.
 * @throws DomainError CONFLICT when the handoff is resolved, the member's role cannot take handoffs, or the
 *   conversation
 * has 200 notes.
 */
export async function transferHandoff(
  context: Context,
  {
    to,
    note,
    ...target
  }: Omit<HandoffTarget, 'agent'> & { readonly to: string; readonly note?: string | null },
  query: Prisma.HandoffDefaultArgs = {},
): Promise<Handoff> {
  return withLockedHandoff(context, target, query, async (context, handoff, access) => {
    const { email } = await requireAssignee(context, access.organizationId, to);
    if (handoff.status === 'RESOLVED') {
      throw new DomainError('CONFLICT', 'The handoff is resolved');
    }
    if (handoff.status === 'CLAIMED' && handoff.claimedBy === email) return handoff;
    // Store the event before the note, so that the transcript shows the note below the event.
    await recordConversationEvent(context.db, access, {
      type: typeOf(handoff, access.operator, email),
      previousAgent: handoff.claimedBy,
      agent: email,
    });
    if (note != null) await insertNote(context.db, access, { id: newId(), content: note });
    return assignHandoff(context, handoff, access, email, query);
  });
}

function typeOf({ status }: Handoff, actor: string, agent: string): ConversationEventType {
  const isWaiting = status === 'REQUESTED';
  if (actor === agent) return isWaiting ? 'CLAIMED' : 'TAKEN_OVER';
  return isWaiting ? 'ASSIGNED' : 'TRANSFERRED';
}
