import { type Context, transaction } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import type { Role } from '../generated/prisma/enums.ts';
import { newId } from '../ids.ts';
import { findMembership, type Member } from './members.ts';
import { requireOrganization } from './require-organization.ts';

interface MemberRef {
  readonly organizationId: string;
  /** In any case. */
  readonly email: string;
}

/**
 * Makes an operator with this address a member. The membership is taken up at the first sign-in with it.
 * Throws `CONFLICT` for a member, `FORBIDDEN` when an admin gives the role of an owner.
 */
export async function inviteMember(
  context: Context,
  input: MemberRef & { readonly role: Role },
): Promise<Member> {
  const { id: organizationId } = await requireManager(context, input.organizationId, [input.role]);
  const email = input.email.toLowerCase();
  const { count } = await context.db.member.createMany({
    data: { id: newId(), organizationId, email, role: input.role },
    skipDuplicates: true,
  });
  if (count === 0) throw new DomainError('CONFLICT', 'There is a member with this address already');
  return context.db.member.findUniqueOrThrow({
    where: { organizationId_email: { organizationId, email } },
  });
}

/** Gives a member another role. Throws `CONFLICT` for the last owner's. */
export async function updateMember(
  context: Context,
  input: MemberRef & { readonly role: Role },
): Promise<Member> {
  return changeMember(context, input, [input.role], ({ db }, { id, organizationId }) =>
    db.member.update({ where: { id, organizationId }, data: { role: input.role } }),
  );
}

/** Ends a membership. Throws `CONFLICT` for the last owner's. */
export async function removeMember(context: Context, input: MemberRef): Promise<Member> {
  return changeMember(context, input, [], ({ db }, { id, organizationId }) =>
    db.member.delete({ where: { id, organizationId } }),
  );
}

/** An organization that had owners keeps one: the check and the change lock the organization's row. */
async function changeMember(
  context: Context,
  { organizationId, email }: MemberRef,
  newRoles: readonly Role[],
  change: (context: Context, member: Member) => Promise<Member>,
): Promise<Member> {
  return transaction(context, async (context) => {
    const organization = await requireManager(context, organizationId, newRoles);
    await context.db
      .$executeRaw`select id from grounded.organizations where id = ${organization.id}::uuid for update`;
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
  });
}

/** An admin manages everyone but owners. */
async function requireManager(
  context: Context,
  organizationId: string,
  roles: readonly Role[],
): Promise<{ readonly id: string }> {
  const organization = await requireOrganization(context, organizationId, 'organization:manage');
  if (roles.includes('OWNER') && context.caller.type === 'operator') {
    const own = await findMembership(context, organization.id);
    if (own?.role !== 'OWNER') throw new DomainError('FORBIDDEN', 'Only an owner may do this');
  }
  return organization;
}
