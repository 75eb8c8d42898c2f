import { DomainError, notFound } from '../../platform/errors.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { roleHasPermission } from '../caller.ts';
import type { Context } from '../context.ts';
import type { Member } from '../organizations/members.ts';
import { assignHandoff } from './assign-handoff.ts';
import type { Handoff } from './handoffs.ts';
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
  { handoffId, to }: { readonly handoffId: string; readonly to: string },
  query: Prisma.HandoffDefaultArgs = {},
): Promise<Handoff> {
  return withLockedHandoff(context, handoffId, query, async (context, handoff, access) => {
    const { email } = await requireAssignee(context, access.organizationId, to);
    if (handoff.status !== 'CLAIMED') {
      throw new DomainError('CONFLICT', 'Only a claimed handoff can be transferred');
    }
    if (handoff.claimedBy === email) return handoff;
    return assignHandoff(context, handoff, access, email, query);
  });
}

async function requireAssignee(
  { db }: Context,
  organizationId: string,
  address: string,
): Promise<Member> {
  const email = address.toLowerCase();
  const where = { organizationId_email: { organizationId, email } };
  const member = await db.member.findUnique({ where });
  if (member === null) throw notFound('Member');
  if (!roleHasPermission(member.role, 'handoffs:work')) {
    const message = `A member with the role ${member.role} cannot take a handoff`;
    throw new DomainError('CONFLICT', message);
  }
  return member;
}
