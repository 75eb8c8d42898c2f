import type { Context } from '../context.ts';
import type { Prisma } from '../generated/prisma/client.ts';

export type Member = Prisma.MemberGetPayload<object>;

/** The operator's membership of an organization, or null for any other caller or organization. */
export async function findMembership(
  context: Context,
  organizationId: string,
): Promise<Member | null> {
  return context.db.member.findFirst({ where: { AND: [{ organizationId }, ownMembers(context)] } });
}

/** All memberships of the operator who asks, oldest first. */
export async function listMemberships(
  context: Context,
  query: Prisma.MemberDefaultArgs = {},
): Promise<Member[]> {
  return context.db.member.findMany({
    ...query,
    where: ownMembers(context),
    orderBy: { id: 'asc' },
  });
}

/** The filter of the operator's own rows: by user, or by the address of an invitation not yet taken up. */
function ownMembers({ caller }: Context): Prisma.MemberWhereInput {
  if (caller.type !== 'operator') return { id: { in: [] } };
  const byUser: Prisma.MemberWhereInput = { userId: caller.userId };
  if (caller.email === null) return byUser;
  return { OR: [byUser, { userId: null, email: caller.email.toLowerCase() }] };
}
