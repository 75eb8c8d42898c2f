import type { Mail } from '../../platform/mail/mailer.ts';
import type { Role } from '../../platform/postgres/generated/prisma/enums.ts';
import { filterPart } from '../chat/output-filter/filter-part.ts';

interface Invitation {
  readonly email: string;
  readonly role: Role;
  readonly organizationName: string;
  /** Address of the operator who invites. Null if the service or the command line does. */
  readonly invitedBy: string | null;
  readonly link: string;
  readonly expiresAt: Date;
}

const maxNameLength = 100;

/** Returns the e-mail with an invitation, as plain text and as HTML. The name of the organization is untrusted text. */
export function invitationMail(invitation: Invitation): Mail {
  const { email, role, link, expiresAt, invitedBy } = invitation;
  const organization = toPlainName(invitation.organizationName);
  const inviter = invitedBy === null ? 'You are invited' : `${invitedBy} invites you`;
  const invites = `${inviter} to join “${organization}” in grounded-chat as ${roleNames[role]}.`;
  const expiry = `The link works once, until ${formatDate(expiresAt)}. Whoever has it can accept the invitation, so do not forward it.`;
  const ignore = 'If you do not expect this invitation, ignore this e-mail.';
  return {
    to: email,
    subject: `Invitation to ${organization}`,
    text: `${invites}\n\nAccept the invitation:\n${link}\n\n${expiry}\n\n${ignore}\n`,
    html: `<!doctype html>
<html lang="en"><body style="font-family: sans-serif">
<p>${escapeHtml(invites)}</p>
<p><a href="${escapeHtml(link)}">Accept the invitation</a></p>
<p>${escapeHtml(expiry)}</p>
<p>${ignore}</p>
</body></html>`,
  };
}

const roleNames: Readonly<Record<Role, string>> = {
  OWNER: 'an owner',
  ADMIN: 'an admin',
  AGENT: 'an agent',
  VIEWER: 'a viewer',
};

/** Whoever names an organization must not write to others: on one line, short, and without addresses. */
function toPlainName(name: string): string {
  const line = filterPart(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]/gu, ' '), [])
    .replace(/(?<=\S)\/(?=\S)/g, ' / ')
    .replace(/\s+/g, ' ')
    .trim();
  if (line === '') return 'an organization';
  return line.length <= maxNameLength
    ? line
    : `${line.slice(0, maxNameLength).toWellFormed().trimEnd()}…`;
}

function formatDate(date: Date): string {
  const day = date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return `${day}, ${date.toISOString().slice(11, 16)} UTC`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
