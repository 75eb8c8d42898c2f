import { DomainError, notFound } from '../../platform/errors.ts';
import { hashSecret } from '../../platform/hash-secret.ts';
import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Role } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { generateSecret } from '../../platform/secrets/generate-secret.ts';
import { type Context, transaction } from '../context.ts';
import { invitationMail } from './invitation-mail.ts';
import {
  type LinkMailState,
  linkOf,
  mailLink,
  requireWithinLinkRate,
  senderOf,
} from './link-delivery.ts';
import { auditMember, type MemberRef, requireManager, requireRoom } from './manage-members.ts';
import type { Member } from './members.ts';
import type { Organization } from './require-organization.ts';

/** A new link of an invitation. Only a hash of its secret is stored. */
export interface NewInvitation {
  readonly member: Member;
  /** Starts with the public address of the service. If no public address is configured, this is only the path. */
  readonly link: string;
  readonly mail: LinkMailState;
}

const invitationLifetimeMs = 7 * 24 * 3_600_000;

/**
 * Invites an operator with a link, which is valid for 7 days. If the service has a mail server, also sends the link by
 * e-mail. Every person who opens the link can accept the invitation.
 * @throws DomainError CONFLICT when the address is already a member or has an invitation, or 50 invitations are pending
 * @throws DomainError FORBIDDEN when the caller is not an owner but invites an owner
 * @throws DomainError RATE_LIMITED after 100 links of the organization within an hour
 */
export async function createInvitation(
  context: Context,
  input: MemberRef & { readonly role: Role },
): Promise<NewInvitation> {
  const organization = await requireManager(context, input.organizationId, [input.role]);
  const { id: organizationId } = organization;
  const email = input.email.toLowerCase();
  const { secret, ...link } = newLink();
  const member = await transaction(context, async (context) => {
    await requireRoom(context, organizationId);
    await requireFreeAddress(context, { organizationId, email });
    await requireWithinLinkRate(context, organizationId);
    const data = { id: newId(), organizationId, email, role: input.role, ...link };
    const member = await context.db.member.create({ data });
    await auditMember(context, 'MEMBER_INVITED', member, {
      role: member.role,
      expiresAt: member.invitationExpiresAt,
    });
    return member;
  });
  return deliver(context, organization, member, secret);
}

/**
 * Replaces the link of a pending invitation with a new link, which is valid for 7 days. If the service has a mail
 * server, also sends the new link by e-mail. The old link stops working.
 * @throws DomainError NOT_FOUND when this address has no pending invitation
 * @throws DomainError FORBIDDEN when the caller is not an owner but renews the invitation of an owner
 * @throws DomainError RATE_LIMITED after 100 links of the organization within an hour
 */
export async function renewInvitation(context: Context, input: MemberRef): Promise<NewInvitation> {
  const organization = await requireManager(context, input.organizationId, []);
  const { secret, ...link } = newLink();
  const member = await transaction(context, async (context) => {
    await runSql(context.db, lockOrganization, [organization.id]);
    const { id, organizationId } = await requirePending(context, organization.id, input.email);
    await requireWithinLinkRate(context, organizationId);
    const member = await context.db.member.update({ where: { id, organizationId }, data: link });
    await auditMember(context, 'INVITATION_RENEWED', member, {
      role: member.role,
      expiresAt: member.invitationExpiresAt,
    });
    return member;
  });
  return deliver(context, organization, member, secret);
}

/**
 * Revokes a pending invitation. Its link stops working, and the address can no longer join. `query` selects relations,
 * which are read before the deletion.
 * @throws DomainError NOT_FOUND when this address has no pending invitation
 * @throws DomainError FORBIDDEN when the caller is not an owner but revokes the invitation of an owner
 */
export async function revokeInvitation(
  context: Context,
  input: MemberRef,
  query: Prisma.MemberDefaultArgs = {},
): Promise<Member> {
  const { id: organizationId } = await requireManager(context, input.organizationId, []);
  return transaction(
    context,
    async (context) => {
      await runSql(context.db, lockOrganization, [organizationId]);
      const member = await requirePending(context, organizationId, input.email);
      await auditMember(context, 'INVITATION_REVOKED', member, { role: member.role });
      return context.db.member.delete({ ...query, where: { id: member.id, organizationId } });
    },
    { isRemoval: true },
  );
}

const lockOrganization =
  'select id from grounded.organizations where id = $1::uuid for no key update';

function newLink() {
  const secret = generateSecret();
  const invitationExpiresAt = new Date(Date.now() + invitationLifetimeMs);
  return { secret, invitationHash: hashSecret(secret), invitationExpiresAt };
}

async function requireFreeAddress(
  { db }: Context,
  { organizationId, email }: MemberRef,
): Promise<void> {
  const where = { organizationId_email: { organizationId, email } };
  const member = await db.member.findUnique({ where });
  if (member === null) return;
  const reason =
    member.userId === null
      ? 'This address is already invited: renew or revoke its invitation'
      : 'A member with this address already exists';
  throw new DomainError('CONFLICT', reason);
}

/** Returns the pending invitation and locks its row, so that it cannot be accepted in the meantime. */
async function requirePending(
  context: Context,
  organizationId: string,
  email: string,
): Promise<Member> {
  const [locked] = await runSql<{ id: string }>(
    context.db,
    `select id::text from grounded.members
     where organization_id = $1::uuid and email = lower($2) and user_id is null for update`,
    [organizationId, email],
  );
  if (locked === undefined) throw notFound('Invitation');
  const where = { id: locked.id, organizationId };
  const member = await context.db.member.findUniqueOrThrow({ where });
  await requireManager(context, organizationId, [member.role]);
  return member;
}

async function deliver(
  context: Context,
  { id: organizationId, name: organizationName }: Organization,
  member: Member,
  secret: string,
): Promise<NewInvitation> {
  const { email, role, id: memberId, invitationExpiresAt: expiresAt } = member;
  const link = linkOf(context, 'invitation', secret);
  context.log.info({ organizationId, memberId }, 'invitation created');
  const invitedBy = senderOf(context);
  const mail =
    expiresAt && invitationMail({ email, role, organizationName, invitedBy, link, expiresAt });
  return { member, link, mail: await mailLink(context, member, mail) };
}
