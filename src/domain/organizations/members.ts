import type { Context } from '../context.ts';
import type { Prisma } from '../generated/prisma/client.ts';

export type Member = Prisma.MemberGetPayload<object>;

/**
 * The operator's membership of an organization, or null for any other caller or organization. An invitation to the
 * operator's address is taken up: from now on it belongs to the user, whatever becomes of the address.
 */
export async function findMembership(
  context: Context,
  organizationId: string,
): Promise<Member | null> {
  const find = () =>
    context.db.member.findFirst({ where: { AND: [{ organizationId }, ownMembers(context)] } });
  const member = await find();
  if (member !== null) return member;
  return (await takeUpInvitations(context, { organizationId })) ? find() : null;
}

/** All memberships of the operator who asks, oldest first; invitations to the operator's address are taken up. */
export async function listMemberships(
  context: Context,
  query: Prisma.MemberDefaultArgs = {},
): Promise<Member[]> {
  await takeUpInvitations(context, {});
  return context.db.member.findMany({
    ...query,
    where: ownMembers(context),
    orderBy: { id: 'asc' },
  });
}

/** The filter of the operator's own rows, once invitations have been taken up. */
export function ownMembers({ caller }: Context): Prisma.MemberWhereInput {
  return caller.type === 'operator' ? { userId: caller.userId } : { id: { in: [] } };
}

/** False where there can be none. Nobody gets a second membership of an organization. */
async function takeUpInvitations(
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
