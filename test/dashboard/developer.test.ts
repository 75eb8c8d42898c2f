import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, type OpenPage } from '../support/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/dashboard.ts';
import { restClient } from '../support/rest-client.ts';

describe.skipIf(chromiumPath === undefined)('what owners do in the dashboard', () => {
  let test: DashboardTest;
  let owner: OpenPage;
  beforeAll(async () => {
    test = await startDashboardTest();
    owner = await test.member('owner@harbour.example', 'OWNER');
  });
  afterAll(() => test?.stop());

  const open = (path: string) =>
    owner.page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/${path}`);

  it('makes a key that works, shows it once, rotates and revokes it', async () => {
    const { page } = owner;
    const works = async (key: string) =>
      (
        await fetch(`${test.service.url}/api/v1/usage`, {
          headers: { Authorization: `Bearer ${key}` },
        })
      ).status === 200;
    await open('developer');
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Website');
    await page.getByRole('dialog').getByRole('button', { name: 'Make the key' }).click();
    const secret = await page.getByText(/^sk_/).textContent();
    expect(await works(secret ?? '')).toBe(true);
    await page.getByRole('button', { name: 'I have it' }).click();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Rotate Website' }).click();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    const rotated = await page.getByText(/^sk_/).textContent();
    expect(rotated).not.toBe(secret);
    await page.getByRole('button', { name: 'I have it' }).click();
    for (const name of ['Website', 'Website']) {
      await page
        .getByRole('button', { name: `Revoke ${name}` })
        .first()
        .click();
      await page.getByRole('button', { name: 'Revoke', exact: true }).click();
      await page.getByText(`${name} was revoked`).last().waitFor();
    }
    expect([await works(secret ?? ''), await works(rotated ?? '')]).toEqual([false, false]);
  });

  it('adds a webhook endpoint, shows what was sent to it and sends it again', async () => {
    const { page } = owner;
    await open('developer');
    await page.getByRole('tab', { name: 'Webhooks' }).click();
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('Address').fill('http://127.0.0.1:9/hook');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'I have it' }).click();

    const rest = restClient(`${test.service.url}/api/v1`, await test.tenant.key());
    const { conversationId } = await (await rest.post('/chat', { message: 'Hello?' })).json();
    await rest.post('/handoff', { conversationId });
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    const delivery = page.getByRole('button', { name: /human\.requested.*1 try/ });
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Look again' }).click();
        return delivery.count();
      })
      .toBe(1);
    await delivery.click();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('It is being sent again').waitFor();

    await page.getByRole('tab', { name: 'Webhooks' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No endpoints yet').waitFor();
  });

  it('changes what the assistant says and when the team is there', async () => {
    const { page } = owner;
    await open('settings');
    await page.getByLabel('When the answer is not in the documents').fill('We will find out.');
    await page.getByRole('switch', { name: /at certain hours/ }).click({ force: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    const rest = restClient(`${test.service.url}/api/v1`, await test.tenant.key());
    const reply = await (await rest.post('/chat', { message: 'Who built the lighthouse?' })).json();
    expect(reply.content).toBe('We will find out.');
    const project = await test.service.system.db.project.findUniqueOrThrow({
      where: { id: test.tenant.projectId },
    });
    expect(project.businessHours).toMatchObject({ weekly: { length: 5 } });
  });

  it('invites a member, changes the role, removes it', async () => {
    const { page } = owner;
    await open('settings');
    await page.getByRole('tab', { name: 'Members' }).click();
    await page.getByLabel('Invite by e-mail').fill('new@harbour.example');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Role of new@harbour.example').click();
    await page.getByRole('option', { name: 'Admin' }).click();
    const roleOf = async () =>
      (
        await test.service.system.db.member.findFirst({
          where: { organizationId: test.tenant.organizationId, email: 'new@harbour.example' },
        })
      )?.role;
    await expect.poll(roleOf).toBe('ADMIN');
    await page.getByRole('button', { name: 'Remove new@harbour.example' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect.poll(roleOf).toBeUndefined();
  });

  it('shows what was used, against the limits', async () => {
    const { page } = owner;
    await open('usage');
    await page.getByRole('region', { name: 'Messages a day' }).waitFor();
    await page.getByText('Plan scale').waitFor();
    expect(owner.complaints).toEqual([]);
  });
});
