import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';

export type Member = Prisma.MemberGetPayload<object>;

/**
 * Returns the operator's membership of an organization, or null if the caller is not an operator or not a member.
 * Accepts an open invitation to the operator's address. The membership then belongs to the user, even if the user's
 * address changes.
 */
export async function findMembership(
  context: Context,
  organizationId: string,
): Promise<Member | null> {
  const find = () =>
    context.db.member.findFirst({
      where: { AND: [{ organizationId }, ownMembershipFilter(context)] },
    });
  const member = await find();
  if (member !== null) return member;
  return (await acceptInvitations(context, { organizationId })) ? find() : null;
}

/** Returns all memberships of the calling operator, oldest first. Accepts invitations to the operator's address. */
export async function listMemberships(
  context: Context,
  query: Prisma.MemberDefaultArgs = {},
): Promise<Member[]> {
  await acceptInvitations(context, {});
  return context.db.member.findMany({
    ...query,
    where: ownMembershipFilter(context),
    orderBy: { id: 'asc' },
  });
}

/** Returns the Prisma filter for the caller's own memberships. It does not match invitations: accept them before. */
export function ownMembershipFilter({ caller }: Context): Prisma.MemberWhereInput {
  return caller.type === 'operator' ? { userId: caller.userId } : { id: { in: [] } };
}

/**
 * Accepts open invitations to the caller's address. Skips organizations of which the caller is already a member.
 * Returns false if the caller is not an operator with a verified address.
 */
async function acceptInvitations(
  { caller, db }: Context,
  where: Prisma.MemberWhereInput,
): Promise<boolean> {
  if (caller.type !== 'operator' || caller.email === null) return false;
  const { userId, email } = caller;
  await db.member.updateMany({
    where: {
      ...where,
      userId: null,
      email: email.toLowerCase(),
      organization: { members: { none: { userId } } },
    },
    data: { userId },
  });
  return true;
}
