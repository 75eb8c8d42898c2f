import { hashSecret } from '../../platform/hash-secret.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Role } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordSessionAudit } from '../audit/record-audit-entry.ts';
import type { Context } from '../context.ts';
import { generateSecret } from './generate-secret.ts';
import {
  type FoundSession,
  insertSession,
  isActiveSession,
  type OperatorSession,
  type SessionContext,
  sessionColumns,
  sessionTransaction,
} from './operator-sessions.ts';
import { operatorUserId } from './operator-user-id.ts';

/** A pending invitation, as whoever has its link sees it. */
export interface PendingInvitation {
  readonly organizationName: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: Date;
}

const isOpen = 'member.user_id is null and member.invitation_expires_at > now()';

/** Returns the invitation of a link, or null if it was accepted, revoked, renewed or has expired. Changes nothing. */
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
 * Accepts the invitation of a link: makes the operator a member and starts a session that is limited to the
 * organization, because the link does not prove who owns the address. A current session of the same address continues
 * instead, and reaches the organization as well. Returns null in the cases of `findInvitation`. Of two concurrent calls,
 * only one succeeds.
 */
export function acceptInvitation(
  context: SessionContext,
  { linkSecret, sessionSecret }: { linkSecret: string; sessionSecret: string | null },
): Promise<OperatorSession | null> {
  return sessionTransaction(context, async (db) => {
    const joined = await join(context, db, linkSecret);
    if (joined === null) return null;
    const extended = sessionSecret && (await extendSession(db, sessionSecret, joined));
    if (extended) return extended;
    const secret = generateSecret();
    const { email, organizationId } = joined;
    const organizationIds = [organizationId];
    const id = await insertSession(db, { email, secret, organizationIds }, context.origin);
    const { origin, requestId } = context;
    await recordSessionAudit(db, 'SIGNED_IN', { email, organizationIds, origin, requestId });
    return { id, email, organizationIds, secret };
  });
}

interface Joined {
  readonly email: string;
  readonly organizationId: string;
}

async function join(
  { origin, requestId }: SessionContext,
  db: Prisma.TransactionClient,
  linkSecret: string,
): Promise<Joined | null> {
  const [member] = await runSql<Joined & { readonly id: string }>(
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

/** Returns null if the secret has no active session of the address. */
async function extendSession(
  db: Prisma.TransactionClient,
  secret: string,
  { email, organizationId }: Joined,
): Promise<OperatorSession | null> {
  const [session] = await runSql<FoundSession>(
    db,
    `update grounded.operator_sessions set organization_ids =
       case when organization_ids is not null then array_append(organization_ids, $3::uuid) end
     where hash = $1 and email = $2 and ${isActiveSession}
     returning ${sessionColumns}`,
    [hashSecret(secret), email, organizationId],
  );
  return session === undefined ? null : { ...session, secret };
}
