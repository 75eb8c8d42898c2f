import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rateHandoff } from '../../src/domain/handoff/rate-handoff.ts';
import { resolveHandoff } from '../../src/domain/handoff/resolve-handoff.ts';
import { inviteMember } from '../../src/domain/organizations/manage-members.ts';
import { chromiumPath, type OpenPage, signIn } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { claimedConversation } from '../support/pages/reply-drafts.ts';

const evil = '<img src=x onerror=window.isHurt=1>';

describe.skipIf(chromiumPath === undefined)('satisfaction in the dashboard', () => {
  let test: DashboardTest;
  let lead: OpenPage;
  let base: string;
  beforeAll(async () => {
    test = await startDashboardTest();
    const { service, tenant } = test;
    const email = 'lead@harbour.example';
    const { organizationId } = tenant;
    await inviteMember(service.system, { organizationId, email, role: 'ADMIN' });
    lead = await signIn(test.browser, service, email);
    base = `${service.url}/dashboard/${tenant.projectId}`;
  }, 300_000);
  afterAll(() => test?.stop());

  it('is turned on in the settings, shown live in the inbox, and counted and listed for leads', {
    timeout: 300_000,
  }, async () => {
    const { page, errors } = lead;
    const { system } = test.service;
    const { projectId } = test.tenant;
    await page.goto(`${base}/settings`);
    await page.getByLabel('Ask end users how satisfied they were').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();

    const { handoffId, conversationId } = await claimedConversation(test.service, projectId);
    await resolveHandoff(system, { handoffId });
    await page.goto(`${base}/inbox/${conversationId}`);
    const section = page.getByRole('region', { name: 'Satisfaction' });
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    expect(await section.count()).toBe(0);
    await rateHandoff(system, { projectId, handoffId, rating: 2, comment: `Slow ${evil}` });
    await section.getByText('Rated 2 of 5').waitFor();
    await rateHandoff(system, { projectId, handoffId, rating: 4, comment: `Better ${evil}` });
    await section.getByText('Rated 4 of 5').waitFor();
    await section.getByText(`Better ${evil}`).waitFor();
    await page.goto(`${base}/conversations/${conversationId}`);
    await section.getByText('Rated 4 of 5').waitFor();

    await page.goto(`${base}/analytics`);
    await page.getByRole('group', { name: 'Satisfied' }).getByText('100').waitFor();
    const ratings = page.getByRole('list', { name: 'Ratings' });
    await ratings.getByText(`Better ${evil}`).waitFor();
    await page.getByText('1 to 3', { exact: true }).click();
    await page.getByText('No rating matches this filter.').waitFor();
    await page.getByText('4 and 5', { exact: true }).click();
    await ratings.getByRole('link').click();
    await page.waitForURL(`**/conversations/${conversationId}`);
    expect(await page.evaluate(() => 'isHurt' in window)).toBe(false);
    expect(errors).toEqual([]);
  });
});
