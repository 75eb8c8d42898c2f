import { DomainError } from '../../platform/errors.ts';
import { hashSecret } from '../../platform/hash-secret.ts';
import { generateSecret } from '../../platform/secrets/generate-secret.ts';
import type { Context } from '../context.ts';
import { signInLinkMail } from './invitation-mail.ts';
import {
  type LinkMailState,
  linkOf,
  mailLink,
  requireWithinLinkRate,
  senderOf,
} from './link-delivery.ts';
import { auditMember, changeMember, type MemberRef } from './manage-members.ts';
import type { Member } from './members.ts';
import { operatorUserId } from './operator-user-id.ts';
import { requireOrganization } from './require-organization.ts';

/** A new sign-in link of a member. Only a hash of its secret is stored. */
export interface MemberSignInLink {
  readonly member: Member;
  /** Starts with the public address of the service. If no public address is configured, this is only the path. */
  readonly link: string;
  readonly expiresAt: Date;
  readonly mail: LinkMailState;
}

const lifetimeMs = 24 * 3_600_000;

/**
 * Creates a one-time sign-in link for a member who has joined. The link is valid for a day. If the service has a mail
 * server, also sends the link by e-mail. Earlier links of the member stop working. The session that the link starts is
 * limited to the organization, because the caller has seen the link.
 * @throws DomainError NOT_FOUND when the organization has no member with this address
 * @throws DomainError CONFLICT when the member has not joined yet, or signs in with Supabase Auth
 * @throws DomainError FORBIDDEN when the caller is not an owner but creates a link for an owner
 * @throws DomainError RATE_LIMITED after 100 links of the organization within an hour
 */
export async function createSignInLink(
  context: Context,
  input: MemberRef,
): Promise<MemberSignInLink> {
  const secret = generateSecret();
  const expiresAt = new Date(Date.now() + lifetimeMs);
  const member = await changeMember(context, input, {}, async (context, member) => {
    const { id, organizationId, role } = member;
    requireLinkUser(member);
    await requireWithinLinkRate(context, organizationId);
    await auditMember(context, 'SIGN_IN_LINK_CREATED', member, { role, expiresAt });
    const data = { signInHash: hashSecret(secret), signInExpiresAt: expiresAt };
    return context.db.member.update({ where: { id, organizationId }, data });
  });
  const link = linkOf(context, 'sign-in', secret);
  const { organizationId, email } = member;
  context.log.info({ organizationId, memberId: member.id }, 'sign-in link created');
  const { name } = await requireOrganization(context, organizationId, 'organization:manage');
  const mail = signInLinkMail({
    email,
    organizationName: name,
    createdBy: senderOf(context),
    link,
    expiresAt,
  });
  return { member, link, expiresAt, mail: await mailLink(context, member, mail) };
}

/**
 * Requires that a link can start a session of this member.
 *
 * @throws DomainError CONFLICT when the member has not joined, or signs in with Supabase Auth
 */
function requireLinkUser({ email, userId }: Member): void {
  if (userId === null) {
    throw new DomainError('CONFLICT', 'This member has not joined yet: renew the invitation');
  }
  if (userId !== operatorUserId(email)) {
    throw new DomainError(
      'CONFLICT',
      'This member signs in with Supabase Auth: send a link from its sign-in page',
    );
  }
}
