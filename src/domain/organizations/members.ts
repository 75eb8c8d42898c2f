import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { shorten } from '../audit/record-audit-entry.ts';
import type { Context } from '../context.ts';

export type Member = Prisma.MemberGetPayload<object>;

/**
 * Returns the operator's membership of an organization, or null if the caller is not an operator or not a member. If
 * the operator's address has an open invitation, accepts it first. The membership then belongs to the user, even if the
 * user's address changes later.
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
  return (await acceptInvitations(context, organizationId)) ? find() : null;
}

/**
 * Returns all memberships of the calling operator, oldest first. Accepts open invitations to the operator's address
 * first.
 */
export async function listMemberships(
  context: Context,
  query: Prisma.MemberDefaultArgs = {},
): Promise<Member[]> {
  await acceptInvitations(context, null);
  return context.db.member.findMany({
    ...query,
    where: ownMembershipFilter(context),
    orderBy: { id: 'asc' },
  });
}

/**
 * Returns the Prisma filter for the caller's own memberships. The filter does not match invitations, so accept them
 * first.
 */
export function ownMembershipFilter({ caller }: Context): Prisma.MemberWhereInput {
  if (caller.type !== 'operator') return { id: { in: [] } };
  const { userId, organizationIds } = caller;
  return { userId, ...(organizationIds && { organizationId: { in: [...organizationIds] } }) };
}

/** Accepts open invitations to the caller's address. Returns false if the caller is not an operator with a verified address. */
async function acceptInvitations(
  { caller, db, origin, requestId }: Context,
  organizationId: string | null,
): Promise<boolean> {
  if (caller.type !== 'operator' || caller.email === null) return false;
  const { userId, email, organizationIds = null } = caller;
  const invited = { userId, email, organizationId, organizationIds };
  await acceptInvitationsOf(db, invited, { origin, requestId });
  return true;
}

/**
 * Accepts open invitations to the verified address of an operator, and records this in the audit log. Skips expired
 * invitations, and organizations in which the operator is already a member. Uses a single statement, because the caller
 * may be in a transaction.
 */
export async function acceptInvitationsOf(
  db: Prisma.TransactionClient,
  invited: {
    readonly userId: string;
    readonly email: string;
    /** Id of the organization whose invitation is accepted. Null: all organizations. */
    readonly organizationId: string | null;
    /** Organizations that the session is limited to. Null if it is not limited. */
    readonly organizationIds: readonly string[] | null;
  },
  { origin, requestId }: Pick<Context, 'origin' | 'requestId'>,
): Promise<void> {
  await runSql(
    db,
    `with joined as (
       update grounded.members member
       set user_id = $1::uuid, invitation_hash = null, invitation_expires_at = null
       where email = lower($2) and user_id is null and ($3::uuid is null or organization_id = $3::uuid)
         and ($7::text[] is null or organization_id = any ($7::text[]::uuid[]))
         and (invitation_expires_at is null or invitation_expires_at > now())
         and not exists (
           select from grounded.members own
           where own.organization_id = member.organization_id and own.user_id = $1::uuid)
       returning id, organization_id, email
     )
     insert into grounded.audit_entries (organization_id, action, actor_type, actor_id, actor_name, target_type,
       target_id, target_name, ip_address, user_agent, request_id)
     select organization_id, 'MEMBER_JOINED', 'OPERATOR', $1, email, 'MEMBER', id::text, email, $4, $5, $6 from joined`,
    [
      invited.userId,
      invited.email,
      invited.organizationId,
      origin.ipAddress,
      shorten(origin.userAgent),
      requestId,
      invited.organizationIds,
    ],
  );
}
