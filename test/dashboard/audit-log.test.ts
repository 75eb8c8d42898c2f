import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateProject } from '../../src/domain/organizations/projects.ts';
import { chromiumPath, eventually, type OpenPage } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';

const markup = `<img src=x onerror="document.title = 'stolen'">`;

describe.skipIf(chromiumPath === undefined)('the audit log', () => {
  let test: DashboardTest;
  let owner: OpenPage;
  beforeAll(async () => {
    test = await startDashboardTest();
    await updateProject(test.service.system, {
      id: test.tenant.projectId,
      assistant: { instructions: markup },
    });
    owner = await test.member('owner@harbour.example', 'OWNER');
  });
  afterAll(() => test?.stop());

  const settings = () => `${test.service.url}/dashboard/${test.tenant.projectId}/settings`;

  it('shows owners the entries newest first, and filters them', async () => {
    const { page } = owner;
    await page.goto(`${settings()}/audit`);
    const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
    await eventually(() => rows.nth(1).textContent()).toMatch(/Joined the organization/);
    const all = await rows.count();
    await page.getByText(`instructions: ${markup}`).first().waitFor();
    expect(await page.title()).not.toBe('stolen');

    await page.getByRole('combobox', { name: 'Action' }).fill('Changed a project');
    await page.getByRole('option', { name: 'Changed a project' }).click();
    await eventually(() => rows.count()).toBe(2);
    await page.getByLabel('Actor').fill('nobody@harbour.example');
    await page.getByText('No entry matches the filters.').waitFor();
    await page.getByLabel('Actor').fill('');
    await eventually(() => rows.count()).toBe(2);
    expect(all).toBeGreaterThan(2);
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByText('No entry matches the filters.').waitFor();
    expect(owner.errors).toEqual([]);
  });

  it('is hidden from admins', async () => {
    const { page } = await test.member('admin@harbour.example', 'ADMIN');
    await page.goto(settings());
    await page.getByRole('tab', { name: 'Members' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Audit log' }).count()).toBe(0);
  });
});
