import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { authenticateKey } from '../domain/api-keys/authenticate-key.ts';
import type { Caller } from '../domain/caller.ts';
import type { Adapters } from '../domain/context.ts';
import { DomainError } from '../domain/errors.ts';
import { isId } from '../domain/ids.ts';
import { requireWithinRateLimit } from '../domain/usage/rate-limit.ts';

/** How operators' tokens are checked: a shared secret (HS256), or the published keys of a Supabase project. */
export type TokenTrust =
  | {
      readonly type: 'secret';
      readonly secret: Uint8Array;
      /** Who may have issued the tokens, beside our own command line. */
      readonly issuers: readonly string[];
    }
  | { readonly type: 'supabase'; readonly url: string };

export type Authenticate = (authorization: string | null) => Promise<Caller>;

/** The issuer of tokens that our own command line signs with the shared secret. */
export const ownIssuer = 'grounded-chat';

const audience = 'authenticated';
const clockToleranceSeconds = 5;

/**
 * Who is behind an `Authorization` header: an API key, an operator or the service role with a token of
 * Supabase Auth, or no one where there is no header. Throws `UNAUTHENTICATED` for anything that is not valid,
 * `RATE_LIMITED` for a key with too many requests, and `UNAVAILABLE` while the published keys cannot be fetched.
 */
export function createAuthenticate(adapters: Adapters, trust: TokenTrust): Authenticate {
  const verify = createVerify(trust);
  return async (authorization) => {
    if (authorization === null) return { type: 'anonymous' };
    const token = /^Bearer (\S+)$/i.exec(authorization)?.[1];
    if (token === undefined || token.startsWith('sk_')) {
      const { caller, rateLimit } = await authenticateKey(adapters, authorization);
      requireWithinRateLimit(rateLimit);
      return caller;
    }
    return callerOf(await verify(token));
  };
}

/** The algorithms are ours to say: one that the token chose could take a public key for a secret. */
function createVerify(trust: TokenTrust): (token: string) => Promise<JWTPayload> {
  if (trust.type === 'secret') {
    const { secret } = trust;
    const issuer = [ownIssuer, ...trust.issuers];
    const algorithms = ['HS256'];
    return (token) => verified(jwtVerify(token, secret, { algorithms, issuer, ...requirements }));
  }
  const issuer = `${trust.url}/auth/v1`;
  const keys: JWTVerifyGetKey = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), {
    timeoutDuration: 5_000,
  });
  const algorithms = ['ES256', 'RS256'];
  return (token) => verified(jwtVerify(token, keys, { algorithms, issuer, ...requirements }));
}

const requirements = { requiredClaims: ['exp', 'role'], clockTolerance: clockToleranceSeconds };

async function verified(result: Promise<{ payload: JWTPayload }>): Promise<JWTPayload> {
  try {
    return (await result).payload;
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) {
      throw new DomainError('UNAUTHENTICATED', 'The token has expired', { cause });
    }
    if (faultsOfTokens.some((fault) => cause instanceof fault)) {
      throw new DomainError('UNAUTHENTICATED', 'The token is not valid', { cause });
    }
    throw new DomainError('UNAVAILABLE', 'Tokens cannot be checked at the moment', {
      cause,
      retryable: true,
    });
  }
}

/** Everything else, such as published keys that cannot be fetched, is no fault of the caller. */
const faultsOfTokens = [
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
];

function callerOf(claims: JWTPayload): Caller {
  const { role, sub, aud, exp = 0 } = claims;
  const expiresAt = new Date((exp + clockToleranceSeconds) * 1_000);
  if (role === 'service_role') return { type: 'service', expiresAt };
  const isOperator = role === 'authenticated' && [aud].flat().includes(audience);
  if (!isOperator || sub === undefined || !isId(sub)) {
    throw new DomainError('UNAUTHENTICATED', 'The token is not one of an operator');
  }
  return { type: 'operator', userId: sub, email: verifiedEmail(claims), expiresAt };
}

/**
 * The address, if it is the operator's for certain: invitations are for whoever can read its mail. Supabase Auth says
 * so in `user_metadata`, a hook of its project may say so beside `email`. Of our own command line's tokens, which only
 * the shared secret can sign, it is believed.
 */
function verifiedEmail(claims: JWTPayload): string | null {
  const {
    iss,
    email,
    email_verified: byHook,
    user_metadata: metadata,
    is_anonymous: isAnonymous,
  } = claims;
  if (typeof email !== 'string' || email === '' || isAnonymous === true) return null;
  const bySupabase =
    typeof metadata === 'object' && metadata !== null && Reflect.get(metadata, 'email_verified');
  const isVerified = iss === ownIssuer || (byHook ?? bySupabase) === true;
  return isVerified ? email : null;
}
