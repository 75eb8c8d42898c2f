import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import type { Config } from './config.ts';
import type { TokenTrust } from './schema/authenticate.ts';

export type TokenClaims =
  | { readonly role: 'service_role' }
  | { readonly role: 'authenticated'; readonly sub: string; readonly email: string };

const secretFile = 'jwt-secret';
const lifetime = '12h';

/**
 * How operators' tokens are checked: with Supabase's keys or secret where it is configured, else with a
 * secret of our own, made at the first start and kept in the data directory for its owner only.
 */
export async function tokenTrust({ supabase, dataDir }: Config): Promise<TokenTrust> {
  if (supabase !== null && supabase.jwtSecret === null) {
    return { type: 'supabase', url: supabase.url };
  }
  const secret = supabase?.jwtSecret ?? (await localSecret(dataDir));
  return { type: 'secret', secret: new TextEncoder().encode(secret) };
}

/** A token as Supabase Auth makes them, signed with the shared secret. Valid for 12 hours. */
export async function signToken(secret: Uint8Array, claims: TokenClaims): Promise<string> {
  const token = new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(lifetime);
  return (claims.role === 'authenticated' ? token.setAudience('authenticated') : token).sign(
    secret,
  );
}

async function localSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, secretFile);
  const stored = await readFile(path, 'utf8').catch(() => null);
  if (stored !== null && stored !== '') return stored;

  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}.partial`;
  const file = await open(partial, 'wx', 0o600);
  try {
    await file.writeFile(randomBytes(48).toString('base64url'));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path).catch(() => rm(partial, { force: true }));
  return readFile(path, 'utf8');
}
