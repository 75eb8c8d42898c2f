import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setModelPrices } from '../../src/domain/cost/model-prices.ts';
import { updateProject } from '../../src/domain/organizations/projects.ts';
import { newId } from '../../src/platform/ids.ts';
import { restClient } from '../support/api/rest-client.ts';
import { chromiumPath, type OpenPage } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';

const markup = `<img src=x onerror="document.title = 'stolen'">`;

describe.skipIf(chromiumPath === undefined)('the settings page', () => {
  let test: DashboardTest;
  let owner: OpenPage;
  beforeAll(async () => {
    test = await startDashboardTest();
    owner = await test.member('owner@harbour.example', 'OWNER');
  });
  afterAll(() => test?.stop());

  const open = (path: string) =>
    owner.page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/${path}`);
  const dialog = () => owner.page.getByRole('dialog');
  const project = () =>
    test.service.system.db.project.findUniqueOrThrow({ where: { id: test.tenant.projectId } });
  const roleOf = async (email: string) =>
    (
      await test.service.system.db.member.findFirst({
        where: { organizationId: test.tenant.organizationId, email },
      })
    )?.role;

  it("changes the assistant's texts and the business hours", async () => {
    const { page } = owner;
    await open('settings');
    await page.getByLabel('Fallback answer').fill(`Sorry. ${markup}`);
    await page.getByRole('switch', { name: /only during business hours/ }).press('Space');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Ber');
    await page.getByRole('option', { name: 'Europe/Berlin' }).click();
    const monday = page.getByRole('group', { name: 'Monday' });
    await monday.getByRole('button', { name: 'Add hours on Monday' }).click();
    await monday.getByLabel('Monday to', { exact: true }).first().fill('12:00');
    await monday.getByLabel('Monday from', { exact: true }).last().fill('11:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Monday: two entries overlap.').waitFor();
    await monday.getByLabel('Monday from', { exact: true }).last().fill('14:00');
    await monday.getByLabel('Monday to', { exact: true }).last().fill('00:00');
    await page.getByRole('checkbox', { name: 'Friday' }).uncheck();
    await monday.getByRole('button', { name: 'Copy Monday to the other open days' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();

    const rest = restClient(`${test.service.url}/api/v1`, await test.tenant.key());
    const reply = await (await rest.post('/chat', { message: 'Who built the lighthouse?' })).json();
    expect(reply.content).toBe(`Sorry. ${markup}`);
    const hours = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY'].flatMap((day) => [
      { day, from: '09:00', to: '12:00' },
      { day, from: '14:00', to: '24:00' },
    ]);
    expect((await project()).businessHours).toEqual({ timeZone: 'Europe/Berlin', weekly: hours });
    await page.reload();
    await page.getByText('Closed').first().waitFor();
    expect(await page.getByLabel('Thursday to', { exact: true }).last().inputValue()).toBe('00:00');
    expect(await page.locator('img').count()).toBe(0);
    expect(owner.errors).toEqual([]);
  });

  it('changes the replies to small talk, and starts handoffs at once', async () => {
    const { page } = owner;
    await open('settings');
    await page.getByRole('button', { name: 'Small talk' }).click();
    await page.getByRole('radio', { name: 'Request a handoff at once' }).check();
    await page.getByLabel('Greeting').fill('x'.repeat(2_001));
    await page.getByRole('button', { name: 'Small talk' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('At most 2000 characters').waitFor();
    await page.getByLabel('Greeting').fill(`Ahoy. ${markup}`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();

    expect(await project()).toMatchObject({
      greetingText: `Ahoy. ${markup}`,
      thanksText: null,
      humanRequest: 'START',
    });
    const rest = restClient(`${test.service.url}/api/v1`, await test.tenant.key());
    const reply = await (await rest.post('/chat', { message: 'hello' })).json();
    expect(reply.content).toBe(`Ahoy. ${markup}`);
    await page.reload();
    await page.getByRole('button', { name: 'Small talk' }).click();
    expect(await page.getByLabel('Greeting').inputValue()).toBe(`Ahoy. ${markup}`);
    expect(owner.errors).toEqual([]);
  });

  it('warns about unsaved changes on leaving, and about changes made by others', async () => {
    const { page } = owner;
    await open('usage');
    await page.getByRole('link', { name: 'Settings' }).click();
    const instructions = page.getByRole('textbox', { name: 'Instructions' });
    await instructions.fill('Be brief.');
    await page.getByRole('link', { name: 'Usage' }).click();
    await dialog().getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('tab', { name: 'Members' }).click();
    await dialog().getByRole('button', { name: 'Stay' }).click();
    await page.getByText('Skip to content').press('Enter');
    await expect.poll(() => page.url()).toContain('#content');
    await page.evaluate(() => history.back());
    await expect.poll(() => page.url()).not.toContain('#content');
    await expect.poll(() => dialog().count()).toBe(0);
    await page.evaluate(() => history.back());
    await dialog().getByRole('button', { name: 'Stay' }).click();
    expect(await instructions.inputValue()).toBe('Be brief.');

    const { projectId: id } = test.tenant;
    await updateProject(test.service.system, { id, assistant: { instructions: 'Be polite.' } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Someone else changed this project').waitFor();
    expect((await project()).instructions).toBe('Be polite.');
    expect(await instructions.inputValue()).toBe('Be brief.');
    await page.getByRole('button', { name: 'Load the saved version' }).click();
    await expect.poll(() => instructions.inputValue()).toBe('Be polite.');
    await instructions.fill('Be polite and brief.');
    // Types more text while the request is running. The request does not contain this text.
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('UpdateProject')) {
        await instructions.fill('Be polite and brief. Always.');
      }
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.unrouteAll();
    expect((await project()).instructions).toBe('Be polite and brief.');
    await page.getByText('Not saved yet').waitFor();
    const failed = { errors: [{ message: 'Out of order', extensions: { code: 'UNAVAILABLE' } }] };
    await page.route('**/graphql', (route) => route.fulfill({ json: failed }));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings were not saved: Out of order').waitFor();
    await page.unrouteAll();
    await page.getByRole('link', { name: 'Usage' }).click();
    await dialog().getByRole('button', { name: 'Stay' }).click();

    await instructions.fill('x'.repeat(8_001));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('At most 8000 characters').waitFor();
    await page.getByRole('link', { name: 'Usage' }).click();
    await dialog().getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    expect(owner.errors).toEqual([]);
  });

  it('renames the project and creates another, whose names are never interpreted as markup', async () => {
    const { page } = owner;
    await open('settings/projects');
    await page.getByRole('textbox', { name: 'Name of this project' }).fill(`Desk ${markup}`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Project' }).inputValue())
      .toBe(`Desk ${markup}`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Intranet');
    await page.getByRole('button', { name: 'Create the project' }).click();
    await page.getByRole('heading', { level: 1, name: 'Knowledge' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Project' }).inputValue()).toBe('Intranet');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Projects' }).click();
    await page.getByRole('link', { name: `Desk ${markup}` }).click();
    await page.getByText('(this one)').waitFor();
    expect(page.url()).toContain(test.tenant.projectId);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).not.toBe('stolen');
    expect(owner.errors).toEqual([]);
  });

  it('sets and removes the budget of the project, in the currency of the prices', async () => {
    const { page } = owner;
    await open('settings/projects');
    const budget = page.getByRole('region', { name: 'Budget' });
    await budget.getByRole('link', { name: 'Usage' }).waitFor();
    const { organizationId } = test.tenant;
    const price = { model: 'large', kind: 'INPUT', perMillion: 1, currency: 'EUR' } as const;
    await setModelPrices(test.service.system, { organizationId, prices: [price] });
    await page.reload();
    await budget.getByLabel('Amount per month').fill('120.5');
    expect(await budget.getByLabel('Warn at').inputValue()).toBe('80 %');
    await budget.getByLabel('Warn at').fill('70');
    await budget.getByRole('button', { name: 'Save the budget' }).click();
    await expect.poll(async () => (await project()).budgetWarnAtPercent).toBe(70);
    expect(Number((await project()).budgetMonthlyAmount)).toBe(120.5);
    await budget.getByRole('button', { name: 'Remove the budget' }).click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await expect.poll(async () => (await project()).budgetMonthlyAmount).toBeNull();
    await expect.poll(() => budget.getByLabel('Amount per month').inputValue()).toBe('');
    expect(await findPageViolations(page)).toEqual([]);
    expect(owner.errors).toEqual([]);
  });

  it('changes the role of a member and removes the member, but never the last owner', async () => {
    const { page } = owner;
    const email = 'new@harbour.example';
    await open('settings/members');
    await page.getByRole('textbox', { name: 'Invite by e-mail' }).fill('new@harbour');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByText('Must be an e-mail address').waitFor();
    await page.getByRole('textbox', { name: 'Invite by e-mail' }).fill(email);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: `Revoke the invitation of ${email}` }).waitFor();
    await test.service.system.db.member.updateMany({ where: { email }, data: { userId: newId() } });
    await page.reload();
    await page.getByRole('combobox', { name: `Role of ${email}` }).click();
    await page.getByRole('option', { name: 'Admin' }).click();
    await expect.poll(() => roleOf(email)).toBe('ADMIN');
    await page.getByRole('button', { name: `Remove ${email}` }).click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => roleOf(email)).toBeUndefined();

    await page.getByRole('button', { name: 'Leave the organization' }).click();
    await dialog().getByRole('button', { name: 'Leave' }).click();
    await page.getByText('The last owner cannot be removed or given another role').waitFor();
    expect(await roleOf('owner@harbour.example')).toBe('OWNER');
    expect(owner.errors).toEqual([]);
  });

  it('shows members read-only settings', async () => {
    const viewer = await test.member('viewer@harbour.example', 'VIEWER');
    const { page } = viewer;
    const settings = `${test.service.url}/dashboard/${test.tenant.projectId}/settings`;
    await page.goto(settings);
    const instructions = page.getByRole('textbox', { name: 'Instructions' });
    await instructions.waitFor();
    expect(await instructions.isEditable()).toBe(false);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.goto(`${settings}/projects`);
    await page.getByRole('textbox', { name: 'Name of this project' }).waitFor();
    await page.getByText('No budget. Owners and admins change it.').waitFor();
    expect(await page.getByRole('button', { name: /Save|Create the project/ }).count()).toBe(0);
    await page.goto(`${settings}/members`);
    await page.getByText('viewer@harbour.example (you)').waitFor();
    expect(await page.getByRole('button', { name: /Invite|Remove|Leave/ }).count()).toBe(0);

    const admin = await test.member('admin@harbour.example', 'ADMIN');
    await admin.page.goto(`${settings}/members`);
    await admin.page.getByRole('button', { name: 'Remove viewer@harbour.example' }).waitFor();
    expect(
      await admin.page.getByRole('button', { name: 'Remove owner@harbour.example' }).count(),
    ).toBe(0);
    expect([...viewer.errors, ...admin.errors]).toEqual([]);
  });
});
