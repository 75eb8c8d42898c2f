import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { authenticateKey } from '../domain/api-keys/authenticate-key.ts';
import type { Caller } from '../domain/caller.ts';
import type { Adapters } from '../domain/context.ts';
import { DomainError } from '../domain/errors.ts';
import { isId } from '../domain/ids.ts';
import { requireWithinRateLimit } from '../domain/usage/rate-limit.ts';

/** How operators' tokens are checked: a shared secret (HS256), or the published keys of a Supabase project. */
export type TokenTrust =
  | { readonly type: 'secret'; readonly secret: Uint8Array }
  | { readonly type: 'supabase'; readonly url: string };

export type Authenticate = (authorization: string | null) => Promise<Caller>;

const audience = 'authenticated';
const clockToleranceSeconds = 5;

/**
 * Who is behind an `Authorization` header: an API key, an operator or the service role with a token of
 * Supabase Auth, or no one where there is no header. Throws `UNAUTHENTICATED` for anything that is not valid, and
 * `RATE_LIMITED` for a key with too many requests.
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

function createVerify(trust: TokenTrust): (token: string) => Promise<JWTPayload> {
  if (trust.type === 'secret') {
    return (token) =>
      verified(jwtVerify(token, trust.secret, { algorithms: ['HS256'], ...requirements }));
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
    if (cause instanceof errors.JWKSTimeout) {
      throw new DomainError('UNAVAILABLE', 'Tokens cannot be checked at the moment', {
        cause,
        retryable: true,
      });
    }
    throw new DomainError('UNAUTHENTICATED', 'The token is not valid', { cause });
  }
}

function callerOf({ role, sub, email, aud }: JWTPayload): Caller {
  if (role === 'service_role') return { type: 'service' };
  const isOperator = role === 'authenticated' && (aud === audience || aud?.includes(audience));
  if (!isOperator || sub === undefined || !isId(sub)) {
    throw new DomainError('UNAUTHENTICATED', 'The token is not one of an operator');
  }
  return { type: 'operator', userId: sub, email: typeof email === 'string' ? email : null };
}
