import type * as OpenIdClient from 'openid-client';
import { userAgent } from '../version.ts';

/** Settings of an OpenID Connect provider, and of this service as a client of the provider. */
export interface OidcProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes to request, separated by spaces. Must contain `openid`. */
  readonly scopes: string;
  readonly redirectUri: string;
}

/** The secrets of one sign-in. The user's browser stores them until the provider redirects it back. */
export interface OidcAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export type ClaimSource = Readonly<Record<string, unknown>>;

/** The verified claims of a sign-in. */
export interface OidcClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly idToken: ClaimSource;
  /**
   * Response of the user info endpoint. Null if the ID token has all requested claims, or the provider has no such
   * endpoint.
   */
  readonly userInfo: ClaimSource | null;
}

export interface OidcProvider {
  /** @throws OidcError when the provider does not respond */
  begin(): Promise<{ readonly url: URL; readonly attempt: OidcAttempt }>;
  /**
   * Exchanges the code in the query of the callback for an ID token. Verifies signature, issuer, audience, nonce and
   * expiry of the token. Also reads the user info if the ID token lacks one of `claims`.
   * @throws OidcError
   */
  redeem(query: string, attempt: OidcAttempt, claims: readonly string[]): Promise<OidcClaims>;
}

/**
 * Reasons: `denied` if the user refused; `invalid` if the provider's response is not accepted; `unavailable` if the
 * provider did not respond.
 */
export class OidcError extends Error {
  readonly reason: 'denied' | 'invalid' | 'unavailable';

  constructor(reason: OidcError['reason'], cause: unknown) {
    super('The sign-in with the OIDC provider failed', { cause });
    this.name = 'OidcError';
    this.reason = reason;
  }
}

/**
 * Creates a client. The client reads the provider's metadata at the first sign-in, and tries again at the next sign-in
 * if that fails.
 */
export function createOidcProvider(settings: OidcProviderSettings): OidcProvider {
  let discovery: Promise<Discovered> | null = null;
  const open = (): Promise<Discovered> => {
    discovery ??= discover(settings).catch((error) => {
      discovery = null;
      throw new OidcError('unavailable', error);
    });
    return discovery;
  };
  return {
    async begin() {
      const { client, configuration } = await open();
      const attempt = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        codeVerifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: settings.redirectUri,
        scope: settings.scopes,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url, attempt };
    },
    async redeem(query, attempt, claims) {
      const discovered = await open();
      try {
        return await redeem(
          discovered,
          new URL(`${settings.redirectUri}?${query}`),
          attempt,
          claims,
        );
      } catch (error) {
        throw new OidcError(reasonOf(error), error);
      }
    },
  };
}

type Client = typeof OpenIdClient;

interface Discovered {
  readonly client: Client;
  readonly configuration: OpenIdClient.Configuration;
}

const timeoutSeconds = 8;
const clockToleranceSeconds = 10;

async function discover({
  issuer,
  clientId,
  clientSecret,
}: OidcProviderSettings): Promise<Discovered> {
  const client = await import('openid-client');
  const metadata = {
    client_secret: clientSecret,
    [client.clockTolerance]: clockToleranceSeconds,
  };
  const url = new URL(issuer);
  const configuration = await client.discovery(
    url,
    clientId,
    metadata,
    chooseAuthentication(client, clientSecret),
    {
      timeout: timeoutSeconds,
      [client.customFetch]: fetchWithUserAgent,
      execute: url.protocol === 'http:' ? [client.allowInsecureRequests] : [],
    },
  );
  configuration.timeout = timeoutSeconds;
  // Without this, the library does not check the signature of an ID token that it fetched itself, because it trusts the
  // TLS connection.
  client.enableNonRepudiationChecks(configuration);
  return { client, configuration };
}

const fetchWithUserAgent: OpenIdClient.CustomFetch = (url, { body, headers, ...options }) =>
  fetch(url, {
    ...options,
    body: body instanceof Uint8Array ? Buffer.from(body) : body,
    headers: { ...headers, 'user-agent': userAgent },
  });

/**
 * Returns how the client authenticates. Basic is the default in the specification. Few providers support only the other
 * method.
 */
function chooseAuthentication(client: Client, secret: string): OpenIdClient.ClientAuth {
  const basic = client.ClientSecretBasic(secret);
  const post = client.ClientSecretPost(secret);
  return (server, metadata, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const choose = methods.includes('client_secret_basic') ? basic : post;
    choose(server, metadata, body, headers);
  };
}

async function redeem(
  { client, configuration }: Discovered,
  callback: URL,
  { state, nonce, codeVerifier }: OidcAttempt,
  claims: readonly string[],
): Promise<OidcClaims> {
  const tokens = await client.authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const idToken = tokens.claims();
  if (idToken === undefined) throw new Error('The response contains no ID token');
  const { iss: issuer, sub: subject } = idToken;
  const isComplete = claims.every((name) => Object.hasOwn(idToken, name));
  const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const userInfo =
    isComplete || !hasUserInfo
      ? null
      : await client.fetchUserInfo(configuration, tokens.access_token, subject);
  return { issuer, subject, idToken, userInfo };
}

/**
 * Returns the reason for an error of the library. Recognizes its error classes by name, because the library is loaded
 * only at the first sign-in.
 */
function reasonOf(error: unknown): OidcError['reason'] {
  if (!(error instanceof Error)) return 'invalid';
  if (error.name === 'AuthorizationResponseError') {
    return Reflect.get(error, 'error') === 'access_denied' ? 'denied' : 'invalid';
  }
  const isTimeout = Reflect.get(error, 'code') === 'OAUTH_TIMEOUT';
  return error instanceof TypeError || isTimeout || isServerFailure(error)
    ? 'unavailable'
    : 'invalid';
}

function isServerFailure(error: Error): boolean {
  const status =
    error.cause instanceof Response ? error.cause.status : Reflect.get(error, 'status');
  return typeof status === 'number' && status >= 500;
}
