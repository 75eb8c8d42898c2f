import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { restClient } from '../support/api/rest-client.ts';
import { addConversation } from '../support/conversations.ts';
import { chromiumPath, eventually, signIn } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import {
  allSent,
  conversationOn,
  endUsers,
  itemOf,
  messagesOn,
} from '../support/pages/inbox-page.ts';

describe.skipIf(chromiumPath === undefined)("an agent's work in the inbox", () => {
  let test: DashboardTest;
  let rest: ReturnType<typeof restClient>;
  let users: ReturnType<typeof endUsers>;
  beforeAll(async () => {
    test = await startDashboardTest();
    rest = restClient(`${test.service.url}/api/v1`, await test.tenant.key());
    users = endUsers(rest);
  });
  afterEach(async () => {
    for (const context of test.browser.contexts()) await context.close();
  });
  afterAll(() => test?.stop());
  beforeEach(async () => {
    const { projectId } = test.tenant;
    await test.service.system.db.handoff.deleteMany({ where: { projectId } });
  });

  const tab = (page: Page, name: string | RegExp) =>
    page.getByRole('radiogroup', { name: 'Filter handoffs' }).getByRole('radio', { name });
  const label = (page: Page, text: string | RegExp) =>
    page.getByRole('radiogroup', { name: 'Filter handoffs' }).getByText(text);

  it.each([1280, 390, 360])(
    'keeps a claimed conversation selected and shows its end above the reply field, %i px wide',
    async (width) => {
      const { page } = await test.member(`width${width}@harbour.example`, 'AGENT');
      await page.setViewportSize({ width, height: 740 });
      const conversationId = await addConversation(test.service, test.tenant.projectId, {
        messages: Array.from({ length: 40 }, (_, n) => `Message ${n + 1}.`),
      });
      await users.requestHandoff('Wanda', conversationId);
      await itemOf(page, 'Wanda').click();
      const latest = messagesOn(page).getByText('Message 40.', { exact: true });
      await latest.waitFor();
      await page.getByRole('button', { name: 'Claim' }).click();
      const reply = page.getByLabel('Your reply');
      await reply.waitFor();
      const isLatestInView = async () => {
        const message = await latest.boundingBox();
        const form = await page.locator('form', { has: reply }).boundingBox();
        const sent = await page.getByRole('button', { name: 'Send' }).boundingBox();
        if (message === null || form === null || sent === null) return false;
        return (
          message.y > 56 && message.y + message.height <= form.y && sent.y + sent.height <= 740
        );
      };
      await eventually(isLatestInView).toBe(true);
      expect(page.url()).toContain('?show=mine');
      await reply.fill(Array.from({ length: 6 }, (_, n) => `Line ${n}`).join('\n'));
      await eventually(isLatestInView).toBe(true);
      await users.ask('One more question', conversationId);
      await eventually(async () => {
        const message = await messagesOn(page).getByText('One more question').boundingBox();
        const form = await page.locator('form', { has: reply }).boundingBox();
        return message !== null && form !== null && message.y + message.height <= form.y;
      }).toBe(true);

      if (width < 1000) await page.getByRole('link', { name: 'All handoffs' }).click();
      await itemOf(page, 'Wanda').waitFor();
      expect(await tab(page, 'Mine').isChecked()).toBe(true);
      if (width >= 1000)
        expect(await itemOf(page, 'Wanda').getAttribute('aria-current')).toBe('true');
    },
  );

  it('links to the conversation that the end user has started since', async () => {
    const { page } = await test.member('newer@harbour.example', 'AGENT');
    const { projectId } = test.tenant;
    const endUserId = 'visitor-nele';
    const messages = ['Where is my bag?', 'I do not know.'];
    const left = await addConversation(test.service, projectId, { endUserId, messages });
    await users.requestHandoff('Nele', left);
    await itemOf(page, 'Nele').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    const reply = page.getByLabel('Your reply');
    await reply.waitFor();
    const link = conversationOn(page).getByRole('link', { name: 'Is there a lift?' });
    expect(await link.count()).toBe(0);
    const newer = { endUserId, messages: ['Is there a lift?', 'Yes.'] };
    const newerId = await addConversation(test.service, projectId, newer);
    await reply.fill('At the pier');
    await reply.press('Enter');
    await link.click();
    await page.waitForURL((url) => url.pathname.endsWith(`/conversations/${newerId}`));
    await page.getByRole('heading', { name: 'Is there a lift?' }).waitFor();
  });

  it('sends with Enter, and with Ctrl and Enter if the operator chose that', async () => {
    const { page } = await test.member('enter@harbour.example', 'AGENT');
    await users.requestHandoff('Eva');
    await itemOf(page, 'Eva').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    const reply = page.getByLabel('Your reply');
    await conversationOn(page)
      .getByPlaceholder('Enter to send, Shift + Enter for a new line')
      .waitFor();
    await reply.fill('にほん');
    // These Enter events must not send. Some end a composition, which Safari marks only with the key code. Alt+Enter
    // starts a new line on a Mac.
    for (const marks of [{ isComposing: true }, { keyCode: 229 }, { altKey: true }])
      await reply.dispatchEvent('keydown', { key: 'Enter', ...marks });
    await reply.press('Shift+Enter');
    await reply.pressSequentially('second line');
    await reply.press('Enter');
    await eventually(() => reply.inputValue()).toBe('');
    await messagesOn(page).getByText('にほん second line').waitFor();
    expect(await messagesOn(page).getByText('にほん').count()).toBe(1);

    await page.getByRole('button', { name: 'Settings of this browser' }).click();
    await page.getByLabel('Send replies with Ctrl + Enter').click();
    await page.keyboard.press('Escape');
    await conversationOn(page)
      .getByPlaceholder('Ctrl + Enter to send, Enter for a new line')
      .waitFor();
    await page.reload();
    await conversationOn(page)
      .getByPlaceholder('Ctrl + Enter to send, Enter for a new line')
      .waitFor();
    await reply.fill('third');
    await reply.press('Enter');
    await reply.pressSequentially('fourth');
    await reply.press('Control+Enter');
    await messagesOn(page).getByText('third fourth').waitFor();
  });

  it('starts a new line with Enter on a touch screen, where the button sends, unless set otherwise', async () => {
    const phone = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true };
    const { page } = await test.member('tap@harbour.example', 'AGENT', phone);
    await users.requestHandoff('Thea');
    await itemOf(page, 'Thea').tap();
    await page.getByRole('button', { name: 'Claim' }).tap();
    const reply = page.getByLabel('Your reply');
    await conversationOn(page).getByPlaceholder('Enter for a new line').waitFor();
    await reply.fill('first line');
    await reply.press('Enter');
    await reply.pressSequentially('second line');
    expect(await reply.inputValue()).toBe('first line\nsecond line');
    await page.getByRole('button', { name: 'Send' }).tap();
    await messagesOn(page).getByText('first line second line').waitFor();
    await page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/playground`);
    await page.getByLabel('Message', { exact: true }).fill('A question');
    await page.getByLabel('Message', { exact: true }).press('Enter');
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('A question\n');

    await page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/inbox?show=mine`);
    await page.getByRole('button', { name: 'Settings of this browser' }).tap();
    await page.getByLabel('Send replies with the button').tap();
    await page.keyboard.press('Escape');
    await itemOf(page, 'Thea').tap();
    await reply.fill('third line');
    await reply.press('Enter');
    await messagesOn(page).getByText('third line').waitFor();
  });

  it('lists the longest wait first, with counts, previews and marks of unread messages on all devices', async () => {
    const { page, errors } = await test.member('uma@harbour.example', 'AGENT');
    const anna = await users.requestHandoff('Anna');
    const ben = await users.requestHandoff('Ben');
    await users.requestHandoff('Carl');
    await itemOf(page, 'Carl').waitFor();
    await label(page, 'Waiting (3)').waitFor();
    const names = await page
      .getByRole('list', { name: 'Handoffs' })
      .getByRole('link')
      .allTextContents();
    expect(names.map((text) => text.slice(0, 3))).toEqual(['Ann', 'Ben', 'Car']);
    for (const name of ['Anna', 'Ben']) {
      await label(page, /^Waiting/).click();
      await itemOf(page, name).click();
      await page.getByRole('button', { name: 'Claim' }).click();
      await label(page, name === 'Anna' ? 'Mine (1)' : 'Mine (2)').waitFor();
    }
    await label(page, 'In progress (2)').waitFor();
    await eventually(() => page.title()).toBe('(1) Inbox · grounded-chat');

    // Ben's conversation is open, so a message there counts as read at once. A message in Anna's conversation does not.
    await users.ask('First of Anna', anna);
    await users.ask('Second of Anna', anna);
    await users.ask('Read at once', ben);
    await itemOf(page, 'Anna').getByText('2 new').waitFor();
    await itemOf(page, 'Anna').getByText('Second of Anna').waitFor();
    await eventually(() => page.title()).toBe('(2) Inbox · grounded-chat');
    await messagesOn(page).getByText('Read at once').waitFor();

    const other = await signIn(test.browser, test.service, 'uma@harbour.example');
    await label(other.page, /^Mine/).click();
    await itemOf(other.page, 'Anna').getByText('2 new').waitFor();
    expect(await itemOf(other.page, 'Ben').getByText('new').count()).toBe(0);
    await itemOf(other.page, 'Anna').click();
    await messagesOn(other.page).getByText('Second of Anna').waitFor();
    await eventually(() => other.page.title()).toBe('(1) Inbox · grounded-chat');
    await page.reload();
    await itemOf(page, 'Anna').getByText('Second of Anna').waitFor();
    expect(await itemOf(page, 'Anna').getByText('new').count()).toBe(0);
    expect(errors.concat(other.errors)).toEqual([]);
  });

  it('announces messages in own conversations by device notification and, if set, by sound', async () => {
    const { page } = await test.member('sonja@harbour.example', 'AGENT');
    await page.context().grantPermissions(['notifications']);
    await page.addInitScript(() => {
      const shown: string[] = [];
      const tones: number[] = [];
      Object.assign(window, { shown, tones });
      window.Notification = class extends window.Notification {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          shown.push(`${title}: ${this.body}`);
        }
      };
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (when) {
        tones.push(this.frequency.value);
        start.call(this, when);
      };
    });
    await page.reload();
    await page.getByRole('switch', { name: 'Notifications on this device' }).click();
    const mine = await users.requestHandoff('Mona');
    const foreign = await users.requestHandoff('Otto');
    await itemOf(page, 'Mona').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    await label(page, 'Mine (1)').waitFor();
    const read = (name: string) => page.evaluate((name) => Reflect.get(window, name), name);
    expect(await read('tones')).toEqual([]);
    await page.getByRole('button', { name: 'Settings of this browser' }).click();
    await page.getByLabel('Sound').click();
    await page.keyboard.press('Escape');
    await eventually(async () => (await read('tones')).length).toBe(2);

    await users.ask('You are looking at this', mine);
    await messagesOn(page).getByText('You are looking at this').waitFor();
    expect(await read('tones')).toHaveLength(2);
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true }));
    await users.ask('Not an own conversation', foreign);
    await users.ask('You are away', mine);
    await eventually(() => read('shown')).toEqual(['Mona writes: You are away']);
    await eventually(async () => (await read('tones')).length).toBe(4);
  });

  it('shows each new message of an own conversation on other pages, in place of the one before', async () => {
    const { page, errors } = await test.member('nele@harbour.example', 'AGENT');
    const conversationId = await users.requestHandoff('Nina');
    await itemOf(page, 'Nina').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByLabel('Your reply').waitFor();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    const notice = (text: string) => page.getByRole('alert').getByText(text);
    await users.ask('Is the pool heated?', conversationId);
    await notice('Is the pool heated?').hover();
    await users.ask('And the sauna?', conversationId);
    await notice('And the sauna?').waitFor();
    await notice('Is the pool heated?').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await messagesOn(page).getByText('And the sauna?').waitFor();
    await notice('And the sauna?').waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
  });

  it('takes over any conversation from the page "Conversations"', async () => {
    const viewer = await test.member('vera@harbour.example', 'VIEWER');
    const { page, errors } = await test.member('toni@harbour.example', 'AGENT');
    const conversationId = await users.ask('A question that nobody asked a person for');
    const url = `${test.service.url}/dashboard/${test.tenant.projectId}/conversations/${conversationId}`;
    await viewer.page.goto(url);
    await messagesOn(viewer.page).waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Take over' }).count()).toBe(0);
    await page.goto(url);
    await page.getByRole('button', { name: 'Take over' }).click();
    await conversationOn(page).getByText('With you').waitFor();
    expect(await tab(page, 'Mine (1)').isChecked()).toBe(true);
    await page.getByLabel('Your reply').fill('May I help?');
    await page.getByLabel('Your reply').press('Enter');
    await messagesOn(page).getByText('May I help?').waitFor();
    expect(errors).toEqual([]);
  });

  it('is worked with single keys, except in fields and dialogs', async () => {
    const { page, errors } = await test.member('kai@harbour.example', 'AGENT');
    for (const name of ['Anna', 'Ben']) await users.requestHandoff(name);
    await itemOf(page, 'Ben').waitFor();
    const press = (key: string) => page.keyboard.press(key);
    await press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Next conversation').waitFor();
    await press('j');
    await press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    expect(await conversationOn(page).count()).toBe(0);

    const opened = (name: string) => conversationOn(page).getByRole('heading', { name }).waitFor();
    await press('j');
    await opened('Anna');
    await press('j');
    await opened('Ben');
    await press('k');
    await opened('Anna');
    await press('c');
    const reply = page.getByLabel('Your reply');
    await eventually(() => reply.evaluate((field) => field === document.activeElement)).toBe(true);
    await press('Escape');
    await press('n');
    const note = page.getByLabel('Internal note');
    await eventually(() => note.evaluate((field) => field === document.activeElement)).toBe(true);
    await press('Escape');
    await press('r');
    await eventually(() => reply.evaluate((field) => field === document.activeElement)).toBe(true);
    await press('Escape');
    await press('t');
    await page.getByRole('menuitem', { name: 'Back to waiting…' }).waitFor();
    await press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await press('r');
    await page.keyboard.type('rejkc?');
    expect(await reply.inputValue()).toBe('rejkc?');
    await page.getByLabel('Search in handoffs').press('e');
    await page.getByLabel('Search in handoffs').fill('');
    await conversationOn(page).getByText('With you').waitFor();

    await page.getByRole('button', { name: 'Settings of this browser' }).click();
    const setting = page.getByLabel('Keyboard shortcuts');
    await setting.click();
    await press('Escape');
    await setting.waitFor({ state: 'hidden' });
    await press('e');
    await page.getByRole('button', { name: 'Settings of this browser' }).click();
    await conversationOn(page).getByText('With you').waitFor();
    await setting.click();
    await press('Escape');
    await setting.waitFor({ state: 'hidden' });
    await press('e');
    await conversationOn(page).getByText('Resolved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await conversationOn(page).getByText('With you').waitFor();
    await reply.waitFor();
    expect(errors).toEqual([]);
  });

  it('sends a reply that is written while another one is on its way after it', async () => {
    const { page, errors } = await test.member('lena@harbour.example', 'AGENT');
    await users.requestHandoff('Olaf');
    await itemOf(page, 'Olaf').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    const reply = page.getByLabel('Your reply');
    const released = Promise.withResolvers<void>();
    let sent = 0;
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation Reply')) {
        sent += 1;
        await released.promise;
      }
      await route.continue();
    });
    for (const text of ['Good morning.', 'One moment, please.']) {
      await reply.fill(text);
      await reply.press('Enter');
    }
    await reply.fill('Not finished');
    await eventually(() => sent).toBe(1);
    released.resolve();
    await messagesOn(page).getByText('One moment, please.').waitFor();
    await allSent(page);
    const { content } = await test.service.system.db.message.findFirstOrThrow({
      where: { projectId: test.tenant.projectId, role: 'AGENT' },
      orderBy: { id: 'desc' },
    });
    expect(content).toBe('One moment, please.');
    expect(await messagesOn(page).getByText('Good morning.').count()).toBe(1);
    expect(await reply.inputValue()).toBe('Not finished');
    expect(sent).toBe(2);
    expect(errors).toEqual([]);
  });

  it('tells agents on every page that a conversation was given to them or taken from them', async () => {
    const ann = await test.member('ann.given@harbour.example', 'AGENT');
    const ben = await test.member('ben.given@harbour.example', 'AGENT');
    await users.requestHandoff('Pia');
    await itemOf(ann.page, 'Pia').click();
    await ann.page.getByRole('button', { name: 'Claim' }).click();
    await ann.page.getByLabel('Your reply').waitFor();
    await ben.page.getByRole('link', { name: 'Usage' }).click();
    await ben.page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await ann.page.getByRole('button', { name: 'Transfer…' }).click();
    await ann.page.getByRole('menuitem', { name: 'ben.given@harbour.example' }).click();
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Transfer' }).click();
    await ben.page.getByRole('alert').getByText('The conversation with Pia is yours').waitFor();
    await ann.page.getByRole('button', { name: 'Take over' }).click();
    await ben.page
      .getByRole('alert')
      .getByText('The conversation with Pia is no longer yours')
      .waitFor();
    await ben.page.getByText('It is with ann.given@harbour.example now.').waitFor();
    await ben.page.getByRole('link', { name: /^Inbox/ }).click();
    await label(ben.page, /^Waiting/).click();
    await ann.page.getByRole('button', { name: 'Transfer…' }).click();
    await ann.page.getByRole('menuitem', { name: 'ben.given@harbour.example' }).click();
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Transfer' }).click();
    await ben.page.getByRole('alert').getByText('The conversation with Pia is yours').waitFor();
    expect(ann.errors.concat(ben.errors)).toEqual([]);
  });

  it('resolves the selected conversations of the agent', async () => {
    const { page, errors } = await test.member('rita@harbour.example', 'AGENT');
    for (const name of ['Anna', 'Ben', 'Carl']) {
      await users.requestHandoff(name);
      await label(page, /^Waiting/).click();
      await itemOf(page, name).click();
      await page.getByRole('button', { name: 'Claim' }).click();
      await conversationOn(page).getByText('With you').waitFor();
    }
    await label(page, 'Mine (3)').waitFor();
    for (const name of ['Anna', 'Carl']) await page.getByLabel(`Select ${name}`).check();
    await page.getByRole('button', { name: 'Resolve 2 conversations' }).click();
    const dialog = page.getByRole('dialog', { name: 'Resolve 2 conversations?' });
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await label(page, 'Mine (1)').waitFor();
    await label(page, 'Resolved (2)').waitFor();
    await itemOf(page, 'Anna').waitFor({ state: 'hidden' });
    await itemOf(page, 'Ben').waitFor();
    expect(await page.getByRole('button', { name: /^Resolve \d/ }).count()).toBe(0);
    expect(errors).toEqual([]);
  });
});
