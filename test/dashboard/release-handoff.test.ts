import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restClient } from '../support/api/rest-client.ts';
import { chromiumPath } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { conversationOn, endUsers, itemOf, messagesOn } from '../support/pages/inbox-page.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';

describe.skipIf(chromiumPath === undefined)('a claimed handoff', () => {
  let test: DashboardTest;
  beforeAll(async () => {
    test = await startDashboardTest();
  });
  afterAll(() => test?.stop());

  it('goes back to waiting with a note, appears for the other agent, who claims it', async () => {
    const users = endUsers(restClient(`${test.service.url}/api/v1`, await test.tenant.key()));
    await users.requestHandoff('Mona');
    const owner = await test.member('kai@harbour.example', 'AGENT');
    const colleague = await test.member('lea@harbour.example', 'AGENT');
    const { page } = owner;
    await itemOf(page, 'Mona').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    await itemOf(colleague.page, 'Mona').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Transfer…' }).click();
    await page.getByRole('menuitem', { name: 'Back to waiting…' }).waitFor();
    await page.setViewportSize({ width: 390, height: 780 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('menuitem', { name: 'Back to waiting…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Back to waiting' });
    await dialog.getByLabel('Note (optional)').fill('Knows her <b>invoice</b> number');
    expect(await findPageViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Put back' }).click();
    await dialog.waitFor({ state: 'detached' });
    await conversationOn(page).getByText('Waiting for an agent').waitFor();
    await page.getByLabel('Your reply').waitFor({ state: 'detached' });

    await itemOf(colleague.page, 'Mona').click();
    await messagesOn(colleague.page).getByText('Knows her <b>invoice</b> number').waitFor();
    await colleague.page.getByRole('button', { name: 'Claim' }).click();
    await conversationOn(page).getByText('With lea@harbour.example').waitFor();
    expect([...owner.errors, ...colleague.errors]).toEqual([]);
  });
});
