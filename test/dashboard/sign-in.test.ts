import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignInLink } from '../../src/domain/sign-in/operator-sessions.ts';
import { chromiumPath } from '../support/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/dashboard.ts';

describe.skipIf(chromiumPath === undefined)('signing in', () => {
  let test: DashboardTest;
  beforeAll(async () => {
    test = await startDashboardTest();
  });
  afterAll(() => test?.stop());

  it('works by a link, once, and holds over a reload without the link', async () => {
    const { page, complaints } = await test.member('owner@harbour.example', 'OWNER');
    expect(page.url()).not.toContain('sign-in=');
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Inbox');
    expect(await page.title()).toBe('Inbox · grounded-chat');
    expect(complaints).toEqual([]);
  });

  it('tells whoever comes with a used link, or without one, how to get one', async () => {
    const link = await createSignInLink(test.service.adapters, 'owner@harbour.example');
    const first = await (await test.browser.newContext()).newPage();
    await first.goto(`${test.service.url}/dashboard/#sign-in=${link}`);
    await first.getByRole('heading', { name: 'Inbox' }).waitFor();
    const second = await (await test.browser.newContext()).newPage();
    await second.goto(`${test.service.url}/dashboard/#sign-in=${link}`);
    await second.getByText('This link no longer works').waitFor();
    await second.getByText('npm run cli -- sign-in').waitFor();
    await second.goto(`${test.service.url}/dashboard/`);
    await second.getByRole('heading', { name: 'Sign in to grounded-chat' }).waitFor();
  });

  it('ends with signing out: the cookie no longer opens anything', async () => {
    const { page } = await test.member('leaver@harbour.example', 'ADMIN');
    const [cookie] = await page.context().cookies(`${test.service.url}/dashboard/session`);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByText('leaver@harbour.example').waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to grounded-chat' }).waitFor();
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

  it('shows a viewer nothing that a viewer may not do', async () => {
    const { page } = await test.member('viewer@harbour.example', 'VIEWER');
    const open = async (name: string) => {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
    };
    await open('Knowledge');
    await page.getByText('No documents yet').waitFor();
    expect(await page.getByRole('button', { name: 'Write a document' }).count()).toBe(0);
    expect(await page.getByLabel('Files to upload').count()).toBe(0);
    await open('Developer');
    await page.getByText('For owners and admins').waitFor();
    await open('Playground');
    await page.getByText('Not for your role').waitFor();
    await open('Settings');
    await page.getByLabel('Instructions').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  });
});
