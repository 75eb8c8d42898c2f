import { roleHas } from '../caller.ts';
import type { Context } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Member } from '../organizations/members.ts';
import { assignHandoff } from './assign-handoff.ts';
import { changeHandoff } from './change-handoff.ts';
import type { Handoff } from './handoffs.ts';

/**
 * Gives a claimed handoff to another member of the team; `to` is the e-mail address, in any case. Everyone who works
 * on handoffs may do so, lest one stay with somebody who is away. One that the member has is given back as it is.
 * Throws what `requireProject` throws, `NOT_FOUND` for the handoff or the member, and `CONFLICT` for a handoff that
 * nobody has or a member who may not work on it.
 */
export async function transferHandoff(
  context: Context,
  { handoffId, to }: { readonly handoffId: string; readonly to: string },
  query: Prisma.HandoffDefaultArgs = {},
): Promise<Handoff> {
  return changeHandoff(context, handoffId, query, async (context, handoff, work) => {
    const { email } = await requireColleague(context, work.organizationId, to);
    if (handoff.status !== 'CLAIMED') {
      throw new DomainError('CONFLICT', 'Only a claimed handoff can be transferred');
    }
    if (handoff.claimedBy === email) return handoff;
    return assignHandoff(context, handoff, work, email, query);
  });
}

async function requireColleague(
  { db }: Context,
  organizationId: string,
  address: string,
): Promise<Member> {
  const email = address.toLowerCase();
  const where = { organizationId_email: { organizationId, email } };
  const member = await db.member.findUnique({ where });
  if (member === null) throw notFound('Member');
  if (!roleHas(member.role, 'handoffs:work')) {
    const message = `A member with the role ${member.role} cannot take a handoff`;
    throw new DomainError('CONFLICT', message);
  }
  return member;
}
