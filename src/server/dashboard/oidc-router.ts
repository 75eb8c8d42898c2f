import { type Request, type Response, Router } from 'express';
import type { OidcSettings } from '../../config/oidc-settings.ts';
import { type Adapters, createContext } from '../../domain/context.ts';
import type { OidcRefusal } from '../../domain/sign-in/oidc-policy.ts';
import { requiredClaims } from '../../domain/sign-in/read-oidc-identity.ts';
import { consumeSignInLimit } from '../../domain/sign-in/sign-in-rate-limit.ts';
import { signInWithOidc } from '../../domain/sign-in/sign-in-with-oidc.ts';
import { applyResponseDefaults, requestIdOf, requestOrigin } from '../../http/exchange.ts';
import { DomainError } from '../../platform/errors.ts';
import { createOidcProvider, OidcError } from '../../platform/oidc/oidc-provider.ts';
import { createOidcCookies } from './oidc-cookie.ts';
import type { OidcButton } from './serve-dashboard.ts';
import { setSessionCookie } from './session-cookie.ts';

/** Path at which the router is mounted. */
export const oidcPath = '/dashboard/session/oidc';

export interface OidcMount {
  readonly settings: OidcSettings;
  /** Origin at which browsers reach the service. */
  readonly publicUrl: string;
  /** Secret that signs operators' tokens. Every process has it. */
  readonly secret: Uint8Array;
  readonly stopping: AbortSignal;
}

/** Codes of failures that the sign-in page explains. `expired`: the browser has no pending sign-in for the callback. */
type SignInFailure = OidcRefusal | 'denied' | 'expired' | 'invalid' | 'unavailable' | 'busy';

/** Returns the data that the sign-in page needs for its button. */
export function oidcButton({ name }: OidcSettings, publicUrl: string): OidcButton {
  return { name, url: `${publicUrl}${oidcPath}` };
}

/**
 * Serves the sign-in with an OIDC provider. `GET /` redirects to the provider. The provider redirects to `GET
 * /callback`, which starts a session of the dashboard. After a failure, the browser is redirected to the sign-in page,
 * with the code of the failure in the fragment.
 */
export function oidcRouter(adapters: Adapters, mount: OidcMount): Router {
  const { settings, publicUrl, secret, stopping } = mount;
  const { policy } = settings;
  const isSecure = publicUrl.startsWith('https:');
  const provider = createOidcProvider({
    ...settings,
    redirectUri: `${publicUrl}${oidcPath}/callback`,
  });
  const cookies = createOidcCookies(secret, { path: oidcPath, isSecure });
  const countRequest = (request: Request) => consumeSignInLimit(adapters, request.ip ?? '', secret);
  const router = Router({ caseSensitive: true });
  router.use(applyResponseDefaults());

  router.get(
    '/',
    explainFailures(mount, adapters, async (request, response) => {
      await countRequest(request);
      const { url, attempt } = await provider.begin();
      const returnTo = readReturnPath(request.query.returnTo);
      await cookies.set(request, response, { ...attempt, returnTo });
      response.redirect(303, url.href);
      return undefined;
    }),
  );

  router.get(
    '/callback',
    explainFailures(mount, adapters, async (request, response) => {
      await countRequest(request);
      const { state } = request.query;
      const pending =
        typeof state === 'string' ? await cookies.take(request, response, state) : null;
      if (pending === null) return 'expired';
      const query = request.originalUrl.slice(request.originalUrl.indexOf('?') + 1);
      const claims = await provider.redeem(query, pending, requiredClaims(policy));
      const scope = {
        signal: stopping,
        requestId: requestIdOf(response),
        origin: requestOrigin(request),
      };
      const context = createContext(adapters, { type: 'service' }, scope);
      const session = await signInWithOidc(context, claims, policy);
      if (typeof session === 'string') return session;
      setSessionCookie(request, response, session.secret, isSecure);
      response.redirect(303, `${publicUrl}${pending.returnTo}`);
      return undefined;
    }),
  );
  return router;
}

type SignInStep = (request: Request, response: Response) => Promise<SignInFailure | undefined>;

/** If the step fails for a reason that a person can fix, redirects to the sign-in page. */
function explainFailures({ publicUrl }: OidcMount, { log }: Adapters, step: SignInStep) {
  return async (request: Request, response: Response): Promise<void> => {
    const requestId = requestIdOf(response);
    const failure = await step(request, response).catch((error: unknown) => {
      const failure = failureOf(error);
      if (failure === null) throw error;
      if (error instanceof OidcError && failure !== 'denied') {
        log.warn({ err: error, requestId }, 'the OIDC provider failed');
      }
      return failure;
    });
    if (failure === undefined) return;
    log.info({ requestId, failure }, 'sign-in with the OIDC provider refused');
    response.redirect(303, `${publicUrl}/dashboard/#sign-in-failed=${failure}`);
  };
}

/** Returns null if the error is a fault of the service. */
function failureOf(error: unknown): SignInFailure | null {
  if (error instanceof OidcError) return error.reason;
  return error instanceof DomainError && error.code === 'RATE_LIMITED' ? 'busy' : null;
}

const maxPathLength = 1_000;

/** Returns a path of the dashboard. If the value is anything else, such as another site, returns the first page. */
function readReturnPath(value: unknown): string {
  const start = '/dashboard/';
  if (typeof value !== 'string' || value.length > maxPathLength) return start;
  const base = 'http://dashboard.invalid';
  const url = URL.parse(value, base);
  if (!value.startsWith(start) || url?.origin !== base || !url.pathname.startsWith(start)) {
    return start;
  }
  return `${url.pathname}${url.search}`;
}
