import { hashSecret } from '../../platform/hash-secret.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { generateSecret } from '../../platform/secrets/generate-secret.ts';
import type { Context } from '../context.ts';

/** Sign-in links, for services without Supabase Auth. The database stores only hashes of their secrets. */
type PoolContext = Pick<Context, 'pool'>;

const linkLifetimeSeconds = 24 * 3_600;

/**
 * Creates a one-time sign-in link, by default valid for one day, and returns its secret. Also deletes links that have
 * expired.
 */
export async function createSignInSecret(
  { pool }: PoolContext,
  email: string,
  lifetimeSeconds = linkLifetimeSeconds,
): Promise<string> {
  const secret = generateSecret();
  await runSql(
    pool,
    `with expired as (delete from grounded.sign_in_links where expires_at <= now())
     insert into grounded.sign_in_links (hash, email, expires_at)
     values ($1, lower($2), now() + make_interval(secs => $3))`,
    [hashSecret(secret), email, lifetimeSeconds],
  );
  return secret;
}

/** Creates a one-time sign-in link, and returns its path in the dashboard. */
export async function createSignInPath(
  context: PoolContext,
  email: string,
  lifetimeSeconds = linkLifetimeSeconds,
): Promise<string> {
  return `/dashboard/#sign-in=${await createSignInSecret(context, email, lifetimeSeconds)}`;
}
