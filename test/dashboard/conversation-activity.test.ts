import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWidget } from '../support/api/visitor-client.ts';
import { chromiumPath, seriousViolations } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { type HostPage, startHostPage } from '../support/pages/host-page.ts';
import { conversationOn, itemOf } from '../support/pages/inbox-page.ts';

const testTimeoutMs = 300_000;

describe.skipIf(chromiumPath === undefined)('two agents and a visitor', () => {
  let test: DashboardTest;
  let host: HostPage;
  let key: string;
  beforeAll(async () => {
    test = await startDashboardTest();
    host = await startHostPage(test.service.url, () => `data-key="${key}"`);
    key = await makeWidget(test.service, test.tenant.projectId, [host.url]);
  }, testTimeoutMs);
  afterAll(async () => {
    await host?.stop();
    await test?.stop();
  });

  it(
    'see who types and who has the conversation open, and no text before it is sent',
    async () => {
      const visitor = await (await test.browser.newContext()).newPage();
      visitor.setDefaultTimeout(60_000);
      await visitor.goto(host.url);
      await visitor.getByRole('button', { name: 'Open the chat' }).click();
      const chat = visitor.getByRole('dialog');
      const question = chat.getByLabel('Your question');
      await question.fill('When is breakfast served?');
      await question.press('Enter');
      await chat.getByRole('button', { name: 'Talk to a human' }).click();
      await chat.getByLabel('What is it about?').fill('Mona wants a person');
      await chat.getByRole('button', { name: 'Contact our team' }).click();

      const grace = await test.member('grace@harbour.example', 'AGENT');
      const ada = await test.member('ada@harbour.example', 'AGENT');
      for (const { page } of [grace, ada]) await itemOf(page, 'Mona').click();
      await seen(ada.page, 'grace@harbour.example has this conversation open');
      await seen(grace.page, 'ada@harbour.example has this conversation open');
      await ada.page.getByRole('status').getByText('Also here: grace@harbour.example').waitFor({
        state: 'attached',
      });
      await grace.page.getByRole('button', { name: 'Claim' }).click();

      const reply = grace.page.getByLabel('Your reply');
      await reply.fill('A draft that I keep to myself');
      await seen(ada.page, 'grace@harbour.example is replying…');
      const typing = chat.getByText('Our team is typing…');
      await typing.waitFor();
      expect(await seriousViolations(visitor)).toEqual([]);
      expect(await seriousViolations(ada.page)).toEqual([]);
      for (const page of [ada.page, visitor]) {
        expect(await page.getByText('A draft that I keep to myself').count()).toBe(0);
      }
      await reply.fill('');
      await typing.waitFor({ state: 'hidden' });

      await question.fill('One more thing');
      await seen(grace.page, 'The end user is typing…');
      await question.press('Enter');
      await conversationOn(grace.page).getByText('One more thing').waitFor();
      await unseen(grace.page, 'The end user is typing…');

      await ada.page.getByRole('link', { name: 'Conversations' }).first().click();
      await unseen(grace.page, 'ada@harbour.example has this conversation open');

      await grace.page.getByRole('button', { name: 'Settings of this browser' }).click();
      await grace.page.getByLabel('Show when I type').uncheck({ force: true });
      await grace.page.keyboard.press('Escape');
      const signals: string[] = [];
      grace.page.on('request', (request) => {
        if (request.postData()?.includes('signalTyping')) signals.push(request.url());
      });
      await reply.fill('Breakfast is served from seven.');
      await reply.press('Enter');
      await chat.getByText('Breakfast is served from seven.').waitFor();
      expect(signals).toEqual([]);
      expect([...grace.errors, ...ada.errors]).toEqual([]);
    },
    testTimeoutMs,
  );
});

function seen(page: Page, text: string): Promise<void> {
  return conversationOn(page).getByText(text).waitFor();
}

function unseen(page: Page, text: string): Promise<void> {
  return conversationOn(page).getByText(text).waitFor({ state: 'detached' });
}
