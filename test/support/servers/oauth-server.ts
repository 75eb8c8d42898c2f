import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { JWTPayload } from 'jose';
import { type SupabaseAuth, startSupabaseAuth } from './supabase-auth.ts';

/**
 * Simulates Supabase Auth as an OAuth 2.1 server: dynamic registration, the code flow with PKCE, and an access token
 * hook.
 */
export interface OAuthServer {
  readonly auth: SupabaseAuth;
  /** Gives consent as the user with these claims. Returns the code that the browser would pass to the client. */
  consent(authorizationUrl: URL, claims: JWTPayload): string;
}

/**
 * Starts the server. `audience` is the value of `aud` that the project's access token hook sets in tokens of OAuth
 * clients.
 */
export async function startOAuthServer(audience: string): Promise<OAuthServer> {
  const codes = new Map<string, { challenge: string; claims: JWTPayload }>();
  const auth: SupabaseAuth = await startSupabaseAuth(
    async (request, response) => {
      const { issuer } = auth;
      switch (request.url) {
        case '/.well-known/oauth-authorization-server/auth/v1':
          return send(response, 200, {
            issuer,
            authorization_endpoint: `${issuer}/oauth/authorize`,
            token_endpoint: `${issuer}/oauth/token`,
            registration_endpoint: `${issuer}/oauth/clients/register`,
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
            token_endpoint_auth_methods_supported: ['none'],
          });
        case '/auth/v1/oauth/clients/register': {
          const metadata = JSON.parse(await text(request));
          return send(response, 201, { ...metadata, client_id: randomUUID() });
        }
        case '/auth/v1/oauth/token':
          return sendToken(request, response);
        default:
          return response.writeHead(404).end();
      }
    },
    { sendsUsers: true },
  );

  async function sendToken(request: IncomingMessage, response: ServerResponse) {
    const form = new URLSearchParams(await text(request));
    const verifier = form.get('code_verifier') ?? '';
    const grant = codes.get(form.get('code') ?? '');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    if (grant === undefined || grant.challenge !== challenge) {
      return send(response, 400, { error: 'invalid_grant' });
    }
    const claims = { ...grant.claims, aud: audience, client_id: form.get('client_id') };
    const token = { token_type: 'bearer', expires_in: 3_600 };
    send(response, 200, { ...token, access_token: await auth.token(claims) });
  }

  return {
    auth,
    consent(authorizationUrl, claims) {
      const code = randomUUID();
      const challenge = authorizationUrl.searchParams.get('code_challenge') ?? '';
      codes.set(code, { challenge, claims });
      return code;
    },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
