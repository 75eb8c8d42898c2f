import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, eventually, type OpenPage, signIn } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';

describe.skipIf(chromiumPath === undefined)('the list of sessions', () => {
  const email = 'ada@harbour.example';
  let test: DashboardTest;
  let first: OpenPage;
  let second: OpenPage;
  beforeAll(async () => {
    test = await startDashboardTest();
    first = await test.member(email, 'AGENT');
    second = await signIn(test.browser, test.service, email);
  });
  afterAll(() => test?.stop());

  const rows = ({ page }: OpenPage) =>
    page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  const signInPage = ({ page }: OpenPage) =>
    page.getByRole('heading', { name: 'Sign in to grounded-chat' }).waitFor();

  it('opens from the account menu, and marks this browser', async () => {
    const { page } = first;
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Where you are signed in' }).click();
    await eventually(() => rows(first).count()).toBe(2);
    expect(await page.getByText('This browser').count()).toBe(1);
    expect(await rows(first).allInnerTexts()).toEqual([
      expect.stringMatching(/^Chrome on Linux\s+Last used\s+just now/),
      expect.stringMatching(/^Chrome on Linux\s+Last used\s+just now/),
    ]);
  });

  it('signs out another browser at once, and no session of somebody else', async () => {
    const stranger = await test.member('other@harbour.example', 'AGENT');
    await second.page.getByText('Live', { exact: true }).waitFor();
    await first.page.getByRole('button', { name: 'Sign out Chrome on Linux' }).click();
    await first.page.getByText('Chrome on Linux was signed out').waitFor();
    await eventually(() => rows(first).count()).toBe(1);
    await signInPage(second);
    await stranger.page.reload();
    await stranger.page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    expect(first.errors).toEqual([]);
  });

  it('signs out everywhere', async () => {
    const { page } = first;
    const other = await signIn(test.browser, test.service, email);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await signInPage(first);
    await signInPage(other);
  });
});
