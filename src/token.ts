import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SignJWT } from 'jose';
import { v5 } from 'uuid';
import type { Config } from './config.ts';
import { ownIssuer, type TokenTrust } from './schema/authenticate.ts';

export type TokenClaims =
  | { readonly role: 'service_role' }
  | { readonly role: 'authenticated'; readonly sub: string; readonly email: string };

const secretFile = 'jwt-secret';
const lifetimeSeconds = 12 * 60 * 60;

/**
 * How operators' tokens are checked: with Supabase's keys or secret where it is configured, else with a secret of our
 * own: the configured one, or one made at the first start and kept in the data directory for its owner only.
 */
export async function tokenTrust({ supabase, jwtSecret, dataDir }: Config): Promise<TokenTrust> {
  if (supabase !== null && supabase.jwtSecret === null) {
    return { type: 'supabase', url: supabase.url };
  }
  const secret = supabase?.jwtSecret ?? jwtSecret ?? (await localSecret(dataDir));
  const issuers = supabase === null ? [] : [`${supabase.url}/auth/v1`, ...keyIssuers];
  return { type: 'secret', secret: new TextEncoder().encode(secret), issuers };
}

/** Of the `service_role` keys that Supabase has signed with a project's secret, hosted and by its command line. */
const keyIssuers = ['supabase', 'supabase-demo'];

/** Local operators are known by their address: the same one always gives the same user id. */
export function operatorClaims(email: string): TokenClaims {
  const address = email.toLowerCase();
  return { role: 'authenticated', email: address, sub: v5(address, v5.URL) };
}

/** A token like those of Supabase Auth, but with our name as issuer, signed with the shared secret. Valid for 12 hours unless said. */
export async function signToken(
  secret: Uint8Array,
  claims: TokenClaims,
  validSeconds = lifetimeSeconds,
): Promise<string> {
  const token = new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(ownIssuer)
    .setIssuedAt()
    .setExpirationTime(new Date(Date.now() + validSeconds * 1_000));
  return (claims.role === 'authenticated' ? token.setAudience('authenticated') : token).sign(
    secret,
  );
}

async function localSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, secretFile);
  const secret = (await fileText(path)) ?? (await makeSecret(path));
  if (secret === '') throw new Error(`${path} is empty: remove it, and a new secret is made`);
  return secret;
}

/** The first of several processes that start at once makes it: a link, unlike a rename, replaces nothing. */
async function makeSecret(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    await writeFile(partial, randomBytes(48).toString('base64url'), {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
    await link(partial, path).catch(ignore('EEXIST'));
  } finally {
    await rm(partial, { force: true });
  }
  return readFile(path, 'utf8');
}

function fileText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(ignore('ENOENT'));
}

function ignore(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
    return undefined;
  };
}
