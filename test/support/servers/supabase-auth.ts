import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  decodeJwt,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';

/**
 * Simulates the HTTP API of Supabase Auth. It publishes the JWKS of its project, signs tokens and returns the user of a
 * token.
 */
export interface SupabaseAuth {
  /** URL of the project, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly issuer: string;
  /** Number of requests for the JWKS so far. */
  readonly keyFetches: number;
  /** Signs a token for a signed-in user. Omits claims that are `undefined`. */
  token(claims?: JWTPayload): Promise<string>;
  /** Returns the current public key in PEM format. */
  publicKey(): Promise<string>;
  /** Replaces the signing key. After that, the JWKS contains only the new key. */
  rotate(): Promise<void>;
  /** Sets the response to all later requests for the JWKS. */
  replyWith(reply: 'keys' | 'error' | 'page'): void;
  /** Number of requests for the user of a token so far. */
  readonly userFetches: number;
  /**
   * Sets the record of the user with this id. Without a record, the e-mail address in the token counts as confirmed.
   */
  setUser(id: string, user: SupabaseUser): void;
  /** Sets the response to all later requests for the user of a token. */
  replyToUserWith(reply: UserReply): void;
  close(): Promise<void>;
}

export interface SupabaseUser {
  readonly email: string;
  readonly email_confirmed_at?: string;
  readonly is_anonymous?: boolean;
}

/** `signed out`: the session of the token has ended. `wrong key`: the gateway refuses the `apikey`. */
export type UserReply = 'user' | 'error' | 'page' | 'nothing' | 'signed out' | 'wrong key';

/**
 * Starts the server, which always handles requests for the JWKS. It handles requests for users only if `sendsUsers` is
 * true. `fallbackHandler` handles all other requests.
 */
export async function startSupabaseAuth(
  fallbackHandler?: (request: IncomingMessage, response: ServerResponse) => unknown,
  { sendsUsers = fallbackHandler === undefined }: { readonly sendsUsers?: boolean } = {},
): Promise<SupabaseAuth> {
  let key = await newKey();
  let reply: 'keys' | 'error' | 'page' = 'keys';
  let fetches = 0;
  let userReply: UserReply = 'user';
  let userFetches = 0;
  const users = new Map<string, SupabaseUser>();

  const sendUser = async ({ headers }: IncomingMessage, response: ServerResponse) => {
    userFetches += 1;
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (userReply === 'nothing') return;
    if (userReply === 'error') return send(500, { code: 500, msg: 'Internal Server Error' });
    if (userReply === 'page') return response.writeHead(200).end('<html>');
    if (headers.apikey === undefined || userReply === 'wrong key') {
      return send(401, { message: 'Invalid API key' });
    }
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    const isValid = await jwtVerify(token, key.publicKey).catch(() => null);
    if (isValid === null)
      return send(403, { code: 403, error_code: 'bad_jwt', msg: 'invalid JWT' });
    if (userReply === 'signed out') {
      const msg = 'Session from session_id claim in JWT does not exist';
      return send(403, { code: 403, error_code: 'session_not_found', msg });
    }
    const { sub = '', email } = decodeJwt<{ email?: string }>(token);
    const user = users.get(sub) ?? { email, email_confirmed_at: '2026-11-20T10:00:00Z' };
    return send(200, { id: sub, aud: 'authenticated', role: 'authenticated', ...user });
  };

  const server = createServer(async (request, response) => {
    const isUser = request.url === '/auth/v1/user';
    if (isUser && sendsUsers) return sendUser(request, response);
    const isKnown = request.url === '/auth/v1/.well-known/jwks.json';
    if (!isKnown && fallbackHandler !== undefined) return fallbackHandler(request, response);
    if (!isKnown || reply === 'error') return response.writeHead(isKnown ? 503 : 404).end();
    fetches += 1;
    const published = {
      ...(await exportJWK(key.publicKey)),
      kid: key.kid,
      alg: 'ES256',
      use: 'sig',
    };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(reply === 'page' ? '<html>' : JSON.stringify({ keys: [published] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const issuer = `${url}/auth/v1`;
  return {
    url,
    issuer,
    get keyFetches() {
      return fetches;
    },
    token: (claims) => sign(key, supabaseUserClaims(issuer, claims)),
    publicKey: () => exportSPKI(key.publicKey),
    async rotate() {
      key = await newKey();
    },
    replyWith(next) {
      reply = next;
    },
    get userFetches() {
      return userFetches;
    },
    setUser: (id, user) => void users.set(id, user),
    replyToUserWith(next) {
      userReply = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the claims of a user who signed in with a password. Values in `claims` override them. */
export function supabaseUserClaims(issuer: string, claims: JWTPayload = {}): JWTPayload {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: issuer,
    sub: 'c7a3b1d8-5f0e-4a55-9d38-0a5a3c7f1e21',
    aud: 'authenticated',
    exp: now + 3_600,
    iat: now,
    email: 'ada@example.com',
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { email: 'ada@example.com', email_verified: true, phone_verified: false },
    role: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: now }],
    session_id: 'f1f1c0de-0000-4000-8000-000000000001',
    is_anonymous: false,
    ...claims,
  };
}

let keyCount = 0;

async function newKey() {
  keyCount += 1;
  return { kid: `key-${keyCount}`, ...(await generateKeyPair('ES256', { extractable: true })) };
}

function sign(
  { kid, privateKey }: Awaited<ReturnType<typeof newKey>>,
  claims: JWTPayload,
): Promise<string> {
  const header = { alg: 'ES256', kid, typ: 'JWT' };
  return new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
}
