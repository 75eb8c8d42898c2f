import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { restClient } from '../support/api/rest-client.ts';
import { addConversation } from '../support/conversations.ts';
import { addDocuments } from '../support/knowledge.ts';
import { chromiumPath, eventually, seriousViolations } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import {
  allSent,
  conversationOn,
  endUsers,
  itemOf,
  messagesOn,
} from '../support/pages/inbox-page.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';

const documents = {
  'Pool.md':
    '# Pool\n\nThe pool opens at seven in the morning. The pool closes at ten in the evening.',
  'Parking.md': '# Parking\n\nParking in the courtyard costs twelve euros a night.',
};
const suggestionOn = (page: Page) => page.getByRole('region', { name: 'Suggested reply' });
const draftRequests = (page: Page) => {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.postData()?.includes('query DraftReply')) requests.push(request.url());
  });
  return requests;
};
const claim = async (page: Page, name: string) => {
  await itemOf(page, name).click();
  await page.getByRole('button', { name: 'Claim' }).click();
  await page.getByLabel('Your reply').hover();
};

describe.skipIf(chromiumPath === undefined)('the suggested reply', () => {
  let test: DashboardTest;
  let rest: ReturnType<typeof restClient>;
  let users: ReturnType<typeof endUsers>;
  beforeAll(async () => {
    test = await startDashboardTest();
    rest = restClient(`${test.service.url}/api/v1`, await test.tenant.key());
    users = endUsers(rest);
    await addDocuments(test.service, test.tenant.projectId, documents);
  }, 60_000);
  afterEach(async () => {
    for (const context of test.browser.contexts()) await context.close();
  });
  afterAll(() => test?.stop());

  it('is inserted, edited and sent by the agent, and shows its passage', async () => {
    const { page, errors } = await test.member('ada@harbour.example', 'AGENT');
    const requests = draftRequests(page);
    const conversationId = await users.requestHandoff('Mona');
    await claim(page, 'Mona');
    // The assistant answered the message before the handoff, so the page requests no suggestion.
    expect(requests).toEqual([]);
    expect(await suggestionOn(page).count()).toBe(0);

    await users.ask('When does the pool open?', conversationId);
    await users.ask('Hello?', conversationId);
    const suggestion = suggestionOn(page);
    await suggestion
      .getByText(/opens at seven in the morning/)
      .first()
      .waitFor();
    await suggestion.getByText(/Confidence \d+ %/).waitFor();
    await suggestion.getByRole('button', { name: 'Whole suggestion and sources' }).click();
    const source = suggestion
      .getByRole('list', { name: 'Sources' })
      .getByRole('link', { name: 'Pool.md' });
    await source.click();
    const drawer = page.getByRole('dialog', { name: 'Pool.md' });
    await drawer.getByText('cited').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await findPageViolations(page)).toEqual([]);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      // The menu closes with a transition.
      await page.waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth);
      expect(await suggestion.getByRole('button', { name: 'Insert' }).isVisible()).toBe(true);
    }

    const reply = page.getByLabel('Your reply');
    await reply.fill('Good morning!');
    await suggestion.getByRole('button', { name: 'Insert' }).click();
    await suggestion.waitFor({ state: 'detached' });
    expect(await reply.inputValue()).toMatch(
      /^Good morning!\n\nThe pool opens at seven in the morning\./,
    );
    expect(await reply.inputValue()).not.toContain('[1]');
    expect(await reply.evaluate((field) => field === document.activeElement)).toBe(true);
    await reply.fill('Good morning! At seven.');
    await reply.press('Enter');
    await messagesOn(page).getByText('Good morning! At seven.').waitFor();
    await allSent(page);
    expect(await page.getByRole('button', { name: 'Suggest a reply' }).count()).toBe(0);
    const stored = await (await rest.get(`/conversations/${conversationId}`)).text();
    expect(stored).not.toContain('opens at seven');
    expect(errors).toEqual([]);
  });

  it.each([1280, 390])(
    'leaves the latest message in view when it appears, %i px wide',
    async (width) => {
      const { page, errors } = await test.member(`wide${width}@harbour.example`, 'AGENT');
      await page.setViewportSize({ width, height: 740 });
      const conversationId = await addConversation(test.service, test.tenant.projectId, {
        messages: Array.from({ length: 40 }, (_, n) => `Message ${n + 1}.`),
      });
      const name = `Wanda${width}`;
      await users.requestHandoff(name, conversationId);
      await claim(page, name);
      const isInView = (text: string) => async () => {
        const message = await messagesOn(page).getByText(text, { exact: true }).boundingBox();
        const top = await page.getByLabel('What to write').boundingBox();
        if (message === null || top === null) return false;
        return message.y > 56 && message.y + message.height <= top.y;
      };
      for (const question of ['When does the pool open?', 'When does the pool close?']) {
        await users.ask(question, conversationId);
        await suggestionOn(page)
          .getByText(/Confidence \d+ %/)
          .waitFor();
        await eventually(isInView(question)).toBe(true);
      }
      await page.reload();
      await suggestionOn(page)
        .getByText(/Confidence \d+ %/)
        .waitFor();
      await eventually(isInView('When does the pool close?')).toBe(true);

      // If the agent has scrolled up, the transcript does not scroll, and a button shows the number of new messages.
      const earlier = messagesOn(page).getByText('Message 20.', { exact: true });
      await earlier.evaluate((message) => message.scrollIntoView());
      await eventually(isInView('When does the pool close?')).toBe(false);
      await users.ask('Is it heated?', conversationId);
      await page.getByRole('button', { name: '1 new message', exact: true }).waitFor();
      await users.ask('And the sauna?', conversationId);
      await page.getByRole('button', { name: '2 new messages' }).click();
      await eventually(isInView('And the sauna?')).toBe(true);
      await page.getByRole('button', { name: /new message/ }).waitFor({ state: 'detached' });
      expect(errors).toEqual([]);
    },
  );

  it('says that the documents have no answer, and can be dismissed and asked for again', async () => {
    const { page, errors } = await test.member('ben@harbour.example', 'AGENT');
    const requests = draftRequests(page);
    const conversationId = await users.requestHandoff('Otto');
    await claim(page, 'Otto');
    await users.ask('Who wrote the novel about the whale?', conversationId);
    const suggestion = suggestionOn(page);
    await suggestion.getByText('Nothing in the documents answers this').waitFor();
    expect(await findPageViolations(page)).toEqual([]);
    await suggestion.getByRole('button', { name: 'Dismiss' }).click();
    const again = page.getByRole('button', { name: 'Suggest a reply' });
    await eventually(() => again.evaluate((button) => button === document.activeElement)).toBe(
      true,
    );
    expect(requests).toHaveLength(1);
    await page.keyboard.press('Enter');
    await suggestion.getByText('Nothing in the documents answers this').waitFor();
    expect(requests).toHaveLength(2);
    // When the conversation is opened again, the page does not request the suggestion again.
    await page.goBack();
    await page.goForward();
    await suggestion.getByText('Nothing in the documents answers this').waitFor();
    expect(requests).toHaveLength(2);
    expect(errors).toEqual([]);
  });

  it('is not requested for conversations that nobody looks at, nor if the agent switched it off', async () => {
    const { page, errors } = await test.member('kai@harbour.example', 'AGENT');
    const requests = draftRequests(page);
    const closed = await users.requestHandoff('Pia');
    await claim(page, 'Pia');
    const open = await users.requestHandoff('Nils');
    await page
      .getByRole('radiogroup', { name: 'Filter handoffs' })
      .getByText(/^Waiting/)
      .click();
    await claim(page, 'Nils');
    await users.ask('What does parking cost?', closed);
    await itemOf(page, 'Pia').getByText('1 new').waitFor();
    await page.getByRole('button', { name: 'Settings of this browser' }).click();
    await page.getByLabel('Suggest replies').click();
    await page.keyboard.press('Escape');
    await users.ask('When does the pool close?', open);
    await messagesOn(page).getByText('When does the pool close?').waitFor();
    const ask = page.getByRole('button', { name: 'Suggest a reply' });
    await ask.waitFor();
    expect(requests).toEqual([]);
    await ask.click();
    await suggestionOn(page)
      .getByText(/ten in the evening/)
      .first()
      .waitFor();
    expect(requests).toHaveLength(1);
    expect(errors).toEqual([]);
  });
});

describe.skipIf(chromiumPath === undefined)('the suggested reply of a chat model', () => {
  let test: DashboardTest;
  let models: OpenAiServer;
  let users: ReturnType<typeof endUsers>;
  beforeAll(async () => {
    models = await startOpenAiServer();
    test = await startDashboardTest({ openAi: models.chatModelConfig });
    users = endUsers(restClient(`${test.service.url}/api/v1`, await test.tenant.key()));
    await addDocuments(test.service, test.tenant.projectId, documents);
  }, 60_000);
  afterAll(async () => {
    await test?.stop();
    await models?.close();
  });

  const nextAnswerCall = async (from: number) => {
    for (let index = from; ; index += 1) {
      const call = await models.request(index);
      if (call.body.stream === true) return { call, index };
    }
  };

  it('stops at a newer message, when the agent cancels, and when the agent leaves', async () => {
    const { page, errors } = await test.member('ada@harbour.example', 'AGENT');
    const conversationId = await users.requestHandoff('Mona');
    await claim(page, 'Mona');
    const stalled = { deltas: ['At '], end: 'stall' } as const;
    const first = models.requests.length;
    models.script({ deltas: ['when does the pool open?'] }, stalled);
    await users.ask('When does the pool open?', conversationId);
    const one = await nextAnswerCall(first);
    await suggestionOn(page).getByText('Looking for an answer in the documents…').waitFor();
    expect(await seriousViolations(page)).toEqual([]);

    models.script(
      { deltas: ['price of parking'] },
      { deltas: ['Twelve euros <b>a night</b> [1].'] },
    );
    await users.ask('What does parking cost?', conversationId);
    await one.call.closed;
    await suggestionOn(page)
      .getByText(/Twelve euros/)
      .waitFor();
    expect(await suggestionOn(page).locator('b').count()).toBe(0);

    const before = models.requests.length;
    models.script({ deltas: ['closing time of the pool'] }, stalled);
    await users.ask('When does the pool close?', conversationId);
    const two = await nextAnswerCall(before);
    await suggestionOn(page).getByRole('button', { name: 'Cancel' }).click();
    await two.call.closed;
    models.script({ deltas: ['closing time of the pool'] }, stalled);
    await page.getByRole('button', { name: 'Suggest a reply' }).click();
    const three = await nextAnswerCall(two.index + 1);
    await page.getByRole('link', { name: 'Usage' }).click();
    await three.call.closed;
    expect(await conversationOn(page).count()).toBe(0);
    expect(errors).toEqual([]);
  });
});
