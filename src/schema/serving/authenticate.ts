import { timingSafeEqual } from 'node:crypto';
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { authenticateKey } from '../../domain/api-keys/authenticate-key.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Adapters } from '../../domain/context.ts';
import { createEmailConfirmation } from '../../domain/sign-in/operator-emails.ts';
import { requireActiveSession } from '../../domain/sign-in/operator-sessions.ts';
import {
  type CallerRateLimits,
  consumeCallerRateLimit,
} from '../../domain/usage/operator-rate-limit.ts';
import { requireWithinRateLimit } from '../../domain/usage/rate-limit.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashSecret } from '../../platform/hash-secret.ts';
import { fetchConfirmedEmail, type SupabaseUsersSettings } from '../../platform/supabase-users.ts';
import { userAgent } from '../../platform/version.ts';
import {
  callerFromClaims,
  cliTokenIssuer,
  clockToleranceSeconds,
  defaultAudience,
} from './caller-from-claims.ts';

/** How operator tokens are verified: by a shared secret (HS256) or by the public keys of a Supabase project. */
export type TokenVerification =
  | {
      readonly type: 'secret';
      readonly secret: Uint8Array;
      /** Accepted issuers (`iss`). `cliTokenIssuer` is always accepted in addition. */
      readonly issuers: readonly string[];
      /**
       * Supabase Auth, which confirms e-mail addresses in tokens of `issuers`. Without it, these addresses are not
       * trusted.
       */
      readonly users?: SupabaseUsersSettings;
      readonly serviceKey?: string;
      /**
       * Supabase project whose published keys are also accepted, while the project moves from the secret to signing
       * keys.
       */
      readonly projectUrl?: string;
    }
  | {
      readonly type: 'supabase';
      readonly url: string;
      readonly users: SupabaseUsersSettings;
      /**
       * Secret key of the project (`sb_secret_…` or `service_role`). A caller with this key is accepted as the service
       * role.
       */
      readonly serviceKey?: string;
    };

export type Authenticator = (authorization: string | null) => Promise<Caller>;

/**
 * Returns a function that determines the caller from an `Authorization` header: an API key, an operator or the service
 * role. Without the header, the caller is anonymous. Operator tokens must name `audience` in `aud`. So the function
 * refuses tokens for another part of the service. If `audience` is the default audience, it also refuses tokens of
 * OAuth clients. The returned function throws these errors:
 * @throws DomainError UNAUTHENTICATED when the key or token is invalid
 * @throws DomainError RATE_LIMITED when the caller has sent too many requests
 * @throws DomainError UNAVAILABLE when the public keys cannot be fetched, or Supabase Auth cannot confirm the address
 */
export function createAuthenticator(
  adapters: Adapters,
  verification: TokenVerification,
  limits: CallerRateLimits = { operatorRequestsPerMinute: 0, serviceRequestsPerMinute: 0 },
  audience: string = defaultAudience,
): Authenticator {
  const verify = createTokenVerifier(verification);
  const isEmailVerified = createEmailCheck(adapters, verification);
  const isServiceKey = createServiceKeyCheck(verification);
  return async (authorization) => {
    if (authorization === null) return { type: 'anonymous' };
    const token = /^Bearer (\S+)$/i.exec(authorization)?.[1];
    if (token === undefined || token.startsWith('sk_')) {
      const { caller, rateLimit } = await authenticateKey(adapters, authorization);
      requireWithinRateLimit(rateLimit);
      return caller;
    }
    if (isServiceKey(token)) {
      await consumeCallerRateLimit(adapters, { type: 'service' }, limits);
      return { type: 'service' };
    }
    const claims = await verify(token);
    const caller = await withSessionLimit(adapters, callerFromClaims(claims, audience));
    await consumeCallerRateLimit(adapters, caller, limits);
    if (caller.type !== 'operator' || caller.email === null) return caller;
    return (await isEmailVerified(token, claims, caller)) ? caller : { ...caller, email: null };
  };
}

/**
 * Checks that the session of the token is active. If the session is limited to some organizations, adds these to the
 * caller.
 * @throws DomainError UNAUTHENTICATED when the session of the token has ended
 */
async function withSessionLimit(adapters: Adapters, caller: Caller): Promise<Caller> {
  if (caller.type !== 'operator' || caller.sessionId === undefined) return caller;
  const { organizationIds } = await requireActiveSession(adapters, caller.sessionId);
  return organizationIds === null ? caller : { ...caller, organizationIds };
}

/**
 * Returns a function that compares a token with the project's secret key. The comparison takes the same time for every
 * key.
 */
function createServiceKeyCheck({ serviceKey }: TokenVerification): (token: string) => boolean {
  if (serviceKey === undefined) return () => false;
  const expected = hashSecret(serviceKey);
  return (token) => timingSafeEqual(hashSecret(token), expected);
}

/**
 * Accepts only fixed algorithms. Otherwise an attacker could sign a token with HS256 and the public key as the secret.
 */
function createTokenVerifier(
  verification: TokenVerification,
): (token: string) => Promise<JWTPayload> {
  if (verification.type === 'supabase') return createPublishedKeyVerifier(verification.url);
  const { secret, projectUrl } = verification;
  const issuer = [cliTokenIssuer, ...verification.issuers];
  const algorithms = ['HS256'];
  const verifyBySecret = (token: string) =>
    mapVerificationErrors(jwtVerify(token, secret, { algorithms, issuer, ...claimRequirements }));
  if (projectUrl === undefined) return verifyBySecret;
  const verifyByKeys = createPublishedKeyVerifier(projectUrl);
  return (token) =>
    claimsPublishedKey(token, projectUrl) ? verifyByKeys(token) : verifyBySecret(token);
}

const publicKeyAlgorithms: readonly string[] = ['ES256', 'RS256'];

function createPublishedKeyVerifier(projectUrl: string): (token: string) => Promise<JWTPayload> {
  const issuer = `${projectUrl}/auth/v1`;
  const keys: JWTVerifyGetKey = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), {
    timeoutDuration: 5_000,
    headers: { 'User-Agent': userAgent },
  });
  const algorithms = [...publicKeyAlgorithms];
  return (token) =>
    mapVerificationErrors(jwtVerify(token, keys, { algorithms, issuer, ...claimRequirements }));
}

/**
 * Whether a token claims to be signed with a published key of this project. The claim selects only the kind of key, and
 * each kind of key accepts only its own algorithms.
 */
function claimsPublishedKey(token: string, projectUrl: string): boolean {
  try {
    const { alg = '' } = decodeProtectedHeader(token);
    return publicKeyAlgorithms.includes(alg) && decodeJwt(token).iss === `${projectUrl}/auth/v1`;
  } catch {
    return false;
  }
}

const claimRequirements = {
  requiredClaims: ['exp', 'role'],
  clockTolerance: clockToleranceSeconds,
};

async function mapVerificationErrors(
  result: Promise<{ payload: JWTPayload }>,
): Promise<JWTPayload> {
  try {
    return (await result).payload;
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) {
      throw new DomainError('UNAUTHENTICATED', 'The token has expired', { cause });
    }
    if (invalidTokenErrors.some((fault) => cause instanceof fault)) {
      throw new DomainError('UNAUTHENTICATED', 'The token is not valid', { cause });
    }
    throw new DomainError(
      'UNAVAILABLE',
      'The token cannot be verified at the moment: try again later',
      { cause, retryable: true },
    );
  }
}

/**
 * Errors that mean that the token is not valid. All other errors, such as unreachable public keys, are failures of the
 * service.
 */
const invalidTokenErrors = [
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
];

type EmailCheck = (
  token: string,
  claims: JWTPayload,
  operator: { readonly userId: string; readonly email: string | null },
) => Promise<boolean>;

/**
 * Returns a function that checks whether the address in a token is verified. Only a verified address can accept an
 * invitation. The function never reads `user_metadata`, which users write themselves. If the token has the claim
 * `email_verified`, at the top level or in `app_metadata`, the claim decides. Only an auth hook of the project or a
 * holder of the secret can set this claim. Without the claim, tokens of our own issuer are trusted. For all other
 * tokens, the function asks Supabase Auth.
 */
function createEmailCheck(adapters: Adapters, { users }: TokenVerification): EmailCheck {
  const confirm =
    users === undefined
      ? null
      : createEmailConfirmation(adapters, (token) => fetchConfirmedEmail(users, token));
  return async (token, claims, { userId, email }) => {
    const claimed = claims.email_verified ?? readAppMetadata(claims, 'email_verified');
    if (claimed !== undefined) return claimed === true;
    if (claims.iss === cliTokenIssuer) return true;
    if (email === null || confirm === null) return false;
    return confirm(token, { userId, email });
  };
}

function readAppMetadata({ app_metadata: metadata }: JWTPayload, name: string): unknown {
  return typeof metadata === 'object' && metadata !== null
    ? Reflect.get(metadata, name)
    : undefined;
}
