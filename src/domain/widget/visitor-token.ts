import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { DomainError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { VisitorCaller } from '../caller.ts';
import { type AuthenticatedWidget, requireValidIdentity } from './authenticate-widget-request.ts';

/**
 * Lifetime of a token. Each start of the widget issues a new token. So a visitor's token only expires if the visitor
 * stays away for longer.
 */
const lifetimeSeconds = 30 * 24 * 3_600;
/**
 * Differs from the issuer of operators' tokens, so that a token of one kind cannot be used as the other kind. Their
 * secrets also differ.
 */
const issuer = 'grounded-chat/widget';

/** A verified id of a visitor, and the version of the secret that verified it. */
export interface VerifiedIdentity {
  readonly userId: string;
  readonly version: number;
}

/**
 * Signs a visitor token. Without `visitorId`, the token is for a new visitor. The token is signed with the secret of
 * the project's widget, so it is valid only for that widget.
 */
export async function signVisitorToken(
  { visitorSecret }: Pick<AuthenticatedWidget, 'visitorSecret'>,
  visitorId: string = randomUUID(),
  identity: VerifiedIdentity | null = null,
): Promise<string> {
  return new SignJWT(
    identity === null ? {} : { userId: identity.userId, identityVersion: identity.version },
  )
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuer)
    .setSubject(visitorId)
    .setExpirationTime(new Date(Date.now() + lifetimeSeconds * 1_000))
    .sign(visitorSecret);
}

export interface VerifiedVisitor {
  readonly visitorId: string;
  readonly caller: VisitorCaller;
}

/**
 * Verifies a visitor token.
 * @throws DomainError UNAUTHENTICATED when the token is missing, invalid or expired, or from `requireValidIdentity`
 */
export async function verifyVisitorToken(
  widget: AuthenticatedWidget,
  authorization: string | undefined,
): Promise<VerifiedVisitor> {
  const token = /^Bearer (\S{1,2000})$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) throw invalidToken();
  const { visitorSecret, identity: _, ...widgetFields } = widget;
  try {
    const { payload } = await jwtVerify(token, visitorSecret, {
      algorithms: ['HS256'],
      issuer,
      requiredClaims: ['exp', 'sub'],
    });
    const visitorId = payload.sub ?? '';
    if (!isId(visitorId)) throw invalidToken();
    const expiresAt = new Date((payload.exp ?? 0) * 1_000);
    const { userId, identityVersion } = payload;
    const isVerified = typeof userId === 'string' && typeof identityVersion === 'number';
    const caller = {
      type: 'visitor',
      ...widgetFields,
      endUserId: isVerified ? userId : `visitor-${visitorId}`,
      identityVersion: isVerified ? identityVersion : null,
      expiresAt,
    } as const;
    requireValidIdentity(widget, caller.identityVersion);
    return { visitorId, caller };
  } catch (cause) {
    throw cause instanceof errors.JOSEError ? invalidToken(cause) : cause;
  }
}

function invalidToken(cause?: Error): DomainError {
  return new DomainError('UNAUTHENTICATED', 'The visitor session has expired: start a new one', {
    cause,
  });
}
