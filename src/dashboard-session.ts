import { type CookieOptions, type Request, type Response, Router } from 'express';
import type { Adapters } from './domain/context.ts';
import { DomainError } from './domain/errors.ts';
import {
  continueSession,
  endSession,
  sessionLifetimeSeconds,
  startSession,
} from './domain/sign-in/operator-sessions.ts';
import { prepareResponse } from './rest/prepare-response.ts';
import { readJsonBody } from './rest/read-json-body.ts';
import { sendJson } from './rest/send-json.ts';
import { operatorClaims, signToken } from './token.ts';

const cookieName = 'grounded_session';
const maxSecretLength = 200;
const startBody = { properties: { secret: { type: 'string', maxLength: maxSecretLength } } };
const tokenBody = { properties: {} };

/**
 * Signing in to the dashboard without Supabase Auth. The session is a cookie that no script can read and no other site
 * can send; the page gets tokens of an hour by it, as any GraphQL client has them.
 */
export function dashboardSessionRouter(adapters: Adapters, settings: TokenSettings): Router {
  const router = Router({ caseSensitive: true });
  router.use(prepareResponse());

  router.post('/', async (request, response) => {
    const { secret } = await readJsonBody(request, { schema: startBody, isRequired: true });
    const session = isShortText(secret) ? await startSession(adapters, secret) : null;
    if (session === null) throw refusal();
    setCookie(request, response, session.secret);
    await answerToken(response, settings, session.email);
  });

  // A form of another site cannot send JSON; the cookie is not sent for one either.
  router.post('/token', async (request, response) => {
    await readJsonBody(request, { schema: tokenBody, isRequired: true });
    const held = cookieOf(request);
    const session = held === null ? null : await continueSession(adapters, held);
    if (held === null || session === null) throw refusal();
    setCookie(request, response, held);
    await answerToken(response, settings, session.email);
  });

  router.delete('/', async (request, response) => {
    const held = cookieOf(request);
    if (held !== null) await endSession(adapters, held);
    response.clearCookie(cookieName, cookieOptions(request)).status(204).end();
  });
  return router;
}

function refusal(): DomainError {
  return new DomainError('UNAUTHENTICATED', 'There is no session: sign in again');
}

interface TokenSettings {
  readonly secret: Uint8Array;
  /** How long a token lasts: an hour, if it is not said. */
  readonly tokenSeconds?: number | undefined;
}

async function answerToken(
  response: Response,
  { secret, tokenSeconds = 3_600 }: TokenSettings,
  email: string,
): Promise<void> {
  const accessToken = await signToken(secret, operatorClaims(email), tokenSeconds);
  sendJson(response, 200, { accessToken, expiresInSeconds: tokenSeconds });
}

function setCookie(request: Request, response: Response, secret: string): void {
  const maxAge = sessionLifetimeSeconds * 1_000;
  response.cookie(cookieName, secret, { ...cookieOptions(request), maxAge });
}

/** Behind a proxy that ends TLS the page's own address is what tells. */
function cookieOptions(request: Request): CookieOptions {
  const isSecure = request.secure || request.get('Origin')?.startsWith('https:') === true;
  return { httpOnly: true, sameSite: 'strict', secure: isSecure, path: '/dashboard/session' };
}

function cookieOf(request: Request): string | null {
  const pairs = (request.get('Cookie') ?? '').split(';').map((pair) => pair.trim());
  const held = pairs.find((pair) => pair.startsWith(`${cookieName}=`));
  return held?.slice(cookieName.length + 1) || null;
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxSecretLength;
}
