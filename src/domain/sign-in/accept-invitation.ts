import { hashSecret } from '../../platform/hash-secret.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Role } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordSessionAudit } from '../audit/record-audit-entry.ts';
import type { Context } from '../context.ts';
import { operatorUserId } from '../organizations/operator-user-id.ts';
import { type LinkedMember, startLimitedSession } from './limited-session.ts';
import {
  type OperatorSession,
  type SessionContext,
  sessionTransaction,
} from './operator-sessions.ts';

/** A pending invitation, with the data that everyone with its link may see. */
export interface PendingInvitation {
  readonly organizationName: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: Date;
}

const isOpen = 'member.user_id is null and member.invitation_expires_at > now()';

/**
 * Returns the invitation that belongs to a link. Returns null if it was accepted, revoked or renewed, or has expired.
 * Changes nothing.
 */
export async function findInvitation(
  { pool }: Pick<Context, 'pool'>,
  linkSecret: string,
): Promise<PendingInvitation | null> {
  const [invitation = null] = await runSql<PendingInvitation>(
    pool,
    `select organization.name as "organizationName", member.email, member.role::text as role,
       member.invitation_expires_at as "expiresAt"
     from grounded.members member join grounded.organizations organization on organization.id = member.organization_id
     where member.invitation_hash = $1 and ${isOpen}`,
    [hashSecret(linkSecret)],
  );
  return invitation;
}

/**
 * Accepts the invitation that belongs to a link. Makes the operator a member and starts a session that is limited to
 * the organization, because the link does not prove who owns the address. If the browser already has a session of the
 * same address, no new session starts: this session can then also access the organization. Returns null in the same
 * cases as `findInvitation`. If two calls run concurrently, only one succeeds.
 */
export function acceptInvitation(
  context: SessionContext,
  { linkSecret, sessionSecret }: { linkSecret: string; sessionSecret: string | null },
): Promise<OperatorSession | null> {
  return sessionTransaction(context, async (db) => {
    const joined = await join(context, db, linkSecret);
    if (joined === null) return null;
    return startLimitedSession(context, db, joined, sessionSecret);
  });
}

async function join(
  { origin, requestId }: SessionContext,
  db: Prisma.TransactionClient,
  linkSecret: string,
): Promise<LinkedMember | null> {
  const [member] = await runSql<LinkedMember & { readonly id: string }>(
    db,
    `select member.id::text, member.email, member.organization_id::text as "organizationId"
     from grounded.members member where member.invitation_hash = $1 and ${isOpen} for update`,
    [hashSecret(linkSecret)],
  );
  if (member === undefined) return null;
  const { id, email, organizationId } = member;
  await runSql(
    db,
    `update grounded.members set user_id = $3::uuid, invitation_hash = null, invitation_expires_at = null
     where id = $1::uuid and organization_id = $2::uuid`,
    [id, organizationId, operatorUserId(email)],
  );
  const organizationIds = [organizationId];
  await recordSessionAudit(db, 'MEMBER_JOINED', { email, organizationIds, origin, requestId });
  return { email, organizationId };
}
