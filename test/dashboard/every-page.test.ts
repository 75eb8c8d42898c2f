import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inviteMember } from '../../src/domain/organizations/manage-members.ts';
import { type SeededTenant, seedTenant } from '../support/database/seed-tenant.ts';
import { addRatedAnswers, type RatedAnswer } from '../support/evaluation/rated-answers.ts';
import {
  chromiumPath,
  type OpenPage,
  seriousViolations,
  signIn,
} from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { pagePaths, showPage, showView, viewNames } from '../support/pages/dashboard-views.ts';
import { findPageViolations, recordLayoutShifts } from '../support/pages/page-violations.ts';
import { findTabOrderViolations } from '../support/pages/tab-order.ts';

const ratedAnswers: readonly RatedAnswer[] = Array.from({ length: 24 }, (_, index) => ({
  retrievalConfidence: 0.4 + index / 40,
  rating: index % 3 === 0 ? 'DOWN' : 'UP',
}));

describe.skipIf(chromiumPath === undefined)('every page of the dashboard', () => {
  let test: DashboardTest;
  let filled: SeededTenant;
  let owner: OpenPage;
  let projectUrl: string;
  beforeAll(async () => {
    test = await startDashboardTest();
    filled = await seedTenant(test.service, test.tenant);
    await addRatedAnswers(test.service, test.tenant.projectId, ratedAnswers);
    projectUrl = `${test.service.url}/dashboard/${test.tenant.projectId}`;
    owner = await signIn(test.browser, test.service, filled.owner);
    await owner.page.addInitScript(recordLayoutShifts);
  });
  afterAll(() => test?.stop());

  it('is covered by this suite', async () => {
    await showPage(owner.page, projectUrl);
    const menu = owner.page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const links = await menu.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    const paths = links.filter((link) => link?.startsWith('/dashboard'));
    expect(paths.map((link) => link?.split('/').at(-1)).sort()).toEqual([...pagePaths].sort());
  });

  it.each(viewNames)(
    'is accessible in light and dark mode, on phones and zoomed, without layout shifts: %s',
    async (name) => {
      await showView(owner.page, projectUrl, filled, name);
      expect(await findPageViolations(owner.page)).toEqual([]);
      expect(owner.errors.splice(0)).toEqual([]);
    },
  );

  it.each(viewNames)('is usable by keyboard: %s', async (name) => {
    await showView(owner.page, projectUrl, filled, name);
    expect(await findTabOrderViolations(owner.page)).toEqual([]);
    const dialog = owner.page.getByRole('dialog');
    if ((await dialog.count()) === 0) return;
    await owner.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => owner.page.evaluate(() => document.activeElement?.tagName))
      .toBe('BUTTON');
  });

  it('has a link that skips the menu', async () => {
    const { page } = owner;
    await showPage(page, `${projectUrl}/knowledge`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  });

  it('starts with an accessible sign-in page', async () => {
    const context = await test.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${test.service.url}/dashboard/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await context.close();
  });

  it('explains what to do when it is empty', async () => {
    const { projectId, organizationId } = await test.service.createTenant();
    const email = 'newcomer@harbour.example';
    await inviteMember(test.service.system, { organizationId, email, role: 'OWNER' });
    const newcomer = await signIn(test.browser, test.service, email);
    await newcomer.page.addInitScript(recordLayoutShifts);
    const flaws: Record<string, string[]> = {};
    for (const path of pagePaths) {
      await showPage(newcomer.page, `${test.service.url}/dashboard/${projectId}/${path}`);
      const found = await findPageViolations(newcomer.page);
      if (found.length > 0) flaws[path] = found;
    }
    expect(flaws).toEqual({});
    expect(newcomer.errors).toEqual([]);
  });
});
