import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Context, createContext } from '../../src/domain/context.ts';
import { newId } from '../../src/domain/ids.ts';
import {
  inviteMember,
  removeMember,
  updateMember,
} from '../../src/domain/organizations/manage-members.ts';
import { listMemberships } from '../../src/domain/organizations/members.ts';
import { requireOrganization } from '../../src/domain/organizations/require-organization.ts';
import { type Authenticate, createAuthenticate } from '../../src/schema/authenticate.ts';
import { signToken, tokenTrust } from '../../src/token.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { operatorClaims, type SupabaseAuth, startSupabaseAuth } from '../support/supabase-auth.ts';

const ada = operatorClaims('').sub;
const soon = () => Math.floor(Date.now() / 1000) + 60;

let service: TestService;
let auth: SupabaseAuth;
let authenticate: Authenticate;

beforeAll(async () => {
  service = await startTestService({ isWorker: false });
});
afterAll(() => service?.stop());
beforeEach(async () => {
  auth = await startSupabaseAuth();
  authenticate = createAuthenticate(service.adapters, { type: 'supabase', url: auth.url });
});
afterEach(async () => {
  vi.useRealTimers();
  await auth?.close();
});

const bearer = (token: string, check = authenticate) => check(`Bearer ${token}`);
const signedIn = async (claims?: JWTPayload) => bearer(await auth.token(claims));

const refused = { code: 'UNAUTHENTICATED' };
const unavailable = { code: 'UNAVAILABLE', retryable: true };

describe('a token of Supabase Auth, checked with its published keys', () => {
  test('is its operator', async () => {
    expect(await signedIn()).toEqual({
      type: 'operator',
      userId: ada,
      email: 'ada@example.com',
      expiresAt: expect.any(Date),
    });
  });

  test('of the service role may do everything', async () => {
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
  ])('that %s is refused', async (_what, claims) => {
    await expect(signedIn(claims())).rejects.toMatchObject(refused);
  });

  test('without a signature is refused, and no keys are asked for', async () => {
    const unsecured = new UnsecuredJWT(operatorClaims(auth.issuer)).encode();
    for (const token of [unsecured, `${unsecured}x`, 'a.b.c', 'nonsense']) {
      await expect(bearer(token)).rejects.toMatchObject(refused);
    }
    expect(auth.fetches).toBe(0);
  });

  test('that takes the public key for a secret is refused', async () => {
    const secret = new TextEncoder().encode(await auth.publicKey());
    const forged = new SignJWT(operatorClaims(auth.issuer, { role: 'service_role' }));
    const token = await forged.setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).sign(secret);
    await expect(bearer(token)).rejects.toMatchObject(refused);
  });

  test('of somebody else with a key of their own is refused', async () => {
    const other = await startSupabaseAuth();
    try {
      const token = await other.token({ iss: auth.issuer });
      await expect(bearer(token)).rejects.toMatchObject(refused);
    } finally {
      await other.close();
    }
  });

  test('whose claims were changed is refused', async () => {
    const [header, , signature] = (await auth.token()).split('.');
    const claims = operatorClaims(auth.issuer, { role: 'service_role' });
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    await expect(bearer(`${header}.${payload}.${signature}`)).rejects.toMatchObject(refused);
  });
});

describe('the published keys', () => {
  test('are fetched once, and again for a new key: not more than twice a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await Promise.all([signedIn(), signedIn()]);
    await signedIn();
    expect(auth.fetches).toBe(1);

    const before = await auth.token();
    await auth.rotate();
    await expect(signedIn()).rejects.toMatchObject(refused);
    expect(auth.fetches).toBe(1);
    vi.setSystemTime(Date.now() + 31_000);
    expect(await signedIn()).toMatchObject({ type: 'operator' });
    expect(auth.fetches).toBe(2);
    await expect(bearer(before)).rejects.toMatchObject(refused);
    expect(auth.fetches).toBe(2);
  });

  test.each(['error', 'page'] as const)(
    'that cannot be had (%s) are no fault of the token',
    async (reply) => {
      auth.answer(reply);
      await expect(signedIn()).rejects.toMatchObject(unavailable);
      auth.answer('keys');
      expect(await signedIn()).toMatchObject({ type: 'operator' });
    },
  );

  test('of a server that is down are no fault of the token', async () => {
    const token = await auth.token();
    await auth.close();
    await expect(bearer(token)).rejects.toMatchObject(unavailable);
  });
});

describe('a token that is checked with the shared secret', () => {
  const secret = new TextEncoder().encode('a shared secret of at least 32 characters');
  const issuer = 'https://abcd.supabase.co/auth/v1';
  const sign = (claims: JWTPayload, key = secret, alg = 'HS256') =>
    new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT' }).sign(key);
  let check: Authenticate;

  beforeEach(async () => {
    const trust = await tokenTrust(
      readConfig({
        SUPABASE_URL: 'https://abcd.supabase.co',
        SUPABASE_SECRET_KEY: 'sb_secret_x',
        SUPABASE_JWT_SECRET: 'a shared secret of at least 32 characters',
      }),
    );
    check = createAuthenticate(service.adapters, trust);
  });

  test('is its operator or the service role', async () => {
    const operator = await sign(operatorClaims(issuer));
    expect(await bearer(operator, check)).toMatchObject({ type: 'operator', userId: ada });
  });

  test.each(['supabase', 'supabase-demo', 'grounded-chat'])(
    'that %s has issued is the service role',
    async (iss) => {
      const root = await sign({ iss, role: 'service_role', exp: soon() });
      expect(await bearer(root, check)).toMatchObject({ type: 'service' });
    },
  );

  test.each<[string, () => Promise<string>]>([
    ['with another secret', () => sign(operatorClaims(issuer), new Uint8Array(32).fill(7))],
    ['with another algorithm', () => sign(operatorClaims(issuer), new Uint8Array(64), 'HS512')],
    ['with the published keys of a project', () => auth.token()],
    ['by another issuer', () => sign(operatorClaims('https://evil.supabase.co/auth/v1'))],
    ['by nobody', () => sign({ role: 'service_role', exp: soon() })],
    ['for another audience', () => sign(operatorClaims(issuer, { aud: 'anon' }))],
    ['without an end', () => sign(operatorClaims(issuer, { exp: undefined }))],
    ['with nothing', async () => new UnsecuredJWT(operatorClaims(issuer)).encode()],
  ])('that is signed %s is refused', async (_how, token) => {
    await expect(bearer(await token(), check)).rejects.toMatchObject(refused);
  });

  test('by our own command line has an address that is believed', async () => {
    const email = 'ada@example.com';
    const token = await signToken(secret, { role: 'authenticated', sub: ada ?? '', email });
    expect(await bearer(token, check)).toMatchObject({ email });
  });

  test('by Supabase has one that it says is verified, and no other', async () => {
    const token = await sign(operatorClaims(issuer, { user_metadata: undefined }));
    expect(await bearer(token, check)).toMatchObject({ email: null });
  });
});

describe('the address of a token is nobody’s', () => {
  test.each<[string, JWTPayload]>([
    ['is not verified', { user_metadata: { email_verified: false } }],
    ['is not said to be verified', { user_metadata: {} }],
    ['is said to be verified in other words', { user_metadata: { email_verified: 'true' } }],
    ['comes without what is known of the user', { user_metadata: undefined }],
    ['is not verified as a hook says', { email_verified: false }],
    ['is empty', { email: '' }],
    ['is of somebody anonymous', { is_anonymous: true }],
  ])('where it %s', async (_what, claims) => {
    expect(await signedIn(claims)).toMatchObject({ type: 'operator', userId: ada, email: null });
  });

  test('unless a hook of the project says that it is verified', async () => {
    const claims = { user_metadata: {}, email_verified: true };
    expect(await signedIn(claims)).toMatchObject({ email: 'ada@example.com' });
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

  test('is taken up by whoever signs in first with its verified address, and then is theirs alone', async () => {
    await expect(
      read({ sub: first, email, user_metadata: { email_verified: false } }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const parallel = [1, 2, 3].map(() => read({ sub: first, email: 'Ada@Example.com' }));
    expect((await Promise.all(parallel)).map(({ id }) => id)).toEqual(
      Array(3).fill(tenant.organizationId),
    );
    // The address now belongs to someone else.
    await expect(read({ sub: second, email })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await read({ sub: first, email: 'new@example.com' })).toMatchObject({
      name: expect.any(String),
    });
  });

  test('is taken up when memberships are listed', async () => {
    const list = async (sub: string) => listMemberships(await contextOf({ sub, email }));
    const ours = (await list(first)).filter(
      ({ organizationId }) => organizationId === tenant.organizationId,
    );
    expect(ours).toMatchObject([{ role: 'AGENT', userId: first }]);
    expect(await list(second)).toEqual([]);
  });

  test('to a second address gives a member no second membership', async () => {
    await read({ sub: first, email });
    await inviteMember(service.system, { ...ofTenant(), email: 'b@example.com', role: 'OWNER' });
    const context = await contextOf({ sub: first, email: 'b@example.com' });
    const ours = (await listMemberships(context)).filter(
      ({ organizationId }) => organizationId === tenant.organizationId,
    );
    expect(ours).toMatchObject([{ role: 'AGENT', email }]);
  });

  test('that was taken up ends with the removal, at the next request', async () => {
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
