import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Context, createContext } from '../../src/domain/context.ts';
import {
  inviteMember,
  removeMember,
  updateMember,
} from '../../src/domain/organizations/manage-members.ts';
import { listMemberships } from '../../src/domain/organizations/members.ts';
import { requireOrganization } from '../../src/domain/organizations/require-organization.ts';
import { newId } from '../../src/platform/ids.ts';
import { type Authenticator, createAuthenticator } from '../../src/schema/authenticate.ts';
import { loadTokenVerification, signToken } from '../../src/server/token.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import {
  type SupabaseAuth,
  startSupabaseAuth,
  supabaseUserClaims,
} from '../support/supabase-auth.ts';

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
  authenticate = createAuthenticator(service.adapters, { type: 'supabase', url: auth.url });
});
afterEach(async () => {
  vi.useRealTimers();
  await auth?.close();
});

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

  test('issued by Supabase has a trusted e-mail address only if it is marked as verified', async () => {
    const token = await sign(supabaseUserClaims(issuer, { user_metadata: undefined }));
    expect(await bearer(token, check)).toMatchObject({ email: null });
  });
});

describe('the e-mail address of a token is untrusted', () => {
  test.each<[string, JWTPayload]>([
    ['is not verified', { user_metadata: { email_verified: false } }],
    ['is not said to be verified', { user_metadata: {} }],
    ['is said to be verified in other words', { user_metadata: { email_verified: 'true' } }],
    ['comes without what is known of the user', { user_metadata: undefined }],
    ['is not verified as a hook says', { email_verified: false }],
    ['is empty', { email: '' }],
    ['is of somebody anonymous', { is_anonymous: true }],
  ])('if it %s', async (_what, claims) => {
    expect(await signedIn(claims)).toMatchObject({ type: 'operator', userId: ada, email: null });
  });

  test('unless an auth hook of the project marks it as verified', async () => {
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

  test('is accepted by the first operator who signs in with the verified address, and belongs to that operator only', async () => {
    await expect(
      read({ sub: first, email, user_metadata: { email_verified: false } }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const parallel = [1, 2, 3].map(() => read({ sub: first, email: 'Ada@Example.com' }));
    expect((await Promise.all(parallel)).map(({ id }) => id)).toEqual(
      Array(3).fill(tenant.organizationId),
    );
    // The e-mail address now belongs to another user.
    await expect(read({ sub: second, email })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await read({ sub: first, email: 'new@example.com' })).toMatchObject({
      name: expect.any(String),
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
