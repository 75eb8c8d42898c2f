import type { OidcClaims } from '../../platform/oidc/oidc-provider.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { generateSecret } from '../../platform/secrets/generate-secret.ts';
import { recordSessionAudit } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import { acceptInvitationsOf } from '../organizations/members.ts';
import { operatorUserId } from '../organizations/operator-user-id.ts';
import { applyRoleMapping } from './apply-role-mapping.ts';
import type { OidcPolicy, OidcRefusal } from './oidc-policy.ts';
import { insertSession, type OperatorSession } from './operator-sessions.ts';
import { type OidcIdentity, readOidcIdentity } from './read-oidc-identity.ts';

/**
 * Starts a session for the subject of verified claims, or returns why the sign-in is refused. The account of an address
 * belongs to the first subject of the issuer that signs in with this verified address. From then on, only this subject
 * can use the account, even if the subject's address changes. Accepts open invitations to the address and applies the
 * role mapping, even if the sign-in is refused afterwards.
 */
export async function signInWithOidc(
  context: Context,
  claims: OidcClaims,
  policy: OidcPolicy,
): Promise<OperatorSession | OidcRefusal> {
  const identity = readOidcIdentity(claims, policy);
  if (typeof identity === 'string') return identity;
  return transaction(context, async (context) => {
    const { db } = context;
    await lock(context, `${identity.issuer} ${identity.subject}`);
    const linked = await findAccount(context, identity);
    const email = linked ?? identity.email;
    await lock(context, `${identity.issuer} ${email}`);
    if (linked === null && (await isTaken(context, identity))) return 'account';

    const userId = operatorUserId(email);
    const everywhere = { organizationId: null, organizationIds: null };
    await acceptInvitationsOf(db, { userId, email, ...everywhere }, context);
    if (policy.mapping !== null) {
      const { organizationId } = policy.mapping;
      await applyRoleMapping(context, { organizationId, email, role: identity.mappedRole });
    }
    if (!(await isMember(context, email, userId))) return 'access';
    await storeIdentity(context, identity, { email, isNew: linked === null });
    return startSession(context, email);
  });
}

/** Lets only one sign-in of an account run at a time. */
async function lock({ db }: Context, name: string): Promise<void> {
  const statement = `select pg_advisory_xact_lock(hashtextextended($1, 0))::text`;
  await runSql(db, statement, [`oidc ${name}`]);
}

/** Returns the e-mail address of the subject's account, or null if the subject has no account. */
async function findAccount(
  { db }: Context,
  { issuer, subject }: OidcIdentity,
): Promise<string | null> {
  const [found] = await runSql<{ email: string }>(
    db,
    'select email from grounded.operator_identities where issuer = $1 and subject = $2',
    [issuer, subject],
  );
  return found?.email ?? null;
}

async function isTaken({ db }: Context, { issuer, email }: OidcIdentity): Promise<boolean> {
  const statement =
    'select subject from grounded.operator_identities where issuer = $1 and email = $2';
  return (await runSql(db, statement, [issuer, email])).length > 0;
}

/**
 * Returns whether the account has a membership. Locks the memberships, because the identity may be stored only as long
 * as one of them exists.
 */
async function isMember({ db }: Context, email: string, userId: string): Promise<boolean> {
  const statement =
    'select id from grounded.members where email = $1 and user_id = $2::uuid for key share';
  return (await runSql(db, statement, [email, userId])).length > 0;
}

/**
 * Stores the identity. If it is new, ends earlier sessions of the address, because they may belong to a person who had
 * the address before.
 */
async function storeIdentity(
  { db }: Context,
  { issuer, subject }: OidcIdentity,
  { email, isNew }: { readonly email: string; readonly isNew: boolean },
): Promise<void> {
  if (isNew) await runSql(db, 'delete from grounded.operator_sessions where email = $1', [email]);
  await runSql(
    db,
    `insert into grounded.operator_identities (issuer, subject, email) values ($1, $2, $3)
     on conflict (issuer, subject) do update set signed_in_at = now()`,
    [issuer, subject, email],
  );
}

async function startSession(context: Context, email: string): Promise<OperatorSession> {
  const { db, origin, requestId } = context;
  const secret = generateSecret();
  const organizationIds = null;
  await runSql(db, 'delete from grounded.operator_sessions where expires_at <= now()', []);
  const id = await insertSession(db, { email, secret, organizationIds }, origin);
  await recordSessionAudit(db, 'SIGNED_IN', { email, organizationIds, origin, requestId });
  return { id, email, organizationIds, secret };
}
