import type { Mail } from '../../platform/mail/mailer.ts';
import type { Role } from '../../platform/postgres/generated/prisma/enums.ts';
import { linkMail, toPlainName } from './link-mail.ts';

interface Invitation {
  readonly email: string;
  readonly role: Role;
  readonly organizationName: string;
  /** E-mail address of the operator who invites. Null if the service or the command line invites. */
  readonly invitedBy: string | null;
  readonly link: string;
  readonly expiresAt: Date;
}

/**
 * Returns the e-mail with an invitation, as plain text and as HTML. Treats the name of the organization as untrusted
 * text.
 */
export function invitationMail(invitation: Invitation): Mail {
  const { email, role, link, expiresAt, invitedBy } = invitation;
  const organization = toPlainName(invitation.organizationName, 'an organization');
  const inviter = invitedBy === null ? 'You are invited' : `${invitedBy} invites you`;
  const invites = `${inviter} to join “${organization}” in grounded-chat as ${roleNames[role]}.`;
  const expiry = `The link works once, until ${formatDate(expiresAt)}. Whoever has it can accept the invitation, so do not forward it.`;
  const ignore = 'If you do not expect this invitation, ignore this e-mail.';
  const subject = `Invitation to ${organization}`;
  const action = 'Accept the invitation';
  return linkMail({ to: email, subject, reason: invites, action, link, notes: [expiry, ignore] });
}

interface SignInLink {
  readonly email: string;
  readonly organizationName: string;
  /** E-mail address of the operator who created the link. Null if the service or the command line created it. */
  readonly createdBy: string | null;
  readonly link: string;
  readonly expiresAt: Date;
}

/** Returns the e-mail that contains the sign-in link of a member. */
export function signInLinkMail({ email, createdBy, link, expiresAt, ...rest }: SignInLink): Mail {
  const organization = toPlainName(rest.organizationName, 'an organization');
  const created = createdBy === null ? 'A sign-in link was created' : `${createdBy} created a link`;
  return linkMail({
    to: email,
    subject: `Sign-in link for ${organization}`,
    reason: `${created} that signs you in to “${organization}” in grounded-chat.`,
    action: 'Sign in',
    link,
    notes: [validityOf(expiresAt), 'If you do not expect this link, ignore this e-mail.'],
  });
}

/** Returns the e-mail with the sign-in link that somebody has requested for the address on the sign-in page. */
export function requestedLinkMail({
  email,
  link,
  expiresAt,
}: Pick<SignInLink, 'email' | 'link' | 'expiresAt'>): Mail {
  return linkMail({
    to: email,
    subject: 'Your sign-in link',
    reason: 'A sign-in link for grounded-chat was requested for your address.',
    action: 'Sign in',
    link,
    notes: [
      validityOf(expiresAt),
      'If you have not requested it, ignore this e-mail. Nobody can sign in without the link.',
    ],
  });
}

function validityOf(expiresAt: Date): string {
  return `The link works once, until ${formatDate(expiresAt)}. Whoever has it can sign in as you, so do not forward it.`;
}

const roleNames: Readonly<Record<Role, string>> = {
  OWNER: 'an owner',
  ADMIN: 'an admin',
  AGENT: 'an agent',
  VIEWER: 'a viewer',
};

function formatDate(date: Date): string {
  const day = date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return `${day}, ${date.toISOString().slice(11, 16)} UTC`;
}
