import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLabel } from '../../src/domain/labels/labels.ts';
import { restClient } from '../support/api/rest-client.ts';
import { chromiumPath, eventually } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { conversationOn, endUsers, itemOf } from '../support/pages/inbox-page.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';

describe.skipIf(chromiumPath === undefined)('labels', () => {
  let test: DashboardTest;
  let users: ReturnType<typeof endUsers>;
  beforeAll(async () => {
    test = await startDashboardTest();
    users = endUsers(restClient(`${test.service.url}/api/v1`, await test.tenant.key()));
  });
  afterEach(async () => {
    for (const context of test.browser.contexts()) await context.close();
    const { projectId } = test.tenant;
    await test.service.system.db.label.deleteMany({ where: { projectId } });
  });
  afterAll(() => test?.stop());

  it('are added and removed by keyboard, appear for the other agent, and filter both lists', async () => {
    const { projectId } = test.tenant;
    await createLabel(test.service.system, { projectId, name: 'Billing', color: 'BLUE' });
    await createLabel(test.service.system, { projectId, name: 'Urgent', color: 'RED' });
    const agent = await test.member('kai@harbour.example', 'AGENT');
    const lead = await test.member('lea@harbour.example', 'ADMIN');
    await users.requestHandoff('Mona');
    await users.requestHandoff('Otto');
    for (const { page } of [agent, lead]) await itemOf(page, 'Mona').click();

    const button = agent.page.getByRole('button', { name: 'Labels…' });
    const list = agent.page.getByRole('listbox', { name: 'Labels' });
    const find = async () => {
      await button.focus();
      await agent.page.keyboard.press('Enter');
      await list.getByRole('option', { name: 'Urgent' }).waitFor();
      await agent.page.keyboard.type('urg');
      await eventually(() => list.getByRole('option').count()).toBe(1);
      await agent.page.keyboard.press('ArrowDown');
    };
    await find();
    expect(await findPageViolations(agent.page)).toEqual([]);
    // The check has narrowed the page, which closes the pane with the list.
    await find();
    await agent.page.keyboard.press('Enter');
    const labelsOf = ({ page }: typeof agent) =>
      conversationOn(page).getByRole('list', { name: 'Labels' });
    await labelsOf(agent).getByText('Urgent').waitFor();
    await labelsOf(lead).getByText('Urgent').waitFor();
    await itemOf(lead.page, 'Mona').getByText('Urgent').waitFor();
    await agent.page.keyboard.type('Refund');
    await list.getByText('No label found').waitFor();
    await agent.page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await eventually(() => button.evaluate((it) => it === document.activeElement)).toBe(true);

    await lead.page.getByRole('button', { name: 'Labels…' }).click();
    await lead.page.getByLabel('Find a label').fill('Refund');
    await lead.page.getByRole('option', { name: 'Create “Refund”' }).waitFor();
    await lead.page.keyboard.press('ArrowDown');
    await lead.page.keyboard.press('Enter');
    await labelsOf(agent).getByText('Refund').waitFor();
    await lead.page.emulateMedia({ colorScheme: 'dark' });
    await lead.page.getByRole('option', { name: 'Urgent' }).click();
    await labelsOf(agent).getByText('Urgent').waitFor({ state: 'detached' });
    await lead.page.keyboard.press('Escape');

    const choose = async (page: typeof agent.page, name: string) => {
      await page.getByRole('combobox', { name: 'Label', exact: true }).click();
      await page.getByRole('option', { name }).click();
    };
    await choose(agent.page, 'Refund');
    await itemOf(agent.page, 'Otto').waitFor({ state: 'detached' });
    await itemOf(agent.page, 'Mona').waitFor();
    await agent.page.mouse.move(0, 0);
    expect(await findPageViolations(agent.page)).toEqual([]);
    await agent.page.setViewportSize({ width: 360, height: 740 });
    await agent.page.waitForFunction(
      () => document.documentElement.scrollWidth <= window.innerWidth,
    );

    await lead.page.goto(`${test.service.url}/dashboard/${projectId}/conversations`);
    const table = lead.page.getByRole('table', { name: 'Conversations' });
    await table.getByText('Otto').first().waitFor();
    await choose(lead.page, 'Refund');
    await table.getByText('Otto').first().waitFor({ state: 'detached' });
    await table.getByText('Refund').waitFor();
    await lead.page.emulateMedia({ colorScheme: 'dark' });
    expect([...agent.errors, ...lead.errors]).toEqual([]);
  });

  it('are renamed and deleted by admins in the settings, and read by agents', async () => {
    const { page, errors } = await test.member('ada@harbour.example', 'ADMIN');
    const url = `${test.service.url}/dashboard/${test.tenant.projectId}/settings/labels`;
    await page.goto(url);
    await page.getByText('No labels yet').waitFor();
    const add = async (name: string) => {
      await page.getByRole('button', { name: 'Add a label' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a label' });
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByRole('button', { name: 'Add' }).click();
      return dialog;
    };
    await (await add('Urgent')).waitFor({ state: 'detached' });
    const dialog = await add('urgent');
    await dialog.getByText(/taken by another label/).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const list = page.getByRole('list', { name: 'Labels' });
    await list.getByRole('button', { name: 'Edit Urgent' }).click();
    await page.getByLabel('Name').fill('<b>Important</b>');
    await page.getByRole('combobox', { name: 'Color' }).click();
    await page.getByRole('option', { name: 'Red' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await list.getByText('<b>Important</b>').waitFor();
    await page.mouse.move(0, 0);
    expect(await findPageViolations(page)).toEqual([]);

    const agent = await test.member('ben@harbour.example', 'AGENT');
    await agent.page.goto(url);
    await agent.page.getByText('<b>Important</b>').waitFor();
    expect(await agent.page.getByRole('button', { name: /Important|Add/ }).count()).toBe(0);

    await list.getByRole('button', { name: 'Delete <b>Important</b>' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this label?' });
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No labels yet').waitFor();
    expect([...errors, ...agent.errors]).toEqual([]);
  });
});
