import { DomainError } from '../../platform/errors.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { assignHandoff } from './assign-handoff.ts';
import type { Handoff } from './handoffs.ts';
import type { HandoffTarget } from './require-handoff-access.ts';
import { requireAssignee } from './resolve-agent.ts';
import { withLockedHandoff } from './with-locked-handoff.ts';

/**
 * Transfers a claimed handoff to another member. `to` is the member's e-mail address, case-insensitive. Any agent may
 * transfer, so that a handoff does not stay with an absent agent. A handoff already claimed by this member is returned
 * unchanged.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the handoff or the member does not exist.
 * @throws DomainError CONFLICT when the handoff is not claimed, or the member's role cannot take handoffs.
 */
export async function transferHandoff(
  context: Context,
  { to, ...target }: Omit<HandoffTarget, 'agent'> & { readonly to: string },
  query: Prisma.HandoffDefaultArgs = {},
): Promise<Handoff> {
  return withLockedHandoff(context, target, query, async (context, handoff, access) => {
    const { email } = await requireAssignee(context, access.organizationId, to);
    if (handoff.status !== 'CLAIMED') {
      throw new DomainError('CONFLICT', 'Only a claimed handoff can be transferred');
    }
    if (handoff.claimedBy === email) return handoff;
    return assignHandoff(context, handoff, access, email, query);
  });
}
