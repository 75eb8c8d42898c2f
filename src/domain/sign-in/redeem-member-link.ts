import { hashSecret } from '../../platform/hash-secret.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { type LinkedMember, startLimitedSession } from './limited-session.ts';
import {
  type OperatorSession,
  type SessionContext,
  sessionTransaction,
} from './operator-sessions.ts';

/**
 * Signs in with the link that an owner or admin has created for a member. Returns null if the link is unknown, used,
 * replaced or expired. Also returns null if the member was removed or has another role now. If two calls run
 * concurrently, only one succeeds.
 */
export function redeemMemberLink(
  context: SessionContext,
  { linkSecret, sessionSecret }: { linkSecret: string; sessionSecret: string | null },
): Promise<OperatorSession | null> {
  return sessionTransaction(context, async (db) => {
    const [member] = await runSql<LinkedMember & { readonly isOpen: boolean }>(
      db,
      `with link as (
         select id, sign_in_expires_at > now() as is_open from grounded.members
         where sign_in_hash = $1 for update
       )
       update grounded.members member set sign_in_hash = null, sign_in_expires_at = null
       from link where member.id = link.id
       returning member.email, member.organization_id::text as "organizationId", link.is_open as "isOpen"`,
      [hashSecret(linkSecret)],
    );
    return member?.isOpen ? startLimitedSession(context, db, member, sessionSecret) : null;
  });
}
