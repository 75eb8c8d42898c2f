import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { VisitorCaller } from '../caller.ts';
import { DomainError } from '../errors.ts';
import { isId } from '../ids.ts';
import type { OpenWidget } from './open-widget.ts';

/** Of a token that is not used; each start of the chat gives a new one. */
const lifetimeSeconds = 30 * 24 * 3_600;
/** Nobody else's tokens have it: those of operators have another, and another secret. */
const issuer = 'grounded-chat/widget';

/**
 * A token by which a visitor goes on with its conversations, a new visitor without one. It names a visitor of one
 * project, is signed with that project's own secret, and is good for nothing but the widget.
 */
export async function signVisitorToken(
  { visitorSecret }: Pick<OpenWidget, 'visitorSecret'>,
  visitorId: string = randomUUID(),
): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuer)
    .setSubject(visitorId)
    .setExpirationTime(new Date(Date.now() + lifetimeSeconds * 1_000))
    .sign(visitorSecret);
}

export interface Visitor {
  readonly visitorId: string;
  readonly caller: VisitorCaller;
}

/** Who holds a token of the widget's. Throws `UNAUTHENTICATED`. */
export async function verifyVisitor(
  widget: OpenWidget,
  authorization: string | undefined,
): Promise<Visitor> {
  const token = /^Bearer (\S{1,1000})$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) throw refusal();
  const { visitorSecret, ...place } = widget;
  try {
    const { payload } = await jwtVerify(token, visitorSecret, {
      algorithms: ['HS256'],
      issuer,
      requiredClaims: ['exp', 'sub'],
    });
    const visitorId = payload.sub ?? '';
    if (!isId(visitorId)) throw refusal();
    const expiresAt = new Date((payload.exp ?? 0) * 1_000);
    const caller = {
      type: 'visitor',
      ...place,
      endUserId: `visitor-${visitorId}`,
      expiresAt,
    } as const;
    return { visitorId, caller };
  } catch (cause) {
    throw cause instanceof errors.JOSEError ? refusal(cause) : cause;
  }
}

function refusal(cause?: Error): DomainError {
  return new DomainError('UNAUTHENTICATED', 'The visit has ended: start a new one', { cause });
}
