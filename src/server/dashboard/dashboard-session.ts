import { type Request, type Response, Router } from 'express';
import type { Adapters } from '../../domain/context.ts';
import { acceptInvitation } from '../../domain/sign-in/accept-invitation.ts';
import { mailSignInLink } from '../../domain/sign-in/mail-sign-in-link.ts';
import {
  endAllSessions,
  endListedSession,
  endSession,
  type FoundSession,
  findSession,
  listSessions,
  recordSessionUse,
  redeemSignInLink,
} from '../../domain/sign-in/operator-sessions.ts';
import { redeemMemberLink } from '../../domain/sign-in/redeem-member-link.ts';
import { consumeSignInLimit } from '../../domain/sign-in/sign-in-rate-limit.ts';
import {
  applyResponseDefaults,
  requestIdOf,
  requestOrigin,
  sendJson,
} from '../../http/exchange.ts';
import { DomainError } from '../../platform/errors.ts';
import { readJsonBody } from '../../rest/request/read-json-body.ts';
import { emailAddress } from '../../schema/input-rules.ts';
import { operatorClaims, signToken } from '../token.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from './session-cookie.ts';

const maxSecretLength = 200;
const startBodySchema = { properties: { secret: { type: 'string', maxLength: maxSecretLength } } };
const linkBodySchema = { properties: { email: { type: 'string', maxLength: 254 } } };
const tokenBodySchema = { properties: {} };

/**
 * Serves sign-in to the dashboard without Supabase Auth. The session is an HttpOnly, SameSite=Strict cookie. The page
 * exchanges it for access tokens, which are valid for an hour. Any GraphQL client can use such a token until the
 * session ends. `GET /all` lists the sessions of the operator, `DELETE /all/<id>` ends one of them, and `DELETE /all`
 * signs out everywhere. `POST /invitation` accepts the invitation of a link. `POST /link` sends a sign-in link by e-mail
 * if `mailsLinks`.
 */
export function dashboardSessionRouter(adapters: Adapters, settings: SessionSettings): Router {
  const router = Router({ caseSensitive: true });
  const requireSession = async (request: Request): Promise<FoundSession> => {
    const held = readSessionCookie(request);
    const session = held === null ? null : await findSession(adapters, held);
    if (session === null) throw unauthenticated();
    return session;
  };
  const sessionContext = (request: Request, response: Response) => ({
    prisma: adapters.prisma,
    origin: requestOrigin(request),
    requestId: requestIdOf(response),
  });
  router.use(applyResponseDefaults());

  router.post('/', async (request, response) => {
    const { secret } = await readJsonBody(request, { schema: startBodySchema, isRequired: true });
    const context = sessionContext(request, response);
    const session = isPossibleSecret(secret)
      ? ((await redeemSignInLink(context, secret)) ??
        (await redeemMemberLink(context, {
          linkSecret: secret,
          sessionSecret: readSessionCookie(request),
        })))
      : null;
    if (session === null) throw unauthenticated();
    setSessionCookie(request, response, session.secret);
    await sendAccessToken(response, settings, session);
  });

  // CSRF: a form on another site cannot send JSON, and the browser sends no SameSite=Strict cookie with the form.
  router.post('/invitation', async (request, response) => {
    const { secret } = await readJsonBody(request, { schema: startBodySchema, isRequired: true });
    const session = isPossibleSecret(secret)
      ? await acceptInvitation(sessionContext(request, response), {
          linkSecret: secret,
          sessionSecret: readSessionCookie(request),
        })
      : null;
    if (session === null) throw new DomainError('NOT_FOUND', 'The invitation is not valid');
    setSessionCookie(request, response, session.secret);
    await sendAccessToken(response, settings, session);
  });

  if (settings.mailsLinks) {
    router.post('/link', async (request, response) => {
      const { email } = await readJsonBody(request, { schema: linkBodySchema, isRequired: true });
      await consumeSignInLimit(adapters, request.ip ?? '', settings.secret);
      // The response comes first, so that its time does not reveal whether the address is a member.
      sendJson(response, 202, {});
      if (!isEmailAddress(email)) return;
      await mailSignInLink(adapters, email, settings.secret).catch((error: unknown) =>
        adapters.log.error({ err: error }, 'a sign-in link could not be created'),
      );
    });
  }

  router.post('/token', async (request, response) => {
    await readJsonBody(request, { schema: tokenBodySchema, isRequired: true });
    const session = await requireSession(request);
    await recordSessionUse(adapters, session.id);
    await sendAccessToken(response, settings, session);
  });

  router.get('/all', async (request, response) => {
    const current = await requireSession(request);
    const sessions = await listSessions(adapters, current);
    sendJson(response, 200, {
      sessions: sessions.map((session) => ({ ...session, isCurrent: session.id === current.id })),
    });
  });

  router.delete('/all/:id', async (request, response) => {
    const current = await requireSession(request);
    const context = sessionContext(request, response);
    await endListedSession(context, { ...current, id: request.params.id });
    if (request.params.id === current.id) clearSessionCookie(request, response);
    response.status(204).end();
  });

  router.delete('/all', async (request, response) => {
    const current = await requireSession(request);
    await endAllSessions(sessionContext(request, response), current);
    clearSessionCookie(request, response);
    response.status(204).end();
  });

  router.delete('/', async (request, response) => {
    const held = readSessionCookie(request);
    if (held !== null) await endSession(sessionContext(request, response), held);
    clearSessionCookie(request, response);
    response.status(204).end();
  });
  return router;
}

function unauthenticated(): DomainError {
  return new DomainError('UNAUTHENTICATED', 'There is no session: sign in again');
}

interface SessionSettings {
  readonly secret: Uint8Array;
  /** Whether operators can have a sign-in link sent to their address. */
  readonly mailsLinks: boolean;
  /** Lifetime of a token in seconds. Default: one hour. */
  readonly tokenSeconds?: number | undefined;
}

async function sendAccessToken(
  response: Response,
  { secret, tokenSeconds = 3_600 }: SessionSettings,
  { id, email }: FoundSession,
): Promise<void> {
  const accessToken = await signToken(secret, operatorClaims(email, id), tokenSeconds);
  sendJson(response, 200, { accessToken, expiresInSeconds: tokenSeconds });
}

function isPossibleSecret(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxSecretLength;
}

function isEmailAddress(value: unknown): value is string {
  return typeof value === 'string' && emailAddress.safeParse(value.toLowerCase()).success;
}
