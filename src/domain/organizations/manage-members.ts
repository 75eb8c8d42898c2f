import { DomainError, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Role } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import { findMembership, type Member } from './members.ts';
import { type Organization, requireOrganization } from './require-organization.ts';

export interface MemberRef {
  readonly organizationId: string;
  /** E-mail address. Ignores case. */
  readonly email: string;
}

/**
 * Invites an operator by e-mail address. The operator accepts the invitation at the first sign-in with this address.
 * The invitation has no link and does not expire.
 * @throws DomainError CONFLICT when the address is already a member, or 50 invitations are pending
 * @throws DomainError FORBIDDEN when the caller is not an owner but invites an owner
 */
export async function inviteMember(
  context: Context,
  input: MemberRef & { readonly role: Role },
): Promise<Member> {
  const { id: organizationId } = await requireManager(context, input.organizationId, [input.role]);
  const email = input.email.toLowerCase();
  return transaction(context, async (context) => {
    await requireRoom(context, organizationId);
    const { count } = await context.db.member.createMany({
      data: { id: newId(), organizationId, email, role: input.role },
      skipDuplicates: true,
    });
    if (count === 0) throw new DomainError('CONFLICT', 'A member with this address already exists');
    const member = await context.db.member.findUniqueOrThrow({
      where: { organizationId_email: { organizationId, email } },
    });
    await auditMember(context, 'MEMBER_INVITED', member, { role: input.role });
    return member;
  });
}

/**
 * Changes the role of a member. If the member has an open sign-in link, it stops working: its creator may not be
 * allowed to give the new role. If the member becomes an owner, a database trigger ends the sessions that earlier links
 * have started.
 * @throws DomainError CONFLICT when the member is the last owner, or when an invitation with a link would become an
 *   invitation of an owner
 */
export async function updateMember(
  context: Context,
  input: MemberRef & { readonly role: Role },
): Promise<Member> {
  const { role } = input;
  return changeMember(context, input, { newRoles: [role] }, async (context, member) => {
    const { id, organizationId } = member;
    requireNoOwnerLink(member, role);
    await auditMember(context, 'MEMBER_UPDATED', member, { role, oldRole: member.role });
    const data = {
      role,
      ...(member.roleByHand !== null && { roleByHand: role }),
      ...noSignInLink,
    };
    return context.db.member.update({ where: { id, organizationId }, data });
  });
}

/**
 * Removes a member. `query` selects relations, which are read before the deletion.
 * @throws DomainError CONFLICT when the member is the last owner
 */
export async function removeMember(
  context: Context,
  input: MemberRef,
  query: Prisma.MemberDefaultArgs = {},
): Promise<Member> {
  return changeMember(context, input, { isRemoval: true }, async (context, member) => {
    const { id, organizationId } = member;
    await auditMember(context, 'MEMBER_REMOVED', member, { oldRole: member.role });
    return context.db.member.delete({ ...query, where: { id, organizationId } });
  });
}

/** Column values that make the sign-in link of a member stop working. */
export const noSignInLink = { signInHash: null, signInExpiresAt: null } as const;

const maxPendingInvitations = 50;

/**
 * Requires that the organization may have another pending invitation. Locks the organization, so that concurrent
 * invitations are counted. The service itself has no limit, so that it can import members.
 * @throws DomainError CONFLICT
 */
export async function requireRoom(context: Context, organizationId: string): Promise<void> {
  await runSql(context.db, lockOrganization, [organizationId]);
  if (context.caller.type === 'service') return;
  const pending = await context.db.member.count({ where: { organizationId, userId: null } });
  if (pending < maxPendingInvitations) return;
  const reason = `${maxPendingInvitations} invitations are pending: revoke those that nobody will accept`;
  throw new DomainError('CONFLICT', reason);
}

/** Records a change of a member in the audit log. Call it in the transaction of the change. */
export function auditMember(
  context: Context,
  action:
    | 'MEMBER_INVITED'
    | 'INVITATION_RENEWED'
    | 'INVITATION_REVOKED'
    | 'MEMBER_UPDATED'
    | 'MEMBER_REMOVED'
    | 'SIGN_IN_LINK_CREATED',
  { id, organizationId, email }: Member,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const target = { type: 'MEMBER', id, name: email } as const;
  return recordAuditEntry(context, { organizationId, action, target, change });
}

/**
 * Refuses the role of owner for an invitation with a link. Admins may have seen the link, but only owners may invite
 * owners.
 */
function requireNoOwnerLink({ invitationHash }: Member, role: Role): void {
  if (invitationHash === null || role !== 'OWNER') return;
  throw new DomainError('CONFLICT', 'The invitation is open: revoke it and invite an owner');
}

/**
 * Runs `change` on a member. Locks the organization's row until the transaction finishes, so that concurrent changes
 * cannot remove the last owner.
 */
export async function changeMember<Result>(
  context: Context,
  { organizationId, email }: MemberRef,
  { newRoles = [], isRemoval = false }: { newRoles?: readonly Role[]; isRemoval?: boolean },
  change: (context: Context, member: Member) => Promise<Result>,
): Promise<Result> {
  return transaction(
    context,
    async (context) => {
      const organization = await requireManager(context, organizationId, newRoles);
      await runSql(context.db, lockOrganization, [organization.id]);
      const member = await context.db.member.findUnique({
        where: {
          organizationId_email: { organizationId: organization.id, email: email.toLowerCase() },
        },
      });
      if (member === null) throw notFound('Member');
      await requireManager(context, organizationId, [member.role]);

      const changed = await change(context, member);
      const owners = { organizationId: organization.id, role: 'OWNER' } as const;
      if (member.role === 'OWNER' && (await context.db.member.count({ where: owners })) === 0) {
        throw new DomainError('CONFLICT', 'The last owner cannot be removed or given another role');
      }
      return changed;
    },
    { isRemoval },
  );
}

const lockOrganization = 'select id from grounded.organizations where id = $1::uuid for update';

/** Requires the permission to manage members. Only owners may invite, change or remove owners. */
export async function requireManager(
  context: Context,
  organizationId: string,
  roles: readonly Role[],
): Promise<Organization> {
  const organization = await requireOrganization(context, organizationId, 'organization:manage');
  if (roles.includes('OWNER') && context.caller.type === 'operator') {
    const own = await findMembership(context, organization.id);
    if (own?.role !== 'OWNER') throw new DomainError('FORBIDDEN', 'Only an owner may do this');
  }
  return organization;
}
