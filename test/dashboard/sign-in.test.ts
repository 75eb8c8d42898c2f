import { decodeJwt } from 'jose';
import type { Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { removeMember } from '../../src/domain/organizations/manage-members.ts';
import { createSignInSecret } from '../../src/domain/sign-in/sign-in-links.ts';
import { restClient } from '../support/api/rest-client.ts';
import { chromiumPath, eventually, openWindow } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';

/** Lifetime of a token. Short enough to end during a test, and long enough for a busy machine. */
const tokenSeconds = 15;
/** Waits until the page subscribes with a new token that was issued after its present tokens expire. */
function waitForNextToken(page: Page) {
  const expiresAt = Date.now() / 1_000 + tokenSeconds;
  const isNew = (request: Request) => {
    if (!request.url().endsWith('/graphql/stream')) return false;
    return Number(decodeJwt(request.headers().authorization?.slice(7) ?? '').iat) >= expiresAt;
  };
  return page.waitForRequest(isNew, { timeout: 90_000 });
}

/** Time limit in milliseconds for tests that wait until a token expires. */
const tokenExpiryTimeoutMs = 180_000;

describe.skipIf(chromiumPath === undefined)('signing in with a link', () => {
  let test: DashboardTest;
  beforeAll(async () => {
    test = await startDashboardTest({ dashboardTokenSeconds: tokenSeconds });
  });
  // Closes the pages, because open pages keep rendering and slow down later tests.
  afterEach(async () => {
    for (const context of test.browser.contexts()) await context.close();
  });
  afterAll(() => test?.stop());

  const signInPage = (page: Page) =>
    page.getByRole('heading', { name: 'Sign in to grounded-chat' }).waitFor();

  async function requestHandoff(name: string): Promise<void> {
    const rest = restClient(`${test.service.url}/api/v1`, await test.tenant.key());
    const { conversationId } = await (await rest.post('/chat', { message: 'Hello?' })).json();
    await rest.post('/handoff', { conversationId, name, reason: 'Wants a person' });
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  }

  it('works once, survives a reload and a token refresh, and loses no event', {
    timeout: tokenExpiryTimeoutMs,
  }, async () => {
    const { page, errors: complaints } = await test.member('owner@harbour.example', 'OWNER');
    expect(page.url()).not.toContain('sign-in=');
    await page.reload();
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await eventually(() => page.title()).toBe('Inbox · grounded-chat');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Conversations' }).click();
    await waitForNextToken(page);
    await requestHandoff('Mira');
    await page.getByText('Mira asks for an agent').waitFor();
    expect(await page.getByText('Mira asks for an agent').count()).toBe(1);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('log', { name: 'Transcript' }).getByText('Hello?').waitFor();
    expect(complaints).toEqual([]);
  });

  it('explains to visitors with a used link, an expired link or no link how to get one', async () => {
    const { url, adapters } = test.service;
    const link = await createSignInSecret(adapters, 'owner@harbour.example');
    const { page: first } = await openWindow(test.browser);
    await first.goto(`${url}/dashboard/#sign-in=${link}`);
    await first.getByRole('heading', { level: 1 }).waitFor();
    const { page: second } = await openWindow(test.browser);
    await second.goto(`${url}/dashboard/#sign-in=${link}`);
    await second.getByText('This sign-in link is not valid').waitFor();
    await second.getByText('Ask an owner or admin of your organization').waitFor();
    await second.getByText('npm run cli -- sign-in').waitFor();
    const old = await createSignInSecret(adapters, 'owner@harbour.example');
    await test.service.ownerPool.query(
      `update grounded.sign_in_links set expires_at = now() - interval '1 second'`,
    );
    const { page: third } = await openWindow(test.browser);
    await third.goto(`${url}/dashboard/#sign-in=${old}`);
    await third.getByText('older than a day').waitFor();
    await third.goto(`${url}/dashboard/`);
    await signInPage(third);
    expect(await third.title()).toBe('Sign in · grounded-chat');
  });

  it('works in a tab that shows the dashboard, also for somebody else, and leaves the address bar', async () => {
    const { url, adapters } = test.service;
    const address = async (email: string) => {
      await test.member(email, 'ADMIN');
      return `${url}/dashboard/#sign-in=${await createSignInSecret(adapters, email)}`;
    };
    const { page } = await openWindow(test.browser);
    await page.goto(`${url}/dashboard/`);
    await signInPage(page);
    const first = await address('first@harbour.example');
    await page.evaluate((link) => location.assign(link), first);
    await page.getByRole('heading', { name: 'Get started', level: 1 }).waitFor();
    const second = await address('second@harbour.example');
    const loaded = page.waitForEvent('load');
    await page.evaluate((link) => location.assign(link), second);
    await loaded;
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByText('second@harbour.example').waitFor();
    expect(page.url()).not.toContain('sign-in');
  });

  it('ends with signing out, in all tabs, and invalidates the cookie', async () => {
    const { page } = await test.member('leaver@harbour.example', 'ADMIN');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    const [cookie] = await page.context().cookies(`${test.service.url}/dashboard/session`);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    await signOut(page);
    await signInPage(page);
    await signInPage(other);
    await other.reload();
    await signInPage(other);
    expect(await other.getByText('Your session has ended').count()).toBe(0);
    const response = await fetch(`${test.service.url}/dashboard/session/token`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Cookie: `${cookie?.name}=${cookie?.value}`,
      },
      body: '{}',
    });
    expect(response.status).toBe(401);
  });

  it('returns the error of an invalid session request', async () => {
    const post = (path: string, body: string, type = 'application/json') =>
      fetch(`${test.service.url}/dashboard/session${path}`, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body,
      });
    for (const path of ['', '/token']) {
      expect((await post(path, '{"secret"')).status).toBe(400);
      expect((await post(path, '{}', 'application/x-www-form-urlencoded')).status).toBe(400);
      expect((await post(path, JSON.stringify({ a: 'x'.repeat(2_000_000) }))).status).toBe(413);
      expect((await post(path, '{}')).status).toBe(401);
    }
    for (const secret of ['nobody gave this', 'x'.repeat(10_000), 7]) {
      expect((await post('', JSON.stringify({ secret }))).status).toBe(401);
    }
  });

  it('detects a session that was closed elsewhere, and continues after a new sign-in', {
    timeout: tokenExpiryTimeoutMs,
  }, async () => {
    const { page } = await test.member('evicted@harbour.example', 'AGENT');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await test.service.ownerPool.query('delete from grounded.operator_sessions');
    // The page notices the end of the session without a click, at the latest when its token expires.
    await page.getByText('Your session has ended').waitFor();
    await signInPage(page);
    await page.getByText('Ask an owner or admin of your organization').waitFor();
    await page.reload();
    await page.getByText('Your session has ended').waitFor();
    // If the user opens a new sign-in link in another tab, this tab is also signed in.
    const other = await page.context().newPage();
    const link = await createSignInSecret(test.service.adapters, 'evicted@harbour.example');
    await other.goto(`${test.service.url}/dashboard/#sign-in=${link}`);
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  });

  it('shows a removed member a clear page, and a new member the projects after a refresh', async () => {
    const { page } = await test.member('gone@harbour.example', 'AGENT');
    await page.getByText('Live', { exact: true }).waitFor();
    const { organizationId } = test.tenant;
    await removeMember(test.service.system, { organizationId, email: 'gone@harbour.example' });
    // At the next event, the service checks again whether the subscriber may read the stream.
    await requestHandoff('Somebody');
    await page.getByText('You are not a member of an organization').waitFor();
    await page.getByText('gone@harbour.example').waitFor();
    expect(await page.getByText('Somebody').count()).toBe(0);
    await test.member('gone@harbour.example', 'VIEWER');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  });
});

describe.skipIf(chromiumPath === undefined)('a service that accepts only tokens', () => {
  it('explains what is missing, and shows no unusable form', async () => {
    const url = 'http://127.0.0.1:1';
    const test = await startDashboardTest({
      isWorker: false,
      signIn: {
        tokenVerification: { type: 'supabase', url, users: { url, apiKey: 'sb_secret_x' } },
        signIn: { type: 'none' },
      },
    });
    const { page, errors: complaints } = await openWindow(test.browser);
    await page.goto(`${test.service.url}/dashboard/`);
    await page.getByText('Sign-in is not configured').waitFor();
    await page.getByText('SUPABASE_PUBLISHABLE_KEY').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(complaints).toEqual([]);
    await test.stop();
  });
});
