import { hashAddress } from '../../platform/hash-address.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { requestedLinkMail } from '../organizations/invitation-mail.ts';
import { operatorUserId } from '../organizations/operator-user-id.ts';
import { countInWindows } from '../usage/request-windows.ts';
import { createSignInPath } from './sign-in-links.ts';

const lifetimeSeconds = 3_600;
const maxMailsPerHour = 5;

/**
 * Sends a one-time sign-in link, valid for an hour, to an address that was entered on the sign-in page. Sends nothing if
 * the address is not that of a member, or has received 5 links in the last hour. Callers must not reveal whether a link
 * was sent, because that shows who is a member.
 *
 * @param secret Key of the hash under which the mails to an address are counted.
 */
export async function mailSignInLink(
  { pool, mailer, publicUrl, log }: Pick<Context, 'pool' | 'mailer' | 'publicUrl' | 'log'>,
  address: string,
  secret: Uint8Array,
): Promise<void> {
  if (mailer === null || publicUrl === null) return;
  const email = address.toLowerCase();
  const [found] = await runSql<{ readonly isMember: boolean }>(pool, findMember, [
    email,
    operatorUserId(email),
  ]);
  if (found?.isMember !== true) return;
  const name = `sign-in-mail ${hashAddress(email, secret)}`;
  const [window] = await countInWindows({ pool }, [name], 1, 3_600);
  if (window === undefined || window.counted > maxMailsPerHour) return;
  const path = await createSignInPath({ pool }, email, lifetimeSeconds);
  const expiresAt = new Date(Date.now() + lifetimeSeconds * 1_000);
  try {
    await mailer.send(requestedLinkMail({ email, link: `${publicUrl}${path}`, expiresAt }));
  } catch (error) {
    log.warn({ err: error }, 'a sign-in link was not sent by e-mail');
  }
}

/** A member who has joined with another account, such as one of an OIDC provider, cannot sign in with a link. */
const findMember = {
  name: 'find-member-for-sign-in-mail',
  text: `
    select exists (
      select from grounded.members
      where email = $1 and (user_id is null or user_id = $2::uuid)
        and (invitation_expires_at is null or invitation_expires_at > now())) as "isMember"`,
};
