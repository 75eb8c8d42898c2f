import { DomainError } from '../../platform/errors.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import type { AuditAction } from '../audit/audit-actions.ts';
import type { Context } from '../context.ts';
import type { Member } from './members.ts';

/** Whether the mail server accepted the e-mail. `OFF` means that the service has no mail server. */
export type LinkMailState = 'SENT' | 'FAILED' | 'OFF';

const maxLinksPerHour = 100;
const linkActions: AuditAction[] = ['MEMBER_INVITED', 'INVITATION_RENEWED', 'SIGN_IN_LINK_CREATED'];

/**
 * Limits the number of links of an organization, because each link may be sent to a stranger. Counts the links in the
 * audit log, because the log also contains links that were revoked.
 * @throws DomainError RATE_LIMITED after 100 links of the organization within an hour
 */
export async function requireWithinLinkRate(
  { db, caller }: Context,
  organizationId: string,
): Promise<void> {
  if (caller.type === 'service') return;
  const hourAgo = new Date(Date.now() - 3_600_000);
  const where = { organizationId, createdAt: { gt: hourAgo }, action: { in: linkActions } };
  if ((await db.auditEntry.count({ where })) < maxLinksPerHour) return;
  throw new DomainError(
    'RATE_LIMITED',
    `An organization may create ${maxLinksPerHour} invitations and sign-in links an hour. Try again later`,
    { retryable: true, retryAfterSeconds: 600 },
  );
}

/** Returns the address of a page in the dashboard. If no public address is configured, returns only its path. */
export function linkOf(
  { publicUrl }: Context,
  name: 'invitation' | 'sign-in',
  secret: string,
): string {
  return `${publicUrl ?? ''}/dashboard/#${name}=${secret}`;
}

/**
 * Returns the e-mail address of the calling operator. Returns null if the caller is the service or the command line.
 */
export function senderOf({ caller }: Context): string | null {
  return caller.type === 'operator' ? caller.email : null;
}

/**
 * Sends the e-mail with a link. Call it after the transaction. Does not throw if sending fails, because the caller can
 * copy the link.
 */
export async function mailLink(
  { mailer, log }: Context,
  { id: memberId, organizationId }: Member,
  mail: Mail | null,
): Promise<LinkMailState> {
  if (mailer === null || mail === null) return 'OFF';
  try {
    await mailer.send(mail);
    return 'SENT';
  } catch (error) {
    log.warn({ err: error, organizationId, memberId }, 'the link was not sent by e-mail');
    return 'FAILED';
  }
}
