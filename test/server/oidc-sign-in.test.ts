import { describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { createRedirectBrowser, type RedirectBrowser } from '../support/pages/redirect-browser.ts';
import { startOidcServer } from '../support/servers/oidc-server.ts';
import {
  dashboard,
  failed,
  prepareOidcService,
  publicUrl,
  start,
} from '../support/servers/oidc-service.ts';
import { startTestService } from '../support/service.ts';

const oidc = prepareOidcService();
const { account, actions, browserOf, clientOf, invite, log, policy, roleOf, settingsOf, signIn } =
  oidc;

describe('signing in with a provider', () => {
  test('accepts the invitation of the verified address and starts a session of the dashboard', async () => {
    const { subject, email } = account();
    await invite(email.toUpperCase());
    const browser = browserOf(subject);
    expect(await signIn(subject, browser, '?returnTo=/dashboard/usage?days=7')).toBe(
      '/dashboard/usage?days=7',
    );
    const { me } = await (await clientOf(browser)).data<{ me: object }>(
      '{ me { email memberships { role } } }',
    );
    expect(me).toEqual({ email, memberships: [{ role: 'AGENT' }] });
    expect(await actions()).toEqual([
      'MEMBER_INVITED SERVICE',
      'MEMBER_JOINED OPERATOR',
      'SIGNED_IN OPERATOR',
    ]);
    const session = browser.setCookies.find((cookie) => cookie.startsWith('grounded_session='));
    expect(session).toMatch(
      /Max-Age=2592000; Path=\/dashboard\/session; .*HttpOnly; Secure; SameSite=Strict/,
    );
    const pending = browser.setCookies.filter((cookie) => cookie.startsWith('grounded_oidc_'));
    expect(pending[0]).toMatch(
      /Max-Age=600; Path=\/dashboard\/session\/oidc; .*HttpOnly; Secure; SameSite=Lax/,
    );
    expect(pending[1]).toContain('Expires=Thu, 01 Jan 1970');
    const signOut = { method: 'DELETE' };
    expect((await browser.fetch(`${publicUrl}/dashboard/session`, signOut)).status).toBe(204);
    expect(browser.cookies.get(publicUrl)?.has('grounded_session')).toBe(false);
    expect(await actions()).toContain('SIGNED_OUT OPERATOR');
  });

  test.each([
    '//evil.example',
    'https://evil.example/dashboard/',
    '/\\evil.example',
    '/dashboard/../graphql',
    '/graphql',
    'javascript:alert(1)',
    `/dashboard/${'x'.repeat(2_000)}`,
  ])('does not return to %s', async (target) => {
    const { subject, email } = account();
    await invite(email);
    const path = await signIn(subject, undefined, `?returnTo=${encodeURIComponent(target)}`);
    expect(path).toBe('/dashboard/');
  });

  test('sends state, nonce and a PKCE challenge, each used once', async () => {
    const browser = browserOf();
    const urls = await Promise.all([1, 2].map(() => browser.open(start, /\/auth\?/)));
    const [first, second] = urls.map(({ url }) => new URL(url).searchParams);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first?.get(name)).toMatch(/^[\w-]{43}$/);
      expect(first?.get(name)).not.toBe(second?.get(name));
    }
    expect(first?.get('code_challenge_method')).toBe('S256');
    const cookies = [...(browser.cookies.get(publicUrl)?.values() ?? [])].join();
    expect(cookies).not.toContain(first?.get('state'));
    expect(JSON.stringify(log.lines())).not.toContain(first?.get('state'));
  });

  test('works in two tabs at once, and for two browsers of a new account', async () => {
    const { subject, email } = account();
    await invite(email);
    const tabs = browserOf(subject);
    const first = await tabs.open(start, /\/callback\?/);
    const second = await tabs.open(start, /\/callback\?/);
    const arrive = async (browser: RedirectBrowser, url: string) =>
      (await browser.open(url, dashboard)).url;
    expect(await arrive(tabs, second.url)).toBe(`${publicUrl}/dashboard/`);
    expect(await arrive(tabs, first.url)).toBe(`${publicUrl}/dashboard/`);
    const other = account();
    await invite(other.email);
    const paths = await Promise.all([1, 2, 3].map(() => signIn(other.subject)));
    expect(paths).toEqual(['/dashboard/', '/dashboard/', '/dashboard/']);
  });

  test('is refused with a reason: nobody invited the address', async () => {
    const { subject, email } = account();
    expect(await signIn(subject)).toBe(failed('access'));
    await oidc.service.ownerPool.query(
      `insert into grounded.members (id, organization_id, email, role, invitation_hash, invitation_expires_at)
       values ($1, $2, $3::text, 'ADMIN', sha256(convert_to($3::text, 'UTF8')), now() - interval '1 second')`,
      [newId(), oidc.organizationId, email],
    );
    expect(await signIn(subject)).toBe(failed('access'));
    expect(await roleOf(email)).toBeNull();
  });

  test('is refused with a reason: the user declined', async () => {
    expect(await signIn(null)).toBe(failed('denied'));
  });

  test.each([
    ['is not verified', { email_verified: false }],
    ['is verified by a text only', { email_verified: 'false' }],
    ['has no claim about it', { email_verified: undefined }],
    ['is missing', { email: undefined }],
    ['is no address', { email: 'example.com' }],
    ['has a letter that is ASCII in lower case', { email: '\u212Aim@example.com' }],
  ])('is refused with a reason: the address %s', async (_, claims) => {
    const { subject, email } = account(claims);
    for (const address of [email, 'kim@example.com']) await invite(address);
    expect(await signIn(subject)).toBe(failed('email'));
  });

  test('trusts an address without a claim only if the setting says so, and never one that is not verified', async () => {
    policy.trustsEmail = true;
    const { subject, email } = account({ email_verified: undefined });
    await invite(email);
    expect(await signIn(subject)).toBe('/dashboard/');
    const other = account({ email_verified: false });
    await invite(other.email);
    expect(await signIn(other.subject)).toBe(failed('email'));
  });

  test('is refused with a reason: the domain is not allowed', async () => {
    policy.allowedDomains = ['example.com'];
    const insider = account();
    const outsider = account({ email: `${newId()}@example.com.evil.example` });
    const between = account({ email: `"a@example.com"@evil.example` });
    await invite(insider.email);
    expect(await signIn(insider.subject)).toBe('/dashboard/');
    expect(await signIn(outsider.subject)).toBe(failed('domain'));
    expect(await signIn(between.subject)).not.toBe('/dashboard/');
  });
});

describe('a provider that is down', () => {
  test('does not stop the service from starting, and is asked again at the next sign-in', async () => {
    const late = await startOidcServer(`${start}/callback`, { claimsInIdToken: true });
    late.isDown = true;
    const waiting = await startTestService({
      isWorker: false,
      database: oidc.service.database,
      publicUrl,
      oidc: settingsOf(late),
    });
    try {
      const subject = newId();
      const email = `${subject}@example.com`;
      late.accounts.set(subject, { email, email_verified: true });
      await invite(email);
      const open = async () => {
        const browser = createRedirectBrowser(
          { [publicUrl]: waiting.url },
          { 'X-Account': subject },
        );
        return (await browser.open(start, dashboard)).url.replace(publicUrl, '');
      };
      expect((await fetch(`${waiting.url}/health/ready`)).status).toBe(200);
      expect(await open()).toBe(failed('unavailable'));
      late.isDown = false;
      expect(await open()).toBe('/dashboard/');
      expect(late.requests).not.toContain('/me');
      late.isDown = true;
      expect((await fetch(`${waiting.url}/dashboard/sign-in.json`)).status).toBe(200);
    } finally {
      await waiting.stop();
      await late.stop();
    }
  });

  test('in the middle of a sign-in leads back to the sign-in page, and logs no secret', async () => {
    const { subject } = account();
    const browser = browserOf(subject);
    const { url } = await browser.open(start, /\/callback\?/);
    oidc.provider.isDown = true;
    expect((await browser.open(url, dashboard)).url).toContain(failed('unavailable'));
    const lines = JSON.stringify(log.lines());
    expect(lines).toContain('the OIDC provider failed');
    expect(lines).not.toContain(new URL(url).searchParams.get('code'));
    expect(lines).not.toContain(oidc.provider.clientSecret);
  });
});

test('the sign-in page learns of the provider only if one is configured', async () => {
  const read = async (url: string) => (await fetch(`${url}/dashboard/sign-in.json`)).json();
  expect(await read(oidc.service.url)).toEqual({
    type: 'link',
    oidc: { name: 'Example ID', url: start },
  });
  const plain = await startTestService({ isWorker: false, database: oidc.service.database });
  expect(await read(plain.url)).toEqual({ type: 'link' });
  const { headers } = await fetch(`${plain.url}/dashboard/session/oidc`, { redirect: 'manual' });
  expect(headers.get('Location')).toBeNull();
  await plain.stop();
});
