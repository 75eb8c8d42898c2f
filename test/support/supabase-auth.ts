import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** Simulates the HTTP API of Supabase Auth: publishes the JWKS of its project and signs tokens. */
export interface SupabaseAuth {
  /** URL of the project, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly issuer: string;
  /** Number of JWKS requests. */
  readonly keyFetches: number;
  /** Signs a token of a signed-in user. Claims that are `undefined` are omitted. */
  token(claims?: JWTPayload): Promise<string>;
  /** Returns the current public key in PEM. */
  publicKey(): Promise<string>;
  /** Replaces the signing key. Only the new key is published. */
  rotate(): Promise<void>;
  /** Sets the response to further JWKS requests. */
  replyWith(reply: 'keys' | 'error' | 'page'): void;
  close(): Promise<void>;
}

/** Starts the server. `fallbackHandler` handles all requests other than for the JWKS. */
export async function startSupabaseAuth(
  fallbackHandler?: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<SupabaseAuth> {
  let key = await newKey();
  let reply: 'keys' | 'error' | 'page' = 'keys';
  let fetches = 0;
  const server = createServer(async (request, response) => {
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
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the claims of a user who signed in with a password, with overrides from `claims`. */
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
