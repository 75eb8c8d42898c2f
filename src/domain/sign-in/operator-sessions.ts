import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';

/** Links and sessions of operators, for a service without Supabase Auth. Each text is known to its holder alone. */
type Database = Pick<Context, 'pool'>;

const linkLifetimeSeconds = 24 * 3_600;
/** Of a session that is not used. */
export const sessionLifetimeSeconds = 30 * 24 * 3_600;

/** The secret of a link that signs an operator in, once, within a day. */
export async function createSignInLink({ pool }: Database, email: string): Promise<string> {
  const secret = newSecret();
  await pool.query(
    `insert into grounded.sign_in_links (hash, email, expires_at)
     values ($1, lower($2), now() + make_interval(secs => $3))`,
    [hashOf(secret), email, linkLifetimeSeconds],
  );
  return secret;
}

export interface OperatorSession {
  readonly email: string;
  /** What its holder shows to go on with it. */
  readonly secret: string;
}

/** Uses a link up and starts a session; null where it is unknown, used or too old. Of two at once one gets it. */
export async function startSession(
  { pool }: Database,
  linkSecret: string,
): Promise<OperatorSession | null> {
  const secret = newSecret();
  const { rows } = await pool.query<{ email: string }>(
    `with used as (
       delete from grounded.sign_in_links where hash = $1 returning email, expires_at
     ), expired as (
       delete from grounded.operator_sessions where expires_at <= now()
     )
     insert into grounded.operator_sessions (hash, email, expires_at)
     select $2, email, now() + make_interval(secs => $3) from used where expires_at > now()
     returning email`,
    [hashOf(linkSecret), hashOf(secret), sessionLifetimeSeconds],
  );
  return rows[0] === undefined ? null : { email: rows[0].email, secret };
}

/** The operator of a session, which is kept for another while; null where it has ended. */
export async function continueSession(
  { pool }: Database,
  secret: string,
): Promise<{ readonly email: string } | null> {
  const { rows } = await pool.query<{ email: string }>(
    `update grounded.operator_sessions set expires_at = now() + make_interval(secs => $2)
     where hash = $1 and expires_at > now() returning email`,
    [hashOf(secret), sessionLifetimeSeconds],
  );
  return rows[0] ?? null;
}

/** Ends a session. Nothing happens where it has ended. */
export async function endSession({ pool }: Database, secret: string): Promise<void> {
  await pool.query('delete from grounded.operator_sessions where hash = $1', [hashOf(secret)]);
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A plain hash is enough for 256 random bits. */
function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
