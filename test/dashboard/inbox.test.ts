import type { BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimHandoff } from '../../src/domain/handoff/claim-handoff.ts';
import { inviteMember } from '../../src/domain/organizations/manage-members.ts';
import { createSignInSecret } from '../../src/domain/sign-in/sign-in-links.ts';
import { restClient } from '../support/api/rest-client.ts';
import { addConversation } from '../support/conversations.ts';
import { chromiumPath, eventually, signIn } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import {
  allSent,
  conversationOn,
  endUsers,
  itemOf,
  live,
  messagesOn,
} from '../support/pages/inbox-page.ts';
import { startFaultProxy } from '../support/servers/fault-proxy.ts';

describe.skipIf(chromiumPath === undefined)('the inbox', () => {
  let test: DashboardTest;
  let rest: ReturnType<typeof restClient>;
  let ask: ReturnType<typeof endUsers>['ask'];
  let requestHandoff: ReturnType<typeof endUsers>['requestHandoff'];
  beforeAll(async () => {
    test = await startDashboardTest();
    rest = restClient(`${test.service.url}/api/v1`, await test.tenant.key());
    ({ ask, requestHandoff } = endUsers(rest));
  });
  // Closes the pages, because open pages keep rendering and slow down later tests.
  afterEach(async () => {
    for (const context of test.browser.contexts()) await context.close();
  });
  afterAll(() => test?.stop());
  beforeEach(async () => {
    const { projectId } = test.tenant;
    await test.service.system.db.handoff.deleteMany({ where: { projectId } });
  });

  const address = () => `${test.service.url}/dashboard/${test.tenant.projectId}`;
  const readTranscript = async (conversationId: string) =>
    (await rest.get(`/conversations/${conversationId}`)).json();

  async function repliesIn(conversationId: string): Promise<string[]> {
    const { messages } = await readTranscript(conversationId);
    return messages
      .filter(({ role }: { role: string }) => role === 'AGENT')
      .map(({ content }: { content: string }) => content);
  }

  it("shows a handoff to two agents at once, and shows each the other's actions", async () => {
    const ann = await test.member('ann@harbour.example', 'AGENT');
    const ben = await test.member('ben@harbour.example', 'AGENT');
    await ann.page.getByText('No handoffs').waitFor();
    await live(ann.page);
    await live(ben.page);

    const conversationId = await requestHandoff('Mira');
    await itemOf(ann.page, 'Mira').click();
    await itemOf(ben.page, 'Mira').click();
    await eventually(() => ben.page.title()).toBe('(1) Inbox · grounded-chat');

    await ann.page.getByRole('button', { name: 'Claim' }).click();
    await conversationOn(ben.page).getByText('With ann@harbour.example').waitFor();
    expect(await ben.page.getByRole('button', { name: 'Claim' }).count()).toBe(0);
    expect(await ben.page.getByLabel('Your reply').count()).toBe(0);
    await eventually(() => ben.page.title()).toBe('Inbox · grounded-chat');

    await ann.page.getByLabel('Your reply').fill('Good morning, Mira. How can I help?');
    await ann.page.getByRole('button', { name: 'Send' }).click();
    await messagesOn(ben.page).getByText('Good morning, Mira').waitFor();
    await ask('Is breakfast served on Sundays?', conversationId);
    await messagesOn(ann.page).getByText('Is breakfast served on Sundays?').waitFor();

    const transfer = ann.page.getByRole('button', { name: 'Transfer…' });
    await ann.page.route('**/graphql', (route) =>
      route.request().postData()?.includes('query Members')
        ? route.fulfill({ json: { errors: [{ message: 'Not now' }] } })
        : route.continue(),
    );
    await transfer.click();
    await ann.page.getByText('The team could not be loaded').waitFor();
    await ann.page.keyboard.press('Escape');
    await ann.page.unrouteAll();
    const { organizationId } = test.tenant;
    await inviteMember(test.service.system, {
      organizationId,
      email: 'new@harbour.example',
      role: 'AGENT',
    });
    await transfer.click();
    await ann.page.getByRole('menuitem', { name: 'new@harbour.example' }).waitFor();
    await ann.page.getByRole('menuitem', { name: 'ben@harbour.example' }).click();
    const dialog = ann.page.getByRole('dialog', { name: 'Transfer to ben@harbour.example' });
    await dialog.getByLabel('Note (optional)').fill('Check the invoice');
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await conversationOn(ben.page).getByText('With you').waitFor();
    await messagesOn(ben.page).getByText('Check the invoice').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await ann.page.getByRole('button', { name: 'Take over' }).click();
    await conversationOn(ben.page).getByText('With ann@harbour.example').waitFor();
    await ann.page.getByRole('button', { name: 'Resolve' }).click();
    await conversationOn(ben.page).getByText('Resolved', { exact: true }).waitFor();
    expect((await readTranscript(conversationId)).status).toBe('RESOLVED');
    expect(ann.errors.concat(ben.errors)).toEqual([]);
  });

  it('tells the slower of two agents who owns the conversation, and returns one to the assistant', async () => {
    const { page, errors: complaints } = await test.member('cleo@harbour.example', 'AGENT');
    const conversationId = await requestHandoff('Otto');
    await itemOf(page, 'Otto').click();
    await page.getByRole('button', { name: 'Claim' }).waitFor();
    // Another agent claims the handoff after the page has rendered and before the click.
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('ClaimHandoff')) {
        const { handoff } = await readTranscript(conversationId);
        await claimHandoff(test.service.system, { handoffId: handoff.handoffId ?? handoff.id });
      }
      await route.continue();
    });
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByText('Another agent has claimed the handoff').waitFor();
    await conversationOn(page).getByText('With service').waitFor();
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByRole('button', { name: 'Return to the assistant' }).click();
    await conversationOn(page).getByText('Open', { exact: true }).waitFor();
    expect((await readTranscript(conversationId)).status).toBe('OPEN');
    expect(complaints).toEqual([]);
  });

  it('loses nothing while disconnected, and shows the connection state', async () => {
    await test.member('dora@harbour.example', 'AGENT').then(({ page }) => page.context().close());
    const line = await startFaultProxy(test.service.url);
    const { page } = await signIn(
      test.browser,
      { ...test.service, url: line.url },
      'dora@harbour.example',
    );
    const conversationId = await requestHandoff('Ida');
    await itemOf(page, 'Ida').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByLabel('Your reply').fill('I am here, Ida');
    await conversationOn(page).getByText('With you').waitFor();

    line.cut();
    await page.getByText('Connecting…').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await messagesOn(page).getByText('sending…').waitFor();
    await page.getByText('The reply was not sent').waitFor();
    expect(await page.getByLabel('Your reply').inputValue()).toBe('');
    await ask('Said while nobody could hear it', conversationId);
    await requestHandoff('Yusuf');
    await requestHandoff('Zoe');

    line.restore();
    await live(page);
    await page.getByRole('radiogroup', { name: 'Filter handoffs' }).getByText('Waiting').click();
    await itemOf(page, 'Yusuf').waitFor();
    await messagesOn(page).getByText('Said while nobody could hear it').waitFor();
    expect(await itemOf(page, 'Yusuf').count()).toBe(1);
    expect(await itemOf(page, 'Zoe').count()).toBe(1);
    expect(await messagesOn(page).getByText('Said while nobody could hear it').count()).toBe(1);
    expect(await page.title()).toBe('(2) Inbox · grounded-chat');
    // The text can be changed, or be sent as it is.
    await messagesOn(page).getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel('Your reply').inputValue()).toBe('I am here, Ida');
    await page.getByRole('button', { name: 'Send' }).click();
    await eventually(() => repliesIn(conversationId)).toEqual(['I am here, Ida']);
    await allSent(page);
    expect(await messagesOn(page).getByText('I am here, Ida').count()).toBe(1);

    // On pages other than the inbox, the dashboard announces each new handoff once.
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    line.cut();
    await requestHandoff('Quentin');
    line.restore();
    await page.getByRole('alert').getByText('Quentin asks for an agent').waitFor();
    await eventually(() => page.title()).toBe('(3) Usage · grounded-chat');
    expect(await page.getByText('Quentin asks for an agent').count()).toBe(1);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await conversationOn(page).getByText('Quentin wants a person').waitFor();
    await page.context().close();
    await line.close();
  });

  it('needs one connection for seven tabs, and continues after the tab that holds it is closed', async () => {
    const { page } = await test.member('emil@harbour.example', 'AGENT');
    const streams = openStreamsOf(page.context());
    const tabs = [page];
    await page.reload();
    while (tabs.length < 7) {
      const tab = await page.context().newPage();
      await tab.goto(`${address()}/${tabs.length % 2 === 0 ? 'inbox' : 'knowledge'}`);
      await tab.getByRole('heading', { level: 1 }).waitFor();
      tabs.push(tab);
    }
    await requestHandoff('Lena');
    for (const tab of tabs) await eventually(() => tab.title()).toMatch(/^\(1\)/);
    await live(page);
    await eventually(() => streams.of('InboxEvents')).toBe(1);
    expect(streams.of('')).toBeLessThanOrEqual(2);

    await tabs.pop()?.close();
    await eventually(() => streams.of('InboxEvents')).toBe(1);
    await requestHandoff('Nora');
    for (const tab of tabs) await eventually(() => tab.title()).toMatch(/^\(2\)/);
    await eventually(() => tabs[1]?.getByText('Nora asks for an agent').count()).toBe(1);
    await page.context().close();
  });

  it('keeps a draft across events, pages and reloads, and sends it once by keyboard', async () => {
    const { page, errors: complaints } = await test.member('finn@harbour.example', 'AGENT');
    const conversationId = await requestHandoff('Rosa');
    await itemOf(page, 'Rosa').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    const reply = page.getByLabel('Your reply');
    await reply.fill('A thought that is not');
    await ask('Are you still there?', conversationId);
    await messagesOn(page).getByText('Are you still there?').waitFor();
    expect(await reply.inputValue()).toBe('A thought that is not');
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await page.goBack();
    await eventually(() => reply.inputValue()).toBe('A thought that is not');
    await page.reload();
    await eventually(() => reply.inputValue()).toBe('A thought that is not');
    await reply.press('End');
    await reply.pressSequentially(' finished');
    await reply.press('Shift+Enter');
    await reply.pressSequentially('until now');
    await Promise.all([reply.press('Enter'), reply.press('Enter')]);
    await messagesOn(page).getByText('A thought that is not finished').waitFor();
    await eventually(() => reply.inputValue()).toBe('');
    expect(await repliesIn(conversationId)).toEqual(['A thought that is not finished\nuntil now']);

    for (const times of [1, 2]) {
      await reply.fill('One moment');
      await reply.press('Enter');
      await eventually(() => reply.inputValue()).toBe('');
      await eventually(() => messagesOn(page).getByText('One moment').count()).toBe(times);
    }
    expect(complaints).toEqual([]);
  });

  it('hides a draft from other operators, even if another tab has signed out', async () => {
    const { page } = await test.member('mona@harbour.example', 'AGENT');
    await test.member('nils@harbour.example', 'AGENT').then(({ page }) => page.context().close());
    await requestHandoff('Paula');
    await itemOf(page, 'Paula').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    const reply = page.getByLabel('Your reply');
    await reply.fill('Between you and me');
    const other = await page.context().newPage();
    await other.goto(`${address()}/usage`);
    await other.getByRole('button', { name: 'Your account' }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to grounded-chat' }).waitFor();
    const link = await createSignInSecret(test.service.adapters, 'nils@harbour.example');
    const third = await page.context().newPage();
    await third.goto(`${test.service.url}/dashboard/#sign-in=${link}`);
    await page.getByRole('button', { name: 'Take over' }).click();
    await reply.waitFor();
    expect(await reply.inputValue()).toBe('');
  });

  it('filters by status, owner and text, with a URL that survives a reload', async () => {
    const { page } = await test.member('gita@harbour.example', 'AGENT');
    await page.getByText('No handoffs').waitFor();
    for (const name of ['Anton', 'Berta', 'Carla']) await requestHandoff(name);
    await itemOf(page, 'Anton').click();
    await page.getByRole('button', { name: 'Claim' }).click();
    await conversationOn(page).getByText('With you').waitFor();
    await page.getByRole('radiogroup', { name: 'Filter handoffs' }).getByText('Mine').click();
    await itemOf(page, 'Anton').waitFor();
    expect(await page.getByRole('list', { name: 'Handoffs' }).getByRole('link').count()).toBe(1);
    await page
      .getByRole('radiogroup', { name: 'Filter handoffs' })
      .getByText('Waiting (2)')
      .click();
    await itemOf(page, 'Berta').waitFor();
    await page.getByLabel('Search in handoffs').fill('carla');
    await eventually(() => itemOf(page, 'Berta').count()).toBe(0);
    await itemOf(page, 'Carla').click();
    await conversationOn(page).getByRole('heading', { name: 'Carla' }).waitFor();
    await eventually(() => page.url()).toMatch(/inbox\/[0-9a-f-]{36}\?search=carla$/);
    await page.reload();
    await conversationOn(page).getByRole('heading', { name: 'Carla' }).waitFor();
    expect(await page.getByLabel('Search in handoffs').inputValue()).toBe('carla');
    await itemOf(page, 'Carla').waitFor();
    expect(await itemOf(page, 'Berta').count()).toBe(0);
    await page.getByLabel('Search in handoffs').fill('nobody of this name');
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await itemOf(page, 'Berta').waitFor();
    expect(await page.getByLabel('Search in handoffs').inputValue()).toBe('');
  });

  it('opens with the tab that was open last', async () => {
    const { page, errors: complaints } = await test.member('tabs@harbour.example', 'AGENT');
    const tabs = page.getByRole('radiogroup', { name: 'Filter handoffs' });
    const chosen = (name: RegExp) => tabs.getByRole('radio', { name }).isChecked();
    await tabs.getByText('Mine').click();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await page.getByRole('link', { name: /^Inbox/ }).click();
    await page.waitForURL(/inbox\?show=mine$/);
    await eventually(() => chosen(/^Mine/)).toBe(true);
    await tabs.getByText(/^Waiting/).click();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await page.getByRole('link', { name: /^Inbox/ }).click();
    await page.waitForURL(/inbox$/);
    await eventually(() => chosen(/^Waiting/)).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('shows the source of an answer beside the transcript, with highlighted words', async () => {
    const { page, errors: complaints } = await test.member('hugo@harbour.example', 'AGENT');
    const document = await rest.post('/knowledge/documents', {
      name: 'Kennel rules',
      content: 'A crocodile may stay in the kennel for three nights.\n\nIt is fed at noon.',
    });
    const { id } = await document.json();
    await eventually(
      async () => (await (await rest.get(`/knowledge/documents/${id}`)).json()).status,
    ).toBe('READY');
    const conversationId = await ask('How long may a crocodile stay in the kennel?');
    await rest.post('/handoff', { conversationId, name: 'Ines', reason: 'Ines wants a person' });
    await itemOf(page, 'Ines').click();
    await messagesOn(page).getByRole('link', { name: 'Kennel rules', exact: true }).click();
    const source = page.getByRole('dialog', { name: 'Kennel rules' });
    const chunk = source.getByRole('region', { name: 'Chunk 1' });
    await chunk.getByText('It is fed at noon').waitFor();
    expect(await chunk.getAttribute('aria-current')).toBe('true');
    expect(await source.locator('mark').allTextContents()).toEqual([
      expect.stringContaining('A crocodile may stay in the kennel'),
    ]);
    await page.keyboard.press('Escape');
    await source.waitFor({ state: 'hidden' });
    await messagesOn(page).getByRole('link', { name: 'Source 1: Kennel rules' }).first().click();
    await source.getByRole('link', { name: 'Open in document' }).click();
    await page.waitForURL(/\/knowledge\/[^/]+\/text\//);
    expect(complaints).toEqual([]);
  });

  it('loads a conversation of 1,000 messages in pages, latest first', async () => {
    const { page } = await test.member('jan@harbour.example', 'AGENT');
    const conversationId = await addConversation(test.service, test.tenant.projectId, {
      messages: Array.from({ length: 1_000 }, (_, n) =>
        n === 998 ? `${'long'.repeat(2_000)} word` : `Message ${n + 1}.`,
      ),
    });
    await rest.post('/handoff', { conversationId, name: 'Karl', reason: 'Karl wants a person' });
    await itemOf(page, 'Karl').click();
    const messages = messagesOn(page).getByRole('listitem');
    await messages.getByText('Message 1000.', { exact: true }).waitFor();
    expect(await messages.count()).toBe(50);
    await eventually(() => messages.getByText('Message 1000.', { exact: true }).isVisible()).toBe(
      true,
    );
    await page.getByRole('button', { name: 'Show earlier messages' }).click();
    await eventually(() => messages.count()).toBe(100);
    await messages.getByText('Message 901.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByLabel('Your reply').waitFor();
    await ask('Message 1001', conversationId);
    await messages.getByText('Message 1001').waitFor();
    await messages.getByText('Message 901.', { exact: true }).waitFor();
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 390, height: 800 });
    await eventually(overflow).toBeLessThanOrEqual(0);
    expect(await itemOf(page, 'Karl').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'All handoffs' }).click();
    await page.getByText('Mine (1)', { exact: true }).click();
    await itemOf(page, 'Karl').waitFor();
    expect(await conversationOn(page).count()).toBe(0);
  });

  it('sends silent device notifications to operators who enabled them, while the tab is hidden', async () => {
    const { page } = await test.member('lotte@harbour.example', 'AGENT');
    await page.context().grantPermissions(['notifications']);
    await page.addInitScript(() => {
      const shown: object[] = [];
      Object.assign(window, { shown });
      window.Notification = class extends window.Notification {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          shown.push({ title, body: this.body, silent: this.silent });
        }
      };
    });
    await page.reload();
    const bell = page.getByRole('switch', { name: 'Notifications on this device' });
    await bell.click();
    await eventually(() => bell.getAttribute('aria-checked')).toBe('true');
    await live(page);
    await page.keyboard.press('Shift+Tab');
    await page.getByRole('tooltip', { name: 'New events appear automatically.' }).waitFor();
    await requestHandoff('Seen');
    await itemOf(page, 'Seen').waitFor();
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true }));
    await requestHandoff('Unseen');
    await itemOf(page, 'Unseen').waitFor();
    const shown = () => page.evaluate(() => Reflect.get(window, 'shown'));
    await eventually(shown).toEqual([
      { title: 'Unseen asks for an agent', body: 'Unseen wants a person', silent: true },
    ]);
  });
});

/** Returns the open SSE streams of all pages in a context, grouped by operation. */
function openStreamsOf(context: BrowserContext) {
  const open = new Map<Request, string>();
  const forget = (request: Request) => open.delete(request);
  const watch = (page: Page) => {
    page.on('request', (request) => {
      if (request.url().endsWith('/graphql/stream')) open.set(request, request.postData() ?? '');
    });
    page.on('requestfinished', forget);
    page.on('requestfailed', forget);
    page.on('close', () => {
      for (const request of open.keys()) if (request.frame().page() === page) forget(request);
    });
  };
  for (const page of context.pages()) watch(page);
  context.on('page', watch);
  return {
    of: (operation: string) => [...open.values()].filter((body) => body.includes(operation)).length,
  };
}
