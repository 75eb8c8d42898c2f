import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';

type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** An OpenID provider. It signs in the account that the browser names, and shows no page. */
export interface OidcServer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Claims of the accounts, by subject. */
  readonly accounts: Map<string, JWTPayload>;
  /**
   * Subject of the account that signs in next. If the browser sends the header `X-Account`, that account signs in
   * instead. Null: the user declines.
   */
  next: string | null;
  /** If set, returns the ID token that the token endpoint sends instead of its own. */
  forge: ((claims: JWTPayload, key: SigningKey) => Promise<string>) | null;
  /** If true, the provider answers every request with 503. */
  isDown: boolean;
  /** Paths of all requests, without the query. */
  readonly requests: string[];
  stop(): Promise<void>;
}

/**
 * Starts the provider. If `claimsInIdToken` is false, only the user info endpoint returns the claims of scopes, as the
 * specification prefers.
 */
export async function startOidcServer(
  redirectUri: string,
  { claimsInIdToken = false } = {},
): Promise<OidcServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: 'key', use: 'sig', alg: 'RS256' };
  const state: OidcServer = {
    issuer,
    clientId: 'grounded-chat',
    clientSecret: 'a secret: of + the client%',
    accounts: new Map(),
    next: null,
    forge: null,
    isDown: false,
    requests: [],
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const provider = createProvider(state, { jwk, redirectUri, claimsInIdToken });
  const serve = provider.callback();
  server.on('request', async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    state.requests.push(path);
    if (state.isDown) return response.writeHead(503).end();
    if (path.startsWith('/interaction/')) return logIn(provider, state, request, response);
    if (path === '/token' && state.forge !== null) {
      replaceIdToken(response, (claims) => state.forge?.(claims, privateKey) ?? Promise.reject());
    }
    return serve(request, response);
  });
  return state;
}

function createProvider(
  { issuer, clientId, clientSecret, accounts }: OidcServer,
  options: { jwk: object; redirectUri: string; claimsInIdToken: boolean },
): Provider {
  return new Provider(issuer, {
    clients: [
      { client_id: clientId, client_secret: clientSecret, redirect_uris: [options.redirectUri] },
    ],
    jwks: { keys: [options.jwk as { kty: string }] },
    cookies: { keys: ['the key of the cookies'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups', 'realm'] },
    conformIdTokenClaims: !options.claimsInIdToken,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...accounts.get(accountId) }),
    }),
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.session?.accountId;
      if (accountId === undefined || oidc.client === undefined) return undefined;
      const { clientId } = oidc.client;
      const known = await oidc.provider.Grant.find(oidc.session?.grantIdFor(clientId) ?? '');
      const grant = known ?? new oidc.provider.Grant({ accountId, clientId });
      grant.addOIDCScope('openid email groups');
      await grant.save();
      return grant;
    },
  });
}

async function logIn(
  provider: Provider,
  { next }: OidcServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const accountId = request.headers['x-account']?.toString() ?? next;
  const denial = { error: 'access_denied', error_description: 'The user declined' };
  const result = accountId === null ? denial : { login: { accountId, remember: false } };
  await provider.interactionFinished(request, response, result);
}

/** Replaces the ID token in the JSON body of a response. */
function replaceIdToken(
  response: ServerResponse,
  replace: (claims: JWTPayload) => Promise<string>,
): void {
  const end = response.end.bind(response);
  response.end = ((body: Buffer | string) => {
    const tokens = JSON.parse(body.toString());
    const [, payload = ''] = (tokens.id_token ?? '').split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}');
    void replace(claims).then((idToken) => {
      const text = JSON.stringify({ ...tokens, id_token: idToken });
      response.setHeader('Content-Length', Buffer.byteLength(text));
      end(text);
    });
    return response;
  }) as typeof response.end;
}

/** Signs claims in the same way as the provider. */
export function signIdToken(claims: JWTPayload, key: SigningKey): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key' }).sign(key);
}
