import type { CookieOptions, Request, Response } from 'express';
import { sessionLifetimeSeconds } from '../../domain/sign-in/operator-sessions.ts';

const cookieName = 'grounded_session';

/** `isSecure`: whether the page uses HTTPS. Needed if the request itself does not show it. */
export function setSessionCookie(
  request: Request,
  response: Response,
  secret: string,
  isSecure = false,
): void {
  const { secure, ...options } = cookieOptions(request);
  const maxAge = sessionLifetimeSeconds * 1_000;
  response.cookie(cookieName, secret, { ...options, secure: secure || isSecure, maxAge });
}

export function clearSessionCookie(request: Request, response: Response): void {
  response.clearCookie(cookieName, cookieOptions(request));
}

export function readSessionCookie(request: Request): string | null {
  return readCookies(request).get(cookieName) || null;
}

/** Returns the cookies of the request. If several cookies have the same name, the first one counts. */
export function readCookies(request: Request): ReadonlyMap<string, string> {
  const pairs = (request.get('Cookie') ?? '').split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return [name, value.join('=')] as const;
  });
  return new Map(pairs.reverse());
}

/** Behind a proxy that terminates TLS, only the Origin header shows that the page uses HTTPS. */
function cookieOptions(request: Request) {
  const secure = request.secure || request.get('Origin')?.startsWith('https:') === true;
  return {
    httpOnly: true,
    sameSite: 'strict',
    secure,
    path: '/dashboard/session',
  } satisfies CookieOptions;
}
