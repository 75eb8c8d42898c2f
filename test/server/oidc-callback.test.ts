import { generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import type { RedirectBrowser } from '../support/pages/redirect-browser.ts';
import { type OidcServer, signIdToken } from '../support/servers/oidc-server.ts';
import {
  dashboard,
  failed,
  prepareOidcService,
  publicUrl,
  start,
} from '../support/servers/oidc-service.ts';

const oidc = prepareOidcService();
const { account, browserOf, invite, signIn } = oidc;

describe('a callback', () => {
  async function callback(subject: string) {
    const browser = browserOf(subject);
    const { url } = await browser.open(start, /\/callback\?/);
    return { browser, url };
  }
  const arrive = async (browser: RedirectBrowser, url: string) =>
    (await browser.open(url, dashboard)).url.replace(publicUrl, '');

  test('is refused with another state, without one, and in another browser', async () => {
    const { subject, email } = account();
    await invite(email);
    const { browser, url } = await callback(subject);
    const changed = new URL(url);
    changed.searchParams.set('state', 'x'.repeat(43));
    expect(await arrive(browser, changed.href)).toBe(failed('expired'));
    changed.searchParams.delete('state');
    expect(await arrive(browser, changed.href)).toBe(failed('expired'));
    expect(await arrive(browser, `${start}/callback`)).toBe(failed('expired'));
    expect(await arrive(browserOf(subject), url)).toBe(failed('expired'));
    expect(await arrive(browser, url)).toBe('/dashboard/');
  });

  test('works once, also with a copy of its cookies', async () => {
    const { subject, email } = account();
    await invite(email);
    const { browser, url } = await callback(subject);
    const copy = browserOf(subject);
    copy.cookies.set(publicUrl, new Map(browser.cookies.get(publicUrl)));
    expect(await arrive(browser, url)).toBe('/dashboard/');
    expect(await arrive(browser, url)).toBe(failed('expired'));
    expect(await arrive(copy, url)).toBe(failed('invalid'));
    expect(copy.cookies.get(publicUrl)?.has('grounded_session')).toBe(false);
  });

  test('is refused with a cookie of another sign-in, a changed one, or an expired one', async () => {
    const { subject, email } = account();
    await invite(email);
    const [mine, foreign] = [await callback(subject), await callback(subject)];
    const jar = mine.browser.cookies.get(publicUrl) ?? new Map();
    const [name = '', value = ''] = [...jar][0] ?? [];
    const [other = ''] = foreign.browser.cookies.get(publicUrl)?.values() ?? [];
    for (const forged of [other, `${value.slice(0, -2)}AA`, 'v1', '']) {
      jar.set(name, forged);
      expect(await arrive(mine.browser, mine.url)).toBe(failed('expired'));
    }
  });

  type Forge = NonNullable<OidcServer['forge']>;
  const now = () => Math.floor(Date.now() / 1_000);
  test.each<[string, Forge]>([
    ['signed with another key', async (claims) => signIdToken(claims, await otherKey())],
    [
      'of another issuer',
      (claims, key) => signIdToken({ ...claims, iss: 'https://evil.example' }, key),
    ],
    ['for another client', (claims, key) => signIdToken({ ...claims, aud: 'somebody' }, key)],
    ['of another sign-in', (claims, key) => signIdToken({ ...claims, nonce: 'another' }, key)],
    ['without a nonce', (claims, key) => signIdToken({ ...claims, nonce: undefined }, key)],
    ['that has expired', (claims, key) => signIdToken({ ...claims, exp: now() - 60 }, key)],
    [
      'of another subject than the user info',
      (claims, key) => signIdToken({ ...claims, sub: 'x' }, key),
    ],
    ['without a signature', async (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`],
  ])('is refused with an ID token %s', async (_, forge) => {
    const { subject, email } = account();
    await invite(email);
    oidc.provider.forge = signIdToken;
    expect(await signIn(subject)).toBe('/dashboard/');
    oidc.provider.forge = forge;
    expect(await signIn(subject)).toBe(failed('invalid'));
  });

  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const otherKey = async () => (await generateKeyPair('RS256')).privateKey;

  test('is refused after 60 requests of an address in a minute, without asking the provider', async () => {
    const browser = browserOf();
    for (let count = 0; count < 60; count += 1) {
      expect(await arrive(browser, `${start}/callback?state=x`)).toBe(failed('expired'));
    }
    const { length } = oidc.provider.requests;
    expect(await arrive(browser, start)).toBe(failed('busy'));
    expect(oidc.provider.requests).toHaveLength(length);
  });
});
