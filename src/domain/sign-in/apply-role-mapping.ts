import { newId } from '../../platform/ids.ts';
import type { Role } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { AuditAction } from '../audit/audit-actions.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import type { Context } from '../context.ts';
import { noSignInLink } from '../organizations/manage-members.ts';
import type { Member } from '../organizations/members.ts';
import { operatorUserId } from '../organizations/operator-user-id.ts';

interface MappedOperator {
  readonly organizationId: string;
  readonly email: string;
  /** The role that the operator's groups give. Null if no group gives a role. */
  readonly role: Role | null;
}

/**
 * Gives the operator the role of their groups in the organization. If no group gives a role, undoes what an earlier
 * group gave: removes a membership that the mapping created, or restores the role that another membership had before.
 * The last owner stays an owner. `context.db` must be a transaction with the rights of the system. Locks the
 * organization, as other changes of members do.
 */
export async function applyRoleMapping(context: Context, operator: MappedOperator): Promise<void> {
  const { db, log } = context;
  const { organizationId, email, role } = operator;
  const found = await runSql(db, lockOrganization, [organizationId]);
  if (found.length === 0) {
    log.error({ organizationId }, 'OIDC_ORGANIZATION is not the id of an organization');
    return;
  }
  const where = { organizationId_email: { organizationId, email } };
  const member = await db.member.findUnique({ where });
  if (role === null) {
    if (member?.isMapped) await takeBack(context, member);
  } else if (member === null) {
    await join(context, { organizationId, email, role });
  } else {
    await update(context, member, role);
  }
}

const lockOrganization = 'select id from grounded.organizations where id = $1::uuid for update';

async function join(
  context: Context,
  { organizationId, email, role }: MappedOperator & { readonly role: Role },
): Promise<void> {
  const userId = operatorUserId(email);
  const data = { id: newId(), organizationId, email, role, userId, isMapped: true };
  const member = await context.db.member.create({ data });
  await audit(context, 'MEMBER_JOINED', member, { role });
}

async function update(context: Context, member: Member, role: Role): Promise<void> {
  if (member.userId === null) return acceptExpired(context, member, role);
  if (member.isMapped && member.role === role) return;
  if (await isLastOwner(context, member, role)) return;
  const roleByHand = member.isMapped ? member.roleByHand : member.role;
  await change(context, member, { role, isMapped: true, roleByHand });
}

/** Open invitations were accepted before, so this invitation has expired. The group's role replaces it. */
async function acceptExpired(context: Context, member: Member, role: Role): Promise<void> {
  const { id, organizationId, email } = member;
  const data = {
    role,
    userId: operatorUserId(email),
    isMapped: true,
    invitationHash: null,
    invitationExpiresAt: null,
  };
  await context.db.member.update({ where: { id, organizationId }, data });
  await audit(context, 'MEMBER_JOINED', member, { role });
}

async function takeBack(context: Context, member: Member): Promise<void> {
  const { id, organizationId, roleByHand: role } = member;
  if (await isLastOwner(context, member, role)) return;
  if (role !== null) {
    return change(context, member, { role, isMapped: false, roleByHand: null });
  }
  await audit(context, 'MEMBER_REMOVED', member, { oldRole: member.role });
  await context.db.member.delete({ where: { id, organizationId } });
}

async function change(
  context: Context,
  member: Member,
  data: Pick<Member, 'role' | 'isMapped' | 'roleByHand'>,
): Promise<void> {
  const { id, organizationId, role: oldRole } = member;
  await context.db.member.update({
    where: { id, organizationId },
    data: { ...data, ...(data.role !== oldRole && noSignInLink) },
  });
  if (data.role !== oldRole)
    await audit(context, 'MEMBER_UPDATED', member, { role: data.role, oldRole });
}

/**
 * Returns whether the new role would leave the organization without an owner who has joined. Invited owners do not
 * count.
 */
async function isLastOwner(
  { db, log }: Context,
  member: Member,
  role: Role | null,
): Promise<boolean> {
  const { id, organizationId } = member;
  if (member.role !== 'OWNER' || role === 'OWNER') return false;
  const others = { organizationId, role: 'OWNER', userId: { not: null }, id: { not: id } } as const;
  if ((await db.member.count({ where: others })) > 0) return false;
  log.warn({ organizationId, memberId: id }, 'the last owner lost the group, and stays owner');
  return true;
}

/**
 * Records the change with the service as the actor, because the identity provider made the decision and not the
 * operator.
 */
function audit(
  context: Context,
  action: AuditAction,
  { id, organizationId, email }: Member,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const target = { type: 'MEMBER', id, name: email } as const;
  const entry = { organizationId, action, target, change: { ...change, by: 'OIDC groups' } };
  return recordAuditEntry(context, entry);
}
