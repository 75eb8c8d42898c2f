import { join } from 'node:path';
import { SignJWT } from 'jose';
import type { Config, SupabaseConfig } from '../config/config.ts';
import { operatorUserId } from '../domain/organizations/operator-user-id.ts';
import type { SupabaseUsersSettings } from '../platform/supabase-users.ts';
import type { TokenVerification } from '../schema/serving/authenticate.ts';
import { cliTokenIssuer } from '../schema/serving/caller-from-claims.ts';
import { readOrCreateSecretFile } from './secret-file.ts';

export type TokenClaims =
  | { readonly role: 'service_role' }
  | {
      readonly role: 'authenticated';
      readonly sub: string;
      readonly email: string;
      readonly sid?: string;
    };

const secretFile = 'jwt-secret';
const defaultLifetimeSeconds = 12 * 60 * 60;

/**
 * Returns how operators' tokens are verified. With Supabase, its published keys or its secret verify the tokens.
 * Without Supabase, the configured secret verifies them. If no secret is configured, the service uses a secret that the
 * first start creates in the data directory, readable only by its owner.
 */
export async function loadTokenVerification({
  supabase,
  jwtSecret,
  dataDir,
}: Config): Promise<TokenVerification> {
  const users = supabase === null ? undefined : supabaseUsers(supabase);
  if (supabase !== null && users !== undefined && supabase.jwtSecret === null) {
    return { type: 'supabase', url: supabase.url, users, serviceKey: supabase.secretKey };
  }
  const secret =
    supabase?.jwtSecret ??
    jwtSecret ??
    (await readOrCreateSecretFile(join(dataDir, secretFile), 48, 'base64url'));
  const issuers = supabase === null ? [] : [`${supabase.url}/auth/v1`, ...supabaseKeyIssuers];
  const encoded = new TextEncoder().encode(secret);
  const verification = { type: 'secret', secret: encoded, issuers } as const;
  if (supabase === null || users === undefined) return verification;
  return { ...verification, users, serviceKey: supabase.secretKey, projectUrl: supabase.url };
}

function supabaseUsers({ url, publishableKey, secretKey }: SupabaseConfig): SupabaseUsersSettings {
  return { url, apiKey: publishableKey ?? secretKey };
}

/**
 * Issuers of `service_role` keys that Supabase signs with a project's secret: in hosted projects, and in the local CLI.
 */
const supabaseKeyIssuers = ['supabase', 'supabase-demo'];

/**
 * Returns the claims of a local operator. The user id is derived from the e-mail address. A token with a session id
 * becomes invalid when that session ends.
 */
export function operatorClaims(email: string, sessionId?: string): TokenClaims {
  const address = email.toLowerCase();
  const claims = { role: 'authenticated', email: address, sub: operatorUserId(address) } as const;
  return sessionId === undefined ? claims : { ...claims, sid: sessionId };
}

/** Signs a token in the format of Supabase Auth, with our own issuer and the shared secret. Default lifetime: 12 hours. */
export async function signToken(
  secret: Uint8Array,
  claims: TokenClaims,
  expiresInSeconds = defaultLifetimeSeconds,
): Promise<string> {
  const token = new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(cliTokenIssuer)
    .setIssuedAt()
    .setExpirationTime(new Date(Date.now() + expiresInSeconds * 1_000));
  return (claims.role === 'authenticated' ? token.setAudience('authenticated') : token).sign(
    secret,
  );
}
