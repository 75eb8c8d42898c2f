import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { restClient } from '../support/api/rest-client.ts';
import { chromiumPath, eventually } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { conversationOn, endUsers, itemOf, messagesOn } from '../support/pages/inbox-page.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';

describe.skipIf(chromiumPath === undefined)('internal notes', () => {
  let test: DashboardTest;
  let users: ReturnType<typeof endUsers>;
  beforeAll(async () => {
    test = await startDashboardTest();
    users = endUsers(restClient(`${test.service.url}/api/v1`, await test.tenant.key()));
  });
  afterEach(async () => {
    for (const context of test.browser.contexts()) await context.close();
  });
  afterAll(() => test?.stop());

  it('of any agent appear for the others at once, in order, and are no replies', async () => {
    const conversationId = await users.requestHandoff('Nora');
    const owner = await test.member('owner@harbour.example', 'AGENT');
    const colleague = await test.member('colleague@harbour.example', 'AGENT');
    for (const { page } of [owner, colleague]) await itemOf(page, 'Nora').click();
    await owner.page.getByRole('button', { name: 'Claim' }).click();
    await owner.page.getByLabel('Your reply').fill('Half a reply');

    await colleague.page.getByRole('button', { name: 'Add a note' }).click();
    await colleague.page.keyboard.type('<b>Asked</b> for a refund twice');
    await colleague.page.getByRole('button', { name: 'Add note' }).click();
    const note = messagesOn(owner.page).getByText('<b>Asked</b> for a refund twice');
    await note.waitFor();
    const entry = messagesOn(owner.page).getByRole('listitem').filter({ hasText: 'refund twice' });
    await entry.getByText('colleague@harbour.example').waitFor();
    await entry.getByText('Internal note').waitFor();
    await eventually(() => colleague.page.getByLabel('Internal note').inputValue()).toBe('');

    const modes = owner.page.getByRole('radiogroup', { name: 'What to write' });
    await modes.getByText('Note').click();
    const field = owner.page.getByLabel('Internal note');
    await eventually(() => field.evaluate((it) => it === document.activeElement)).toBe(true);
    await owner.page.keyboard.type('Invoice is paid');
    await owner.page.reload();
    await eventually(() => field.inputValue()).toBe('Invoice is paid');
    expect(await findPageViolations(owner.page)).toEqual([]);
    await field.press('Control+Enter');
    await messagesOn(colleague.page).getByText('Invoice is paid').waitFor();
    await users.ask('Any news?', conversationId);
    await messagesOn(owner.page).getByText('Any news?').waitFor();
    const texts = await messagesOn(owner.page).getByRole('listitem').allInnerTexts();
    const places = ['Asked', 'Invoice is paid', 'Any news?'].map((text) =>
      texts.findIndex((entry) => entry.includes(text)),
    );
    // The notes follow the question, its answer and the claim.
    expect(places).toEqual([3, 4, 5]);

    await modes.getByText('Reply').click();
    await eventually(() => owner.page.getByLabel('Your reply').inputValue()).toBe('Half a reply');
    const { db } = test.service.system;
    expect(await db.conversationNote.count({ where: { conversationId } })).toBe(2);
    expect(await db.message.count({ where: { conversationId, role: 'AGENT' } })).toBe(0);
    expect([...owner.errors, ...colleague.errors]).toEqual([]);

    const viewer = await test.member('viewer@harbour.example', 'VIEWER');
    await viewer.page.goto(
      `${test.service.url}/dashboard/${test.tenant.projectId}/inbox/${conversationId}`,
    );
    await messagesOn(viewer.page).getByText('Any news?').waitFor();
    expect(await conversationOn(viewer.page).textContent()).not.toContain('Invoice is paid');
    expect(await viewer.page.getByRole('button', { name: 'Add a note' }).count()).toBe(0);
    expect(viewer.errors).toEqual([]);
  });

  it('are written by assigning a request to a colleague, who finds it as unread', async () => {
    await users.requestHandoff('Petra');
    const lead = await test.member('lead@harbour.example', 'ADMIN');
    const colleague = await test.member('agent@harbour.example', 'AGENT');
    await itemOf(lead.page, 'Petra').click();
    await lead.page.getByRole('button', { name: 'Assign…' }).click();
    await lead.page.getByRole('menuitem', { name: 'agent@harbour.example' }).click();
    const dialog = lead.page.getByRole('dialog', { name: 'Assign to agent@harbour.example' });
    await dialog.getByLabel('Note (optional)').fill('Please take this');
    expect(await findPageViolations(lead.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await conversationOn(lead.page).getByText('With agent@harbour.example').waitFor();
    await messagesOn(lead.page).getByText('Please take this').waitFor();
    const { page } = colleague;
    await page.getByText('Mine (1)').click();
    await itemOf(page, 'Petra').getByText('1 new').waitFor();
    await itemOf(page, 'Petra').click();
    await messagesOn(page).getByText('Please take this').waitFor();
    await page.getByLabel('Your reply').waitFor();
    expect([...lead.errors, ...colleague.errors]).toEqual([]);
  });

  it('stay in the field with the error if they are not stored, and a retry stores them once', async () => {
    const conversationId = await users.requestHandoff('Olaf');
    const { page } = await test.member('retry@harbour.example', 'AGENT');
    await itemOf(page, 'Olaf').click();
    await page.getByRole('button', { name: 'Add a note' }).click();
    // The service stores the note, but the response does not arrive.
    let isLost = false;
    await page.route('**/graphql', async (route) => {
      const isNote = route.request().postData()?.includes('addConversationNote(') ?? false;
      if (!isNote || isLost) return route.continue();
      isLost = true;
      await route.fetch();
      return route.abort();
    });
    await page.getByLabel('Internal note').fill('Once');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('The note was not added').waitFor();
    await page.getByRole('button', { name: 'Add note' }).click();
    await eventually(() => page.getByLabel('Internal note').inputValue()).toBe('');
    const { db } = test.service.system;
    expect(await db.conversationNote.count({ where: { conversationId } })).toBe(1);
  });
});
