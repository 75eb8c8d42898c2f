import { randomBytes } from 'node:crypto';
import { hashSecret } from '../../platform/hash-secret.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';

/**
 * Sign-in links and sessions of operators, for services without Supabase Auth. Only hashes of their secrets are
 * stored.
 */
type PoolContext = Pick<Context, 'pool'>;

const linkLifetimeSeconds = 24 * 3_600;
/** Lifetime of a session, counted from its last renewal. */
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
  readonly email: string;
  /** Bearer secret of the session. */
  readonly secret: string;
}

/**
 * Redeems a sign-in link and starts a session. Returns null if the link is unknown, used or expired. Of two concurrent
 * calls, only one succeeds.
 */
export async function redeemSignInLink(
  { pool }: PoolContext,
  linkSecret: string,
): Promise<OperatorSession | null> {
  const secret = generateSecret();
  const [session] = await runSql<{ email: string }>(
    pool,
    `with used as (
       delete from grounded.sign_in_links where hash = $1 returning email, expires_at
     ), expired as (
       delete from grounded.operator_sessions where expires_at <= now()
     )
     insert into grounded.operator_sessions (hash, email, expires_at)
     select $2, email, now() + make_interval(secs => $3) from used where expires_at > now()
     returning email`,
    [hashSecret(linkSecret), hashSecret(secret), sessionLifetimeSeconds],
  );
  return session === undefined ? null : { email: session.email, secret };
}

/** Extends a session and returns its operator, or null if the session has expired. */
export async function renewSession(
  { pool }: PoolContext,
  secret: string,
): Promise<{ readonly email: string } | null> {
  const [session = null] = await runSql<{ email: string }>(
    pool,
    `update grounded.operator_sessions set expires_at = now() + make_interval(secs => $2)
     where hash = $1 and expires_at > now() returning email`,
    [hashSecret(secret), sessionLifetimeSeconds],
  );
  return session;
}

/** Deletes a session. Does nothing if the session does not exist. */
export async function endSession({ pool }: PoolContext, secret: string): Promise<void> {
  await runSql(pool, 'delete from grounded.operator_sessions where hash = $1', [
    hashSecret(secret),
  ]);
}

function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}
