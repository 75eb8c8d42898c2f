import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createInvitation } from '../../src/domain/organizations/invitations.ts';
import { inviteMember } from '../../src/domain/organizations/manage-members.ts';
import { chromiumPath, eventually, openWindow } from '../support/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/dashboard.ts';
import { type SupabaseSignIn, startSupabaseSignIn } from '../support/supabase-sign-in.ts';

describe.skipIf(chromiumPath === undefined)('signing in through Supabase Auth', () => {
  const email = 'ada@harbour.example';
  const password = 'correct horse battery staple';
  let auth: SupabaseSignIn;
  let test: DashboardTest;
  let start: string;
  beforeAll(async () => {
    auth = await startSupabaseSignIn();
    auth.addUser(email, password);
    const { url, publishableKey } = auth;
    test = await startDashboardTest({
      signIn: {
        tokenVerification: { type: 'supabase', url, users: { url, apiKey: publishableKey } },
        signIn: { type: 'supabase', url, publishableKey },
      },
    });
    start = `${test.service.url}/dashboard/`;
    const { organizationId } = test.tenant;
    await inviteMember(test.service.system, { organizationId, email, role: 'AGENT' });
  });
  // Closes the pages, because open pages keep rendering and slow down later tests.
  afterEach(async () => {
    for (const context of test.browser.contexts()) await context.close();
  });
  afterAll(async () => {
    await test?.stop();
    await auth?.close();
  });

  const inbox = (page: Page) => page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  const form = (page: Page) => page.getByRole('button', { name: 'Sign in' }).waitFor();

  async function fill(page: Page, withPassword: string): Promise<void> {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(withPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it('works with the correct password only, survives a reload, and ends in all tabs with signing out', async () => {
    const { page } = await openWindow(test.browser);
    await page.goto(start);
    await fill(page, 'wrong');
    await page.getByRole('alert').getByText('Invalid login credentials').waitFor();
    await fill(page, password);
    await inbox(page);
    await page.getByText('Live', { exact: true }).waitFor();
    const other = await page.context().newPage();
    await other.goto(start);
    await inbox(other);
    await page.reload();
    await inbox(page);
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByText(email).waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await form(page);
    await form(other);
    expect(auth.requests).toContain('logout?scope=local');
    await page.reload();
    await form(page);
  });

  it('follows the link of an invitation, which shows who is invited and signs nobody in', async () => {
    const { organizationId } = test.tenant;
    const invited = 'mira@harbour.example';
    const input = { organizationId, email: invited, role: 'AGENT' } as const;
    const { link } = await createInvitation(test.service.system, input);
    auth.addUser(invited, password);
    const { page } = await openWindow(test.browser);
    await page.goto(test.service.url + link);
    await page.getByText(`sign in with the confirmed address ${invited}`).waitFor();
    expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Continue to sign-in' }).click();
    await page.getByLabel('E-mail').fill(invited);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await inbox(page);
    const { page: late } = await openWindow(test.browser);
    await late.goto(test.service.url + link);
    await late.getByText('This invitation is not valid').waitFor();
  });

  // The time limit is long, because the test waits until tokens have expired.
  it('renews a session before it expires, and asks to sign in again after it was closed', {
    timeout: 180_000,
  }, async () => {
    auth.lifetimeSeconds = 92;
    const { page } = await openWindow(test.browser);
    await page.goto(start);
    await fill(page, password);
    await inbox(page);
    const renewals = () => auth.requests.filter((path) => path.includes('refresh_token')).length;
    const before = renewals();
    // A session ends when its newest token expires, so the test makes the next token expire soon.
    auth.lifetimeSeconds = 5;
    await eventually(async () => {
      await page.getByRole('link', { name: 'Conversations' }).click();
      await page.getByRole('link', { name: 'Inbox' }).click();
      return renewals();
    }).toBeGreaterThan(before);
    await inbox(page);
    auth.endSessions();
    await eventually(async () => {
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page.getByRole('button', { name: 'Sign in' }).isVisible();
    }).toBe(true);
    auth.lifetimeSeconds = 3_600;
  });

  it('works with an e-mailed link, once, in the browser that requested it', async () => {
    const { page } = await openWindow(test.browser);
    await page.goto(start);
    await page.getByRole('button', { name: 'Send me a link instead' }).click();
    await page.getByText('Enter your e-mail address').waitFor();
    await page.getByLabel('E-mail').fill('stranger@example.com');
    await page.getByRole('button', { name: 'Send me a link instead' }).click();
    await page.getByRole('alert').getByText('Signups not allowed').waitFor();
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send me a link instead' }).click();
    await page.getByText(`A sign-in link was sent to ${email}`).waitFor();
    const link = auth.linksSentTo(email).at(-1) ?? '';
    await page.goto(link);
    await inbox(page);
    expect(page.url()).not.toContain('code=');

    const { page: elsewhere } = await openWindow(test.browser);
    await elsewhere.goto(link);
    await elsewhere.getByText('This sign-in link is not valid').waitFor();
    await elsewhere.getByText('Email link is invalid or has expired').waitFor();
    expect(elsewhere.url()).toBe(start);

    await elsewhere.getByLabel('E-mail').fill(email);
    await elsewhere.getByRole('button', { name: 'Send me a link instead' }).click();
    await elsewhere.getByText('Check your e-mail').waitFor();
    const { page: third } = await openWindow(test.browser);
    await third.goto(auth.linksSentTo(email).at(-1) ?? '');
    await third.getByText('Open the link in the browser that requested it').waitFor();
  });

  it('reports an unreachable server instead of a wrong password', async () => {
    const { page } = await openWindow(test.browser);
    await page.goto(start);
    await form(page);
    await page.route(`${auth.url}/**`, (route) => route.abort());
    await fill(page, password);
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
  });
});
