import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** A stand-in for Supabase Auth at its network edge: it publishes the keys of its project and signs tokens. */
export interface SupabaseAuth {
  /** The project's address, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly issuer: string;
  /** How often the keys were asked for. */
  readonly fetches: number;
  /** A token as it gives them to who has signed in; what is `undefined` is left out. */
  token(claims?: JWTPayload): Promise<string>;
  /** The public key that signs now, in PEM. */
  publicKey(): Promise<string>;
  /** From now on another key signs, and is the only one to be published. */
  rotate(): Promise<void>;
  /** The keys are answered like this from now on. */
  answer(reply: 'keys' | 'error' | 'page'): void;
  close(): Promise<void>;
}

/** `answerOthers` is given what is asked beside the keys. */
export async function startSupabaseAuth(
  answerOthers?: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<SupabaseAuth> {
  let key = await newKey();
  let reply: 'keys' | 'error' | 'page' = 'keys';
  let fetches = 0;
  const server = createServer(async (request, response) => {
    const isKnown = request.url === '/auth/v1/.well-known/jwks.json';
    if (!isKnown && answerOthers !== undefined) return answerOthers(request, response);
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
    get fetches() {
      return fetches;
    },
    token: (claims) => sign(key, operatorClaims(issuer, claims)),
    publicKey: () => exportSPKI(key.publicKey),
    async rotate() {
      key = await newKey();
    },
    answer(next) {
      reply = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What Supabase Auth says of somebody who has signed in with a password, and `claims` in place of it. */
export function operatorClaims(issuer: string, claims: JWTPayload = {}): JWTPayload {
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

let keys = 0;

async function newKey() {
  keys += 1;
  return { kid: `key-${keys}`, ...(await generateKeyPair('ES256', { extractable: true })) };
}

function sign(
  { kid, privateKey }: Awaited<ReturnType<typeof newKey>>,
  claims: JWTPayload,
): Promise<string> {
  const header = { alg: 'ES256', kid, typ: 'JWT' };
  return new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
}
