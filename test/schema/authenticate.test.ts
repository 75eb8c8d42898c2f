import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { type Context, createContext } from '../../src/domain/context.ts';
import {
  inviteMember,
  removeMember,
  updateMember,
} from '../../src/domain/organizations/manage-members.ts';
import { listMemberships } from '../../src/domain/organizations/members.ts';
import { requireOrganization } from '../../src/domain/organizations/require-organization.ts';
import { newId } from '../../src/platform/ids.ts';
import { type Authenticator, createAuthenticator } from '../../src/schema/serving/authenticate.ts';
import { loadTokenVerification, signToken } from '../../src/server/token.ts';
import {
  type SupabaseAuth,
  type SupabaseUser,
  startSupabaseAuth,
  supabaseUserClaims,
  type UserReply,
} from '../support/servers/supabase-auth.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const ada = supabaseUserClaims('').sub;
const soon = () => Math.floor(Date.now() / 1000) + 60;

let service: TestService;
let auth: SupabaseAuth;
let authenticate: Authenticator;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  auth = await startSupabaseAuth();
  authenticate = createAuthenticator(service.adapters, verificationOf(auth));
});
afterEach(async () => {
  vi.useRealTimers();
  await auth?.close();
});

const verificationOf = ({ url }: SupabaseAuth, timeoutMs?: number) =>
  ({ type: 'supabase', url, users: { url, apiKey: 'sb_publishable_x', timeoutMs } }) as const;
const bearer = (token: string, check = authenticate) => check(`Bearer ${token}`);
const signedIn = async (claims?: JWTPayload) => bearer(await auth.token(claims));

const refused = { code: 'UNAUTHENTICATED' };
const unavailable = { code: 'UNAVAILABLE', retryable: true };

describe('a Supabase Auth token, verified with the published keys', () => {
  test('identifies its operator', async () => {
    expect(await signedIn()).toEqual({
      type: 'operator',
      userId: ada,
      email: 'ada@example.com',
      expiresAt: expect.any(Date),
    });
  });

  test('of the service role grants full access', async () => {
    const claims = { role: 'service_role', sub: undefined, aud: undefined, email: undefined };
    expect(await signedIn(claims)).toMatchObject({ type: 'service' });
  });

  test.each<[string, () => JWTPayload]>([
    ['has expired', () => ({ exp: soon() - 120 })],
    ['never expires', () => ({ exp: undefined })],
    ['is not valid yet', () => ({ nbf: soon() })],
    ['comes from another issuer', () => ({ iss: 'https://evil.supabase.co/auth/v1' })],
    ['names no issuer', () => ({ iss: undefined })],
    ['is for another audience', () => ({ aud: 'anon' })],
    ['is for no audience', () => ({ aud: undefined })],
    ['has no role', () => ({ role: undefined })],
    ['has the role of nobody', () => ({ role: 'anon' })],
    ['has a role that we do not know', () => ({ role: 'supabase_admin' })],
    ['names no user', () => ({ sub: undefined })],
    ['names a user that is no id', () => ({ sub: 'ada' })],
    ['of the service role has expired', () => ({ role: 'service_role', exp: soon() - 120 })],
    [
      'of the service role comes from another issuer',
      () => ({ role: 'service_role', iss: 'supabase' }),
    ],
  ])('that %s is rejected', async (_what, claims) => {
    await expect(signedIn(claims())).rejects.toMatchObject(refused);
  });

  test.each<[string, JWTPayload['aud']]>([
    ['authenticated', 'authenticated'],
    ['a list', ['authenticated', 'https://chat.example.com/mcp']],
  ])('of an OAuth client is rejected, though its audience is %s', async (_what, aud) => {
    await expect(signedIn({ aud, client_id: newId() })).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('OAuth client'),
    });
    expect(await signedIn({ aud, client_id: undefined })).toMatchObject({ userId: ada });
  });

  test('for another audience is accepted only if it is for no other one than that', async () => {
    const resource = 'https://chat.example.com/mcp';
    const check = createAuthenticator(service.adapters, verificationOf(auth), undefined, resource);
    const client_id = newId();
    for (const aud of [resource, [resource]]) {
      const token = await auth.token({ aud, client_id });
      expect(await bearer(token, check)).toMatchObject({ userId: ada });
    }
    for (const aud of ['authenticated', [resource, 'authenticated'], []]) {
      const token = await auth.token({ aud, client_id });
      await expect(bearer(token, check)).rejects.toMatchObject(refused);
    }
  });

  test('without a signature is rejected, and no keys are fetched', async () => {
    const unsecured = new UnsecuredJWT(supabaseUserClaims(auth.issuer)).encode();
    for (const token of [unsecured, `${unsecured}x`, 'a.b.c', 'nonsense']) {
      await expect(bearer(token)).rejects.toMatchObject(refused);
    }
    expect(auth.keyFetches).toBe(0);
  });

  test('that is signed with the public key as an HMAC secret is rejected', async () => {
    const secret = new TextEncoder().encode(await auth.publicKey());
    const forged = new SignJWT(supabaseUserClaims(auth.issuer, { role: 'service_role' }));
    const token = await forged.setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).sign(secret);
    await expect(bearer(token)).rejects.toMatchObject(refused);
  });

  test('signed with an unknown key is rejected', async () => {
    const other = await startSupabaseAuth();
    try {
      const token = await other.token({ iss: auth.issuer });
      await expect(bearer(token)).rejects.toMatchObject(refused);
    } finally {
      await other.close();
    }
  });

  test('with modified claims is rejected', async () => {
    const [header, , signature] = (await auth.token()).split('.');
    const claims = supabaseUserClaims(auth.issuer, { role: 'service_role' });
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    await expect(bearer(`${header}.${payload}.${signature}`)).rejects.toMatchObject(refused);
  });
});

describe('a project that moves from the shared secret to signing keys', () => {
  const text = 'the shared secret of a project, 32+';
  const sharedSecret = new TextEncoder().encode(text);
  let check: Authenticator;
  beforeEach(async () => {
    const config = {
      SUPABASE_URL: auth.url,
      SUPABASE_SECRET_KEY: 'sb_secret_x',
      SUPABASE_JWT_SECRET: text,
    };
    check = createAuthenticator(service.adapters, await loadTokenVerification(readConfig(config)));
  });
  const signOld = (key: Uint8Array) =>
    new SignJWT(supabaseUserClaims(auth.issuer)).setProtectedHeader({ alg: 'HS256' }).sign(key);

  test('has its old and its new tokens accepted while SUPABASE_JWT_SECRET is set', async () => {
    expect(await bearer(await signOld(sharedSecret), check)).toMatchObject({ type: 'operator' });
    expect(await bearer(await auth.token(), check)).toMatchObject({ type: 'operator' });
  });

  test('has no token accepted that is signed with its public key as the secret, or by another key', async () => {
    const publicKey = new TextEncoder().encode(await auth.publicKey());
    await expect(bearer(await signOld(publicKey), check)).rejects.toMatchObject(refused);
    const foreign = await auth.token();
    await auth.rotate();
    await expect(bearer(foreign, check)).rejects.toMatchObject(refused);
  });

  test('has its old tokens refused when SUPABASE_JWT_SECRET is removed', async () => {
    const token = await signOld(sharedSecret);
    await expect(bearer(token)).rejects.toMatchObject(refused);
  });
});

describe('the secret key of the project', () => {
  test.each(['sb_secret_AbC-123_x', 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl'])(
    'is the service role, and no other key is: %s',
    async (serviceKey) => {
      const check = createAuthenticator(service.adapters, { ...verificationOf(auth), serviceKey });
      expect(await bearer(serviceKey, check)).toEqual({ type: 'service' });
      await expect(bearer(`${serviceKey}x`, check)).rejects.toMatchObject(refused);
      await expect(bearer(serviceKey.slice(0, -1), check)).rejects.toMatchObject(refused);
      await expect(bearer('sb_publishable_x', check)).rejects.toMatchObject(refused);
    },
  );

  test('counts towards the rate limit of the service role', async () => {
    const serviceKey = `sb_secret_${newId()}`;
    const limits = { operatorRequestsPerMinute: 0, serviceRequestsPerMinute: 1 };
    const check = createAuthenticator(
      service.adapters,
      { ...verificationOf(auth), serviceKey },
      limits,
    );
    const results = await Promise.allSettled([1, 2, 3].map(() => bearer(serviceKey, check)));
    const limited = results.filter(({ status }) => status === 'rejected');
    expect(limited.length).toBeGreaterThan(0);
    for (const result of limited)
      expect(result).toMatchObject({ reason: { code: 'RATE_LIMITED' } });
  });
});

describe('the published keys', () => {
  test('are fetched once, and again for an unknown key id: at most twice a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await Promise.all([signedIn(), signedIn()]);
    await signedIn();
    expect(auth.keyFetches).toBe(1);

    const before = await auth.token();
    await auth.rotate();
    await expect(signedIn()).rejects.toMatchObject(refused);
    expect(auth.keyFetches).toBe(1);
    vi.setSystemTime(Date.now() + 31_000);
    expect(await signedIn()).toMatchObject({ type: 'operator' });
    expect(auth.keyFetches).toBe(2);
    await expect(bearer(before)).rejects.toMatchObject(refused);
    expect(auth.keyFetches).toBe(2);
  });

  test.each(['error', 'page'] as const)(
    'that cannot be fetched (%s) cause a retryable error, not a rejected token',
    async (reply) => {
      auth.replyWith(reply);
      await expect(signedIn()).rejects.toMatchObject(unavailable);
      auth.replyWith('keys');
      expect(await signedIn()).toMatchObject({ type: 'operator' });
    },
  );

  test('of an unreachable server cause a retryable error, not a rejected token', async () => {
    const token = await auth.token();
    await auth.close();
    await expect(bearer(token)).rejects.toMatchObject(unavailable);
  });
});

describe('a token verified with the shared secret', () => {
  const secret = new TextEncoder().encode('a shared secret of at least 32 characters');
  const issuer = 'https://abcd.supabase.co/auth/v1';
  const sign = (claims: JWTPayload, key = secret, alg = 'HS256') =>
    new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT' }).sign(key);
  let check: Authenticator;

  beforeEach(async () => {
    const tokenVerification = await loadTokenVerification(
      readConfig({
        SUPABASE_URL: 'https://abcd.supabase.co',
        SUPABASE_SECRET_KEY: 'sb_secret_x',
        SUPABASE_JWT_SECRET: 'a shared secret of at least 32 characters',
      }),
    );
    check = createAuthenticator(service.adapters, tokenVerification);
  });

  test('identifies its operator or the service role', async () => {
    const operator = await sign(supabaseUserClaims(issuer));
    expect(await bearer(operator, check)).toMatchObject({ type: 'operator', userId: ada });
  });

  test.each(['supabase', 'supabase-demo', 'grounded-chat'])(
    'issued by %s is the service role',
    async (iss) => {
      const root = await sign({ iss, role: 'service_role', exp: soon() });
      expect(await bearer(root, check)).toMatchObject({ type: 'service' });
    },
  );

  test.each<[string, () => Promise<string>]>([
    ['with another secret', () => sign(supabaseUserClaims(issuer), new Uint8Array(32).fill(7))],
    ['with another algorithm', () => sign(supabaseUserClaims(issuer), new Uint8Array(64), 'HS512')],
    ['with the published keys of a project', () => auth.token()],
    ['by another issuer', () => sign(supabaseUserClaims('https://evil.supabase.co/auth/v1'))],
    ['by nobody', () => sign({ role: 'service_role', exp: soon() })],
    ['for another audience', () => sign(supabaseUserClaims(issuer, { aud: 'anon' }))],
    ['without an end', () => sign(supabaseUserClaims(issuer, { exp: undefined }))],
    ['with nothing', async () => new UnsecuredJWT(supabaseUserClaims(issuer)).encode()],
  ])('signed %s is rejected', async (_how, token) => {
    await expect(bearer(await token(), check)).rejects.toMatchObject(refused);
  });

  test('issued by our command line has a trusted e-mail address', async () => {
    const email = 'ada@example.com';
    const token = await signToken(secret, { role: 'authenticated', sub: ada ?? '', email });
    expect(await bearer(token, check)).toMatchObject({ email });
  });

  test('issued by our command line or another holder of the secret has no trusted address if it says so', async () => {
    for (const claims of [
      { email_verified: false },
      { email_verified: 'true' },
      { app_metadata: { email_verified: false } },
    ]) {
      const token = await sign(supabaseUserClaims('grounded-chat', claims));
      expect(await bearer(token, check)).toMatchObject({ email: null });
    }
  });

  test('issued by Supabase has a trusted e-mail address only if Supabase Auth confirms it', async () => {
    const users = { url: auth.url, apiKey: 'sb_publishable_x' };
    const issuers = [auth.issuer];
    const ask = createAuthenticator(service.adapters, { type: 'secret', secret, issuers, users });
    auth.replyToUserWith('wrong key');
    const token = await sign(supabaseUserClaims(auth.issuer, { sub: newId() }));
    await expect(bearer(token, ask)).rejects.toMatchObject(unavailable);
    expect(auth.userFetches).toBe(1);
  });
});

describe('the e-mail address of a token', () => {
  const confirmed = { email: 'ada@example.com', email_confirmed_at: '2026-11-20T10:00:00Z' };
  let sub: string;
  beforeEach(() => {
    sub = newId();
  });

  test.each<[string, SupabaseUser]>([
    ['is not confirmed', { email: 'ada@example.com' }],
    ['is not the address of the user', { ...confirmed, email: 'other@example.com' }],
    ['belongs to an anonymous user', { ...confirmed, is_anonymous: true }],
  ])(
    'is untrusted if it %s in Supabase Auth, whatever the user writes into user_metadata',
    async (_what, user) => {
      auth.setUser(sub, user);
      const user_metadata = { email: 'ada@example.com', email_verified: true };
      expect(await signedIn({ sub, user_metadata })).toMatchObject({ userId: sub, email: null });
    },
  );

  test.each<[string, JWTPayload]>([
    ['an auth hook of the project says that it is not verified', { email_verified: false }],
    ['an auth hook of the project says so in other words', { email_verified: 'true' }],
    ['it is empty', { email: '' }],
    ['the user is anonymous', { is_anonymous: true }],
  ])('is untrusted without asking Supabase Auth if %s', async (_what, claims) => {
    expect(await signedIn({ sub, ...claims })).toMatchObject({ email: null });
    expect(auth.userFetches).toBe(0);
  });

  test('is trusted without asking Supabase Auth if an auth hook of the project marks it as verified', async () => {
    const claims = { sub, user_metadata: {}, email_verified: true };
    expect(await signedIn(claims)).toMatchObject({ email: 'ada@example.com' });
    expect(auth.userFetches).toBe(0);
  });

  test('is confirmed by one call of concurrent requests, and then by none, in any process', async () => {
    auth.setUser(sub, confirmed);
    const user_metadata = undefined;
    const callers = await Promise.all([1, 2, 3].map(() => signedIn({ sub, user_metadata })));
    expect(callers.map((caller) => 'email' in caller && caller.email)).toEqual(
      Array(3).fill('ada@example.com'),
    );
    auth.replyToUserWith('error');
    const otherProcess = createAuthenticator(service.adapters, verificationOf(auth));
    expect(await bearer(await auth.token({ sub }), otherProcess)).toMatchObject({
      email: 'ada@example.com',
    });
    expect(auth.userFetches).toBe(1);
  });

  test('is confirmed again after it has changed', async () => {
    await signedIn({ sub });
    auth.setUser(sub, { email: 'new@example.com' });
    expect(await signedIn({ sub, email: 'new@example.com' })).toMatchObject({ email: null });
  });

  test('that is not confirmed is checked again at most every 10 seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    auth.setUser(sub, { email: 'ada@example.com' });
    await signedIn({ sub });
    auth.setUser(sub, confirmed);
    expect(await signedIn({ sub })).toMatchObject({ email: null });
    vi.setSystemTime(Date.now() + 11_000);
    expect(await signedIn({ sub })).toMatchObject({ email: 'ada@example.com' });
    expect(auth.userFetches).toBe(2);
  });

  test.each<UserReply>(['error', 'page', 'wrong key'])(
    'that Supabase Auth cannot confirm (%s) causes a retryable error, not a missing membership',
    async (reply) => {
      auth.replyToUserWith(reply);
      await expect(signedIn({ sub })).rejects.toMatchObject(unavailable);
      auth.replyToUserWith('user');
      expect(await signedIn({ sub })).toMatchObject({ email: 'ada@example.com' });
    },
  );

  test('causes a retryable error if Supabase Auth does not answer in time', async () => {
    auth.replyToUserWith('nothing');
    const impatient = createAuthenticator(service.adapters, verificationOf(auth, 50));
    const token = await auth.token({ sub });
    await expect(bearer(token, impatient)).rejects.toMatchObject(unavailable);
  });

  test('is refused if the session has ended in Supabase Auth', async () => {
    auth.replyToUserWith('signed out');
    await expect(signedIn({ sub })).rejects.toMatchObject(refused);
  });
});

describe('an invitation', () => {
  let tenant: Tenant;
  const [first, second] = [newId(), newId()];
  const email = 'ada@example.com';

  beforeEach(async () => {
    tenant = await service.createTenant();
    await inviteMember(service.system, { ...ofTenant(), email, role: 'AGENT' });
  });

  const ofTenant = () => ({ organizationId: tenant.organizationId });
  const contextOf = async (claims: JWTPayload): Promise<Context> =>
    createContext(service.adapters, await signedIn(claims), {
      signal: new AbortController().signal,
      requestId: null,
    });
  const read = async (claims: JWTPayload) =>
    requireOrganization(await contextOf(claims), tenant.organizationId, 'organization:read');

  test('is accepted by the first operator who signs in with the verified address, and belongs to that operator only', async () => {
    const imposter = newId();
    auth.setUser(imposter, { email });
    const user_metadata = { email, email_verified: true };
    await expect(read({ sub: imposter, email, user_metadata })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const parallel = [1, 2, 3].map(() => read({ sub: first, email: 'Ada@Example.com' }));
    expect((await Promise.all(parallel)).map(({ id }) => id)).toEqual(
      Array(3).fill(tenant.organizationId),
    );
    // The e-mail address now belongs to a different user.
    await expect(read({ sub: second, email })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await read({ sub: first, email: 'new@example.com' })).toMatchObject({
      name: expect.any(String),
    });
  });

  test('that was accepted needs no confirmation, even while Supabase Auth is unavailable', async () => {
    await read({ sub: first, email });
    auth.replyToUserWith('error');
    expect(await read({ sub: first, email: 'new@example.com' })).toMatchObject({
      id: tenant.organizationId,
    });
  });

  test('is accepted when memberships are listed', async () => {
    const list = async (sub: string) => listMemberships(await contextOf({ sub, email }));
    const ours = (await list(first)).filter(
      ({ organizationId }) => organizationId === tenant.organizationId,
    );
    expect(ours).toMatchObject([{ role: 'AGENT', userId: first }]);
    expect(await list(second)).toEqual([]);
  });

  test('to a second address does not give a member a second membership', async () => {
    await read({ sub: first, email });
    await inviteMember(service.system, { ...ofTenant(), email: 'b@example.com', role: 'OWNER' });
    const context = await contextOf({ sub: first, email: 'b@example.com' });
    const ours = (await listMemberships(context)).filter(
      ({ organizationId }) => organizationId === tenant.organizationId,
    );
    expect(ours).toMatchObject([{ role: 'AGENT', email }]);
  });

  test('ends with the removal of the member, at the next request', async () => {
    await read({ sub: first, email });
    await updateMember(service.system, { ...ofTenant(), email, role: 'VIEWER' });
    const context = await contextOf({ sub: first, email });
    await requireOrganization(context, tenant.organizationId, 'organization:read');
    await removeMember(service.system, { ...ofTenant(), email });
    await expect(
      requireOrganization(context, tenant.organizationId, 'organization:read'),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
