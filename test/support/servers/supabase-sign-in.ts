import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type SupabaseAuth, startSupabaseAuth } from './supabase-auth.ts';

/**
 * Simulates the API of Supabase Auth that browsers use: passwords, magic links (PKCE), and sessions that can be
 * refreshed and revoked. Compatible with GoTrue's API version 2024-01-01.
 */
export interface SupabaseSignIn extends SupabaseAuth {
  readonly publishableKey: string;
  addUser(email: string, password: string): void;
  /** Returns the magic links that were sent to this address, oldest first. */
  linksSentTo(email: string): readonly string[];
  /** Lifetime in seconds of tokens that are issued from now on. The initial value is one hour. */
  lifetimeSeconds: number;
  /** Paths of all requests in their order, such as `token?grant_type=password`. */
  readonly requests: readonly string[];
  /** Revokes all sessions, as an administrator could. */
  endSessions(): void;
}

interface User {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

interface Challenge {
  readonly user: User;
  readonly challenge: string;
}

const publishableKey = 'sb_publishable_for_the_tests';

export async function startSupabaseSignIn(): Promise<SupabaseSignIn> {
  const users = new Map<string, User>();
  const mails = new Map<string, string[]>();
  /** PKCE challenges. `links` has them by the token in the magic link, and `codes` by the code in the redirect URL. */
  const links = new Map<string, Challenge>();
  const codes = new Map<string, Challenge>();
  const refreshTokens = new Map<string, User>();
  const requests: string[] = [];
  const settings = { lifetimeSeconds: 3_600 };

  const auth = await startSupabaseAuth(async (request, response) => {
    const url = new URL(request.url ?? '', auth.url);
    const path = url.pathname.replace('/auth/v1/', '');
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (request.method === 'OPTIONS') {
      response.setHeader(
        'Access-Control-Allow-Headers',
        'authorization,apikey,content-type,x-client-info,x-supabase-api-version',
      );
      response.setHeader('Access-Control-Allow-Methods', 'GET,POST,PUT,PATCH,DELETE');
      return response.writeHead(204).end();
    }
    requests.push(`${path}${url.search}`);
    if (path === 'verify') return verify(url, response);
    if (request.headers.apikey !== publishableKey) {
      return send(response, 401, { message: 'Invalid API key' });
    }
    const body = await bodyOf(request);
    switch (`${request.method} ${path}`) {
      case 'POST token':
        return grantToken(url.searchParams.get('grant_type'), body, response);
      case 'POST otp':
        return sendMagicLink(url, body, response);
      case 'GET user':
        return send(response, 200, userRecord(findUser(userIdOf(request))));
      case 'POST logout':
        endSession(request);
        return response.writeHead(204).end();
      default:
        return refuse(response, 404, 'not_found', 'Not found');
    }
  });

  const grantToken = async (grant: string | null, body: Body, response: ServerResponse) => {
    if (grant === 'password') {
      const user = users.get(body.email ?? '');
      if (user === undefined || user.password !== body.password) {
        return refuse(response, 400, 'invalid_credentials', 'Invalid login credentials');
      }
      return send(response, 200, await createSession(user));
    }
    if (grant === 'refresh_token') {
      const user = refreshTokens.get(body.refresh_token ?? '');
      refreshTokens.delete(body.refresh_token ?? '');
      if (user === undefined) {
        const message = 'Invalid Refresh Token: Refresh Token Not Found';
        return refuse(response, 400, 'refresh_token_not_found', message);
      }
      return send(response, 200, await createSession(user));
    }
    if (grant === 'pkce') {
      const found = codes.get(body.auth_code ?? '');
      codes.delete(body.auth_code ?? '');
      if (found === undefined) {
        return refuse(
          response,
          404,
          'flow_state_not_found',
          'invalid flow state, no valid flow state found',
        );
      }
      const hash = createHash('sha256')
        .update(body.code_verifier ?? '')
        .digest('base64url');
      if (hash !== found.challenge) {
        const message = 'code challenge does not match previously saved code verifier';
        return refuse(response, 400, 'bad_code_verifier', message);
      }
      return send(response, 200, await createSession(found.user));
    }
    return refuse(response, 400, 'validation_failed', 'Unsupported grant type');
  };

  const sendMagicLink = (url: URL, body: Body, response: ServerResponse) => {
    const user = users.get(body.email ?? '');
    if (user === undefined)
      return refuse(response, 422, 'otp_disabled', 'Signups not allowed for otp');
    const token = `pkce_${randomUUID()}`;
    links.set(token, { user, challenge: body.code_challenge ?? '' });
    const link = new URL('/auth/v1/verify', auth.url);
    link.searchParams.set('token', token);
    link.searchParams.set('type', 'magiclink');
    link.searchParams.set('redirect_to', url.searchParams.get('redirect_to') ?? '');
    mails.set(user.email, [...(mails.get(user.email) ?? []), link.href]);
    return send(response, 200, {});
  };

  const verify = (url: URL, response: ServerResponse) => {
    const token = url.searchParams.get('token') ?? '';
    const found = links.get(token);
    links.delete(token);
    const back = new URL(url.searchParams.get('redirect_to') ?? '');
    if (found === undefined) {
      const failure = new URLSearchParams({
        error: 'access_denied',
        error_code: 'otp_expired',
        error_description: 'Email link is invalid or has expired',
      });
      back.search = `${failure}`;
      back.hash = `${failure}`;
    } else {
      const code = randomUUID();
      codes.set(code, found);
      back.searchParams.set('code', code);
    }
    return response.writeHead(303, { Location: back.href }).end();
  };

  const createSession = async (user: User) => {
    const refresh_token = randomUUID().slice(0, 12);
    refreshTokens.set(refresh_token, user);
    const now = Math.floor(Date.now() / 1_000);
    const { lifetimeSeconds } = settings;
    const access_token = await auth.token({
      sub: user.id,
      email: user.email,
      user_metadata: { email: user.email, email_verified: true },
      iat: now,
      exp: now + lifetimeSeconds,
    });
    return {
      access_token,
      token_type: 'bearer',
      expires_in: lifetimeSeconds,
      expires_at: now + lifetimeSeconds,
      refresh_token,
      user: userRecord(user),
    };
  };

  const findUser = (id: unknown) => [...users.values()].find((user) => user.id === id);

  const endSession = (request: IncomingMessage) => {
    const sub = userIdOf(request);
    for (const [token, user] of refreshTokens) if (user.id === sub) refreshTokens.delete(token);
  };

  return {
    ...auth,
    publishableKey,
    requests,
    get keyFetches() {
      return auth.keyFetches;
    },
    get userFetches() {
      return auth.userFetches;
    },
    get lifetimeSeconds() {
      return settings.lifetimeSeconds;
    },
    set lifetimeSeconds(seconds) {
      settings.lifetimeSeconds = seconds;
    },
    addUser: (email, password) => users.set(email, { id: randomUUID(), email, password }),
    linksSentTo: (email) => mails.get(email) ?? [],
    endSessions: () => refreshTokens.clear(),
  };
}

/** Returns the claim `sub` of the access token in a request. */
function userIdOf({ headers }: IncomingMessage): unknown {
  const [, payload = ''] = headers.authorization?.split('.') ?? [];
  return JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}').sub;
}

type Body = Readonly<Record<string, string | undefined>>;

async function bodyOf(request: IncomingMessage): Promise<Body> {
  return JSON.parse((await text(request)) || '{}');
}

function send(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  return response.end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, code: string, message: string) {
  response.setHeader('X-Supabase-Api-Version', '2024-01-01');
  return send(response, status, { code, message });
}

function userRecord(user: User | undefined) {
  const now = new Date().toISOString();
  return {
    id: user?.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user?.email,
    email_confirmed_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { email: user?.email, email_verified: true },
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}
