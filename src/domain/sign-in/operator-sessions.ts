import { randomBytes } from 'node:crypto';
import { DomainError } from '../../platform/errors.ts';
import { hashSecret } from '../../platform/hash-secret.ts';
import { isId } from '../../platform/ids.ts';
import { runSql, type SqlValue } from '../../platform/postgres/run-sql.ts';
import { recordSessionAudit } from '../audit/record-audit-entry.ts';
import type { Context } from '../context.ts';

/**
 * Sign-in links and sessions of operators, for services without Supabase Auth. Only hashes of their secrets are
 * stored.
 */
type PoolContext = Pick<Context, 'pool'>;
/** A client for the system, and the request that the audit log names. */
type SessionContext = Pick<Context, 'prisma' | 'origin' | 'requestId'>;

const linkLifetimeSeconds = 24 * 3_600;
/** Lifetime of a session, counted from the sign-in. Use does not extend it. */
export const sessionLifetimeSeconds = 30 * 24 * 3_600;

/** Returns the secret of a one-time sign-in link, valid for one day. */
export async function createSignInSecret({ pool }: PoolContext, email: string): Promise<string> {
  const secret = generateSecret();
  await runSql(
    pool,
    `insert into grounded.sign_in_links (hash, email, expires_at)
     values ($1, lower($2), now() + make_interval(secs => $3))`,
    [hashSecret(secret), email, linkLifetimeSeconds],
  );
  return secret;
}

export interface OperatorSession {
  readonly id: string;
  readonly email: string;
  /** Bearer secret of the session. */
  readonly secret: string;
}

/**
 * Redeems a sign-in link and starts a session of the browser in `context`. Returns null if the link is unknown, used or
 * expired. Of two concurrent calls, only one succeeds.
 */
export async function redeemSignInLink(
  context: SessionContext,
  linkSecret: string,
): Promise<OperatorSession | null> {
  const secret = generateSecret();
  const session = await changeSession<Pick<OperatorSession, 'id' | 'email'>>(
    context,
    'SIGNED_IN',
    `with used as (
       delete from grounded.sign_in_links where hash = $1 returning email, expires_at
     ), expired as (
       delete from grounded.operator_sessions where expires_at <= now()
     )
     insert into grounded.operator_sessions (hash, email, expires_at, user_agent)
     select $2, email, now() + make_interval(secs => $3), $4 from used where expires_at > now()
     returning id::text, email`,
    [
      hashSecret(linkSecret),
      hashSecret(secret),
      sessionLifetimeSeconds,
      context.origin.userAgent?.slice(0, maxUserAgentLength) ?? '',
    ],
  );
  return session === null ? null : { ...session, secret };
}

const maxUserAgentLength = 300;

/** Records that the session was used, at most once a minute. */
export async function recordSessionUse({ pool }: PoolContext, id: string): Promise<void> {
  await runSql(
    pool,
    `update grounded.operator_sessions set last_used_at = now()
     where id = $1 and last_used_at < now() - interval '60 seconds'`,
    [id],
  );
}

/** Returns the session of a secret, or null if it has expired or was signed out. */
export async function findSession(
  { pool }: PoolContext,
  secret: string,
): Promise<Pick<OperatorSession, 'id' | 'email'> | null> {
  const [session = null] = await runSql<Pick<OperatorSession, 'id' | 'email'>>(
    pool,
    `select id, email from grounded.operator_sessions
     where hash = $1 and least(expires_at, created_at + make_interval(secs => $2)) > now()`,
    [hashSecret(secret), sessionLifetimeSeconds],
  );
  return session;
}

/** @throws DomainError UNAUTHENTICATED when the session was signed out or has expired. */
export async function requireActiveSession(context: PoolContext, id: string): Promise<void> {
  if (await isSessionActive(context, id)) return;
  throw new DomainError('UNAUTHENTICATED', 'The session was signed out: sign in again');
}

async function isSessionActive({ pool }: PoolContext, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const found = await runSql(
    pool,
    `select from grounded.operator_sessions
     where id = $1 and least(expires_at, created_at + make_interval(secs => $2)) > now()`,
    [id, sessionLifetimeSeconds],
  );
  return found.length > 0;
}

/** A session as its operator sees it. */
export interface ListedSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When the browser last requested an access token, accurate to a minute. */
  readonly lastUsedAt: Date;
  /** The header `User-Agent` of the sign-in, at most 300 characters. */
  readonly userAgent: string;
}

/** Returns the sessions of an operator, latest first. */
export function listSessions({ pool }: PoolContext, email: string): Promise<ListedSession[]> {
  return runSql<ListedSession>(
    pool,
    `select id, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt",
       user_agent as "userAgent" from grounded.operator_sessions
     where email = lower($1) and expires_at > now() order by created_at desc limit 100`,
    [email],
  );
}

/** Deletes all sessions of an operator. Their tokens end at once. */
export async function endAllSessions(context: SessionContext, email: string): Promise<void> {
  const statement =
    'delete from grounded.operator_sessions where email = lower($1) returning email';
  await changeSession(context, 'SIGNED_OUT_EVERYWHERE', statement, [email]);
}

/** Deletes a session of an operator. Does nothing if the operator has no such session. */
export async function endListedSession(
  context: SessionContext,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  if (!isId(id)) return;
  const statement = `
    delete from grounded.operator_sessions where id = $1::uuid and email = lower($2) returning email`;
  await changeSession(context, 'SIGNED_OUT', statement, [id, email]);
}

/** Deletes a session. Its tokens end at once. Does nothing if the session does not exist. */
export async function endSession(context: SessionContext, secret: string): Promise<void> {
  const statement = 'delete from grounded.operator_sessions where hash = $1 returning email';
  await changeSession(context, 'SIGNED_OUT', statement, [hashSecret(secret)]);
}

/** Runs the statement and records the change, in one transaction. Returns the first row, or null if there is none. */
function changeSession<Row extends { readonly email: string }>(
  { prisma, origin, requestId }: SessionContext,
  action: 'SIGNED_IN' | 'SIGNED_OUT' | 'SIGNED_OUT_EVERYWHERE',
  statement: string,
  values: readonly SqlValue[],
): Promise<Row | null> {
  return prisma.$transaction(
    async (db) => {
      const [row = null] = await runSql<Row>(db, statement, values);
      if (row !== null) {
        await recordSessionAudit(db, action, { email: row.email, origin, requestId });
      }
      return row;
    },
    { maxWait: 30_000, timeout: 30_000 },
  );
}

function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}
