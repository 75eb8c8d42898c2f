import type { JWTPayload } from 'jose';
import type { Caller } from '../../domain/caller.ts';
import { DomainError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';

/** Issuer (`iss`) of tokens that the command line signs with the shared secret. */
export const cliTokenIssuer = 'grounded-chat';

/** Audience (`aud`) of tokens of the dashboard and GraphQL. */
export const defaultAudience = 'authenticated';
export const clockToleranceSeconds = 5;

/**
 * Returns the caller of a verified token. The address of an operator is not verified yet.
 * @throws DomainError UNAUTHENTICATED when the token has another audience, or belongs neither to an operator nor to the
 * service role
 */
export function callerFromClaims(claims: JWTPayload, audience: string): Caller {
  const { role, sub, exp = 0 } = claims;
  const expiresAt = new Date((exp + clockToleranceSeconds) * 1_000);
  if (role === 'service_role') return { type: 'service', expiresAt };
  const isOperator = role === 'authenticated' && isForAudience(claims, audience);
  // Postgres cannot store NUL or lone surrogates.
  const isEmailText = typeof claims.email !== 'string' || isStorableText(claims.email);
  if (!isOperator || sub === undefined || !isId(sub) || !isEmailText) {
    throw new DomainError('UNAUTHENTICATED', 'The token does not belong to an operator');
  }
  const operator = {
    type: 'operator',
    userId: sub,
    email: claimedEmail(claims),
    expiresAt,
  } as const;
  const sessionId = sessionIdOf(claims);
  return sessionId === undefined ? operator : { ...operator, sessionId };
}

/**
 * A token for another part of the service must not also name the default audience. Supabase Auth gives tokens of OAuth
 * clients (`client_id`) the default audience, unless a hook of the project sets another one.
 * @throws DomainError UNAUTHENTICATED when an OAuth client presents a token for the default audience
 */
function isForAudience({ aud, client_id: clientId }: JWTPayload, audience: string): boolean {
  const audiences = [aud].flat();
  if (!audiences.includes(audience)) return false;
  if (audience !== defaultAudience) return !audiences.includes(defaultAudience);
  if (clientId === undefined || clientId === null) return true;
  const message = 'The token belongs to an OAuth client, which may use the MCP server only';
  throw new DomainError('UNAUTHENTICATED', message);
}

/** Returns the session id of a dashboard token. Other tokens contain no session id of this service. */
function sessionIdOf({ iss, sid }: JWTPayload): string | undefined {
  return iss === cliTokenIssuer && sid !== undefined ? String(sid) : undefined;
}

function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

function claimedEmail({ email, is_anonymous: isAnonymous }: JWTPayload): string | null {
  return typeof email === 'string' && email !== '' && isAnonymous !== true ? email : null;
}
