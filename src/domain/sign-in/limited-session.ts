import { hashSecret } from '../../platform/hash-secret.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { generateSecret } from '../../platform/secrets/generate-secret.ts';
import { recordSessionAudit } from '../audit/record-audit-entry.ts';
import {
  type FoundSession,
  insertSession,
  isActiveSession,
  type OperatorSession,
  type SessionContext,
  sessionColumns,
} from './operator-sessions.ts';

/** The member to whom a link of an organization belongs. */
export interface LinkedMember {
  readonly email: string;
  readonly organizationId: string;
}

/**
 * Starts a session that is limited to the organization, because others may have seen the link. If the browser already
 * has a session of the same address, no new session starts: this session can then also access the organization.
 */
export async function startLimitedSession(
  context: SessionContext,
  db: Prisma.TransactionClient,
  member: LinkedMember,
  currentSecret: string | null,
): Promise<OperatorSession> {
  const extended = currentSecret && (await extendSession(db, currentSecret, member));
  if (extended) return extended;
  const secret = generateSecret();
  const { email } = member;
  const organizationIds = [member.organizationId];
  const id = await insertSession(db, { email, secret, organizationIds }, context.origin);
  const { origin, requestId } = context;
  await recordSessionAudit(db, 'SIGNED_IN', { email, organizationIds, origin, requestId });
  return { id, email, organizationIds, secret };
}

/**
 * Adds the organization to the session with this secret. Returns null if the address has no active session with this
 * secret.
 */
async function extendSession(
  db: Prisma.TransactionClient,
  secret: string,
  { email, organizationId }: LinkedMember,
): Promise<OperatorSession | null> {
  const [session] = await runSql<FoundSession>(
    db,
    `update grounded.operator_sessions set organization_ids =
       case when organization_ids is not null
         then array_append(array_remove(organization_ids, $3::uuid), $3::uuid) end
     where hash = $1 and email = $2 and ${isActiveSession}
     returning ${sessionColumns}`,
    [hashSecret(secret), email, organizationId],
  );
  return session === undefined ? null : { ...session, secret };
}
