import { DomainError } from '../../platform/errors.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { assignHandoff } from './assign-handoff.ts';
import { recordConversationEvent } from './conversation-events.ts';
import type { Handoff } from './handoffs.ts';
import type { HandoffTarget } from './require-handoff-access.ts';
import { withLockedHandoff } from './with-locked-handoff.ts';

/**
 * Claims a handoff. The agent takes over the conversation, and the assistant stops answering in it. The agent is the
 * caller or, if the caller is an API key, the member that the key names. If the same agent has already claimed the
 * handoff, it is returned unchanged. `query` selects relations.
 *
 * @throws DomainError from `requireProject` and `resolveAgent`.
 * @throws DomainError NOT_FOUND when the handoff does not exist.
 * @throws DomainError CONFLICT when another agent has claimed the handoff, or it is resolved.
 */
export async function claimHandoff(
  context: Context,
  target: HandoffTarget,
  query: Prisma.HandoffDefaultArgs = {},
): Promise<Handoff> {
  return withLockedHandoff(context, target, query, async (context, handoff, access) => {
    switch (handoff.status) {
      case 'REQUESTED':
        await recordConversationEvent(context.db, access, {
          type: 'CLAIMED',
          previousAgent: null,
          agent: access.operator,
        });
        return assignHandoff(context, handoff, access, access.operator, query);
      case 'CLAIMED':
        if (handoff.claimedBy === access.operator) return handoff;
        throw new DomainError('CONFLICT', 'Another agent has claimed the handoff');
      case 'RESOLVED':
        throw new DomainError('CONFLICT', 'The handoff is resolved');
    }
  });
}
