import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSavedReply } from '../../src/domain/handoff/saved-replies.ts';
import { restClient } from '../support/api/rest-client.ts';
import { chromiumPath, eventually } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { endUsers, itemOf, messagesOn } from '../support/pages/inbox-page.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';

describe.skipIf(chromiumPath === undefined)('saved replies', () => {
  let test: DashboardTest;
  let users: ReturnType<typeof endUsers>;
  beforeAll(async () => {
    test = await startDashboardTest();
    users = endUsers(restClient(`${test.service.url}/api/v1`, await test.tenant.key()));
  });
  afterEach(async () => {
    for (const context of test.browser.contexts()) await context.close();
    const { projectId } = test.tenant;
    await test.service.system.db.savedReply.deleteMany({ where: { projectId } });
  });
  afterAll(() => test?.stop());

  const save = (name: string, content: string) =>
    createSavedReply(test.service.system, { projectId: test.tenant.projectId, name, content });
  const openReply = async (email: string, name: string) => {
    const opened = await test.member(email, 'AGENT');
    const { page } = opened;
    await users.requestHandoff(name);
    await itemOf(page, name).click();
    await page.getByRole('button', { name: 'Claim' }).click();
    const field = page.getByLabel('Your reply');
    await field.click();
    return { ...opened, field, list: page.getByRole('listbox', { name: 'Saved replies' }) };
  };

  it('are managed by admins in the settings, and read by agents', async () => {
    const { page, errors } = await test.member('ada@harbour.example', 'ADMIN');
    const url = `${test.service.url}/dashboard/${test.tenant.projectId}/settings/replies`;
    await page.goto(url);
    await page.getByText('No saved replies yet').waitFor();
    const add = async (name: string, text: string) => {
      await page.getByRole('button', { name: 'Add a saved reply' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a saved reply' });
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByLabel('Text').fill(text);
      await dialog.getByRole('button', { name: 'Add' }).click();
      return dialog;
    };
    await (await add('Refund', 'Five days.')).waitFor({ state: 'detached' });
    const list = page.getByRole('list', { name: 'Saved replies' });
    await list.getByText('Five days.').waitFor();
    const dialog = await add('refund', 'Six days.');
    await dialog.getByText(/taken by another saved reply/).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await list.getByRole('button', { name: 'Edit Refund' }).click();
    await page.getByLabel('Text').fill('<b>Seven</b> days.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await list.getByText('<b>Seven</b> days.').waitFor();
    await page.mouse.move(0, 0);
    expect(await findPageViolations(page)).toEqual([]);

    const agent = await test.member('ben@harbour.example', 'AGENT');
    await agent.page.goto(url);
    await agent.page.getByText('<b>Seven</b> days.').waitFor();
    expect(await agent.page.getByRole('button', { name: /Refund|Add/ }).count()).toBe(0);
    const viewer = await test.member('vera@harbour.example', 'VIEWER');
    await viewer.page.goto(url);
    await viewer.page.getByRole('tab', { name: 'Members' }).waitFor();
    expect(await viewer.page.getByRole('tab', { name: 'Saved replies' }).count()).toBe(0);

    await list.getByRole('button', { name: 'Delete Refund' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this saved reply?' });
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No saved replies yet').waitFor();
    expect(errors).toEqual([]);
  });

  it('are inserted by keyboard after a slash, with the name of the end user', async () => {
    await save('Refund', 'Dear {{visitor}},\nyour money is back in five days.');
    await save('Opening hours', 'We open at nine.');
    await save('Late refund', 'Sorry for the wait, {{visitor}}.');
    const { page, errors, field, list } = await openReply('kai@harbour.example', 'Mona');
    await field.pressSequentially('Hello! 1/2 and/or http://x/y ');
    expect(await list.count()).toBe(0);
    await field.press('/');
    const options = list.getByRole('option');
    await list.waitFor();
    expect(await options.count()).toBe(3);
    await field.pressSequentially('refund');
    await eventually(() => options.count()).toBe(2);
    const active = () =>
      field.evaluate((element) => {
        const id = element.getAttribute('aria-activedescendant');
        return id === null ? null : document.getElementById(id)?.firstChild?.textContent;
      });
    expect(await active()).toBe('Refund');
    await page.mouse.move(0, 0);
    expect(await findPageViolations(page)).toEqual([]);
    await field.press('ArrowDown');
    expect(await active()).toBe('Late refund');
    await field.press('ArrowDown');
    expect(await active()).toBe('Refund');
    await field.press('ArrowUp');
    await field.press('Enter');
    await list.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Hello! 1/2 and/or http://x/y Sorry for the wait, Mona.');
    await field.fill('');
    await field.press('/');
    await list.waitFor();
    await field.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('/');
    await field.pressSequentially('usr/bin');
    expect(await list.count()).toBe(0);
    await field.press('Enter');
    await messagesOn(page).getByText('/usr/bin').waitFor();
    expect(errors).toEqual([]);
  });

  it('are inserted with the button, which leaves no slash if nothing is chosen', async () => {
    await save('Opening hours', 'We open at nine.');
    const { page, errors, field, list } = await openReply('lea@harbour.example', 'Otto');
    await page.setViewportSize({ width: 360, height: 740 });
    const button = page.getByRole('button', { name: 'Saved replies' });
    await field.fill('Hello!');
    await button.click();
    await list.waitFor();
    const isWide = () => document.documentElement.scrollWidth > window.innerWidth;
    expect(await page.evaluate(isWide)).toBe(false);
    await field.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Hello!');
    await button.click();
    await list.getByRole('option', { name: /Opening hours/ }).click();
    await list.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Hello! We open at nine.');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await field.pressSequentially(' Bye');
    expect(await field.inputValue()).toBe('Hello! We open at nine. Bye');
    await test.service.system.db.savedReply.deleteMany({});
    await button.click();
    await page.getByText('This project has no saved replies').waitFor();
    await page.getByRole('heading', { name: 'Otto' }).click();
    await eventually(() => field.inputValue()).toBe('Hello! We open at nine. Bye');
    expect(errors).toEqual([]);
  });
});
