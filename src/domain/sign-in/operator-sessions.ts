import { DomainError } from '../../platform/errors.ts';
import { hashSecret } from '../../platform/hash-secret.ts';
import { isId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql, type SqlValue } from '../../platform/postgres/run-sql.ts';
import { generateSecret } from '../../platform/secrets/generate-secret.ts';
import { recordSessionAudit } from '../audit/record-audit-entry.ts';
import type { Context } from '../context.ts';

/** Sessions of operators, for services without Supabase Auth. The database stores only hashes of their secrets. */
type PoolContext = Pick<Context, 'pool'>;
/** A database client with the rights of the system, and the data of the request for the audit log. */
export type SessionContext = Pick<Context, 'prisma' | 'origin' | 'requestId'>;

/** Lifetime of a session, counted from the sign-in. Using the session does not extend it. */
export const sessionLifetimeSeconds = 30 * 24 * 3_600;

export interface OperatorSession {
  readonly id: string;
  readonly email: string;
  /** Organizations that the session is limited to. Null: all organizations of the operator. */
  readonly organizationIds: readonly string[] | null;
  /** Bearer secret of the session. */
  readonly secret: string;
}

/**
 * Redeems a sign-in link and starts a session of the browser in `context`. Returns null if the link is unknown, used or
 * expired. If two calls run concurrently, only one succeeds.
 */
export async function redeemSignInLink(
  context: SessionContext,
  linkSecret: string,
): Promise<OperatorSession | null> {
  const secret = generateSecret();
  const session = await changeSession<FoundSession>(
    context,
    'SIGNED_IN',
    `with used as (
       delete from grounded.sign_in_links where hash = $1 returning email, expires_at
     ), expired as (
       delete from grounded.operator_sessions where expires_at <= now()
     )
     insert into grounded.operator_sessions (hash, email, expires_at, user_agent)
     select $2, email, now() + make_interval(secs => $3), $4 from used where expires_at > now()
     returning ${sessionColumns}`,
    [
      hashSecret(linkSecret),
      hashSecret(secret),
      sessionLifetimeSeconds,
      shortUserAgent(context.origin),
    ],
  );
  return session === null ? null : { ...session, secret };
}

/** Starts a session and returns its id. If `organizationIds` is null, the session is not limited. */
export async function insertSession(
  db: Prisma.TransactionClient,
  { email, organizationIds, secret }: Omit<OperatorSession, 'id'>,
  origin: Context['origin'],
): Promise<string> {
  const [session] = await runSql<FoundSession>(
    db,
    `insert into grounded.operator_sessions (hash, email, expires_at, user_agent, organization_ids)
     values ($1, $2, now() + make_interval(secs => $3), $4, $5::text[]::uuid[]) returning ${sessionColumns}`,
    [hashSecret(secret), email, sessionLifetimeSeconds, shortUserAgent(origin), organizationIds],
  );
  if (session === undefined) throw new Error('The session was not stored');
  return session.id;
}

export type FoundSession = Omit<OperatorSession, 'secret'>;

export const sessionColumns = `id::text, email,
  case when operator_sessions.organization_ids is not null then array(
    select member.organization_id::text from grounded.members member
    where member.organization_id = any (operator_sessions.organization_ids)
      and member.email = operator_sessions.email and member.user_id is not null)
  end as "organizationIds"`;

/** SQL condition for sessions that have not expired. */
export const isActiveSession = `least(expires_at, created_at + interval '${sessionLifetimeSeconds} seconds') > now()`;

function shortUserAgent({ userAgent }: Context['origin']): string {
  return userAgent?.slice(0, 300) ?? '';
}

/** Stores when the session was last used, at most once a minute. */
export async function recordSessionUse({ pool }: PoolContext, id: string): Promise<void> {
  await runSql(
    pool,
    `update grounded.operator_sessions set last_used_at = now()
     where id = $1 and last_used_at < now() - interval '60 seconds'`,
    [id],
  );
}

/** Returns the session with this secret. Returns null if it has expired or was signed out. */
export async function findSession(
  { pool }: PoolContext,
  secret: string,
): Promise<FoundSession | null> {
  const [session = null] = await runSql<FoundSession>(
    pool,
    `select ${sessionColumns} from grounded.operator_sessions where hash = $1 and ${isActiveSession}`,
    [hashSecret(secret)],
  );
  return session;
}

/**
 * Returns the session.
 * @throws DomainError UNAUTHENTICATED when the session was signed out or has expired
 */
export async function requireActiveSession(
  { pool }: PoolContext,
  id: string,
): Promise<FoundSession> {
  const [session] = isId(id)
    ? await runSql<FoundSession>(
        pool,
        `select ${sessionColumns} from grounded.operator_sessions where id = $1 and ${isActiveSession}`,
        [id],
      )
    : [];
  if (session !== undefined) return session;
  throw new DomainError('UNAUTHENTICATED', 'The session was signed out: sign in again');
}

/** A session with the data that its operator may see. */
export interface ListedSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When the browser last requested an access token, accurate to a minute. */
  readonly lastUsedAt: Date;
  /** The header `User-Agent` of the sign-in, at most 300 characters. */
  readonly userAgent: string;
}

/**
 * Selects sessions of an operator. If `organizationIds` is set, selects only sessions that are limited to some of these
 * organizations.
 */
type SessionOwner = Pick<OperatorSession, 'email' | 'organizationIds'>;

/** Returns the sessions of an operator, latest first. */
export function listSessions(
  { pool }: PoolContext,
  { email, organizationIds }: SessionOwner,
): Promise<ListedSession[]> {
  return runSql<ListedSession>(
    pool,
    `select id, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt",
       user_agent as "userAgent" from grounded.operator_sessions
     where email = lower($1) and ${isWithin('$2')} and expires_at > now()
     order by created_at desc limit 100`,
    [email, organizationIds],
  );
}

/** Deletes all sessions of an operator. Their tokens stop working immediately. */
export async function endAllSessions(
  context: SessionContext,
  { email, organizationIds }: SessionOwner,
): Promise<void> {
  const statement = `
    delete from grounded.operator_sessions where email = lower($1) and ${isWithin('$2')}
    returning email, $2::text[] as "organizationIds"`;
  await changeSession(context, 'SIGNED_OUT_EVERYWHERE', statement, [email, organizationIds]);
}

/**
 * Returns the SQL condition for sessions that can access only organizations in the parameter. If the parameter is null,
 * all sessions match.
 */
function isWithin(parameter: string): string {
  return `(${parameter}::text[] is null or organization_ids <@ ${parameter}::text[]::uuid[])`;
}

/** Deletes a session of an operator. Does nothing if the operator has no such session. */
export async function endListedSession(
  context: SessionContext,
  { id, email, organizationIds }: FoundSession,
): Promise<void> {
  if (!isId(id)) return;
  const statement = `
    delete from grounded.operator_sessions where id = $1::uuid and email = lower($2) and ${isWithin('$3')}
    returning ${sessionColumns}`;
  await changeSession(context, 'SIGNED_OUT', statement, [id, email, organizationIds]);
}

/** Deletes a session. Its tokens stop working immediately. Does nothing if the session does not exist. */
export async function endSession(context: SessionContext, secret: string): Promise<void> {
  const statement = `delete from grounded.operator_sessions where hash = $1 returning ${sessionColumns}`;
  await changeSession(context, 'SIGNED_OUT', statement, [hashSecret(secret)]);
}

/**
 * Runs the statement and records the change in the audit log, in one transaction. Returns the first row, or null if
 * there is none.
 */
function changeSession<Row extends SessionOwner>(
  context: SessionContext,
  action: 'SIGNED_IN' | 'SIGNED_OUT' | 'SIGNED_OUT_EVERYWHERE',
  statement: string,
  values: readonly SqlValue[],
): Promise<Row | null> {
  const { origin, requestId } = context;
  return sessionTransaction(context, async (db) => {
    const [row = null] = await runSql<Row>(db, statement, values);
    if (row !== null) {
      const { email, organizationIds } = row;
      await recordSessionAudit(db, action, { email, organizationIds, origin, requestId });
    }
    return row;
  });
}

/** Runs `work` in one transaction with the rights of the system. */
export function sessionTransaction<Result>(
  { prisma }: SessionContext,
  work: (db: Prisma.TransactionClient) => Promise<Result>,
): Promise<Result> {
  return prisma.$transaction(work, { maxWait: 30_000, timeout: 30_000 });
}
