import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inviteMember } from '../../src/domain/organizations/manage-members.ts';
import { chromiumPath, type OpenPage, seriousFlaws, signIn } from '../support/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/dashboard.ts';
import { pagePaths, showPage, showView, viewNames } from '../support/dashboard-views.ts';
import { type FilledTenant, fillTenant } from '../support/fill-tenant.ts';
import { pageFlaws, watchLayoutShifts } from '../support/page-flaws.ts';
import { tabFlaws } from '../support/tab-through.ts';

describe.skipIf(chromiumPath === undefined)('every page of the dashboard', () => {
  let test: DashboardTest;
  let filled: FilledTenant;
  let owner: OpenPage;
  let projectUrl: string;
  beforeAll(async () => {
    test = await startDashboardTest();
    filled = await fillTenant(test.service, test.tenant);
    projectUrl = `${test.service.url}/dashboard/${test.tenant.projectId}`;
    owner = await signIn(test.browser, test.service, filled.owner);
    await owner.page.addInitScript(watchLayoutShifts);
  });
  afterAll(() => test?.stop());

  it('is one of those that are looked at here', async () => {
    await showPage(owner.page, projectUrl);
    const menu = owner.page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const links = await menu.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(links.map((link) => link?.split('/').at(-1))).toEqual(pagePaths);
  });

  it.each(viewNames)(
    'can be read by everybody, by day and night, on phones and enlarged, and stands still: %s',
    async (name) => {
      await showView(owner.page, projectUrl, filled, name);
      expect(await pageFlaws(owner.page)).toEqual([]);
      expect(owner.complaints.splice(0)).toEqual([]);
    },
  );

  it.each(viewNames)('can be used by keyboard: %s', async (name) => {
    await showView(owner.page, projectUrl, filled, name);
    expect(await tabFlaws(owner.page)).toEqual([]);
    const dialog = owner.page.getByRole('dialog');
    if ((await dialog.count()) === 0) return;
    await owner.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => owner.page.evaluate(() => document.activeElement?.tagName))
      .toBe('BUTTON');
  });

  it('lets the keyboard skip the menu', async () => {
    const { page } = owner;
    await showPage(page, `${projectUrl}/knowledge`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  });

  it('begins with a sign-in that everybody can read', async () => {
    const context = await test.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${test.service.url}/dashboard/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await seriousFlaws(page)).toEqual([]);
    await context.close();
  });

  it('says what to do where there is nothing yet', async () => {
    const { projectId, organizationId } = await test.service.createTenant();
    const email = 'newcomer@harbour.example';
    await inviteMember(test.service.system, { organizationId, email, role: 'OWNER' });
    const newcomer = await signIn(test.browser, test.service, email);
    await newcomer.page.addInitScript(watchLayoutShifts);
    const flaws: Record<string, string[]> = {};
    for (const path of pagePaths) {
      await showPage(newcomer.page, `${test.service.url}/dashboard/${projectId}/${path}`);
      const found = await pageFlaws(newcomer.page);
      if (found.length > 0) flaws[path] = found;
    }
    expect(flaws).toEqual({});
    expect(newcomer.complaints).toEqual([]);
  });
});
