import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDocuments } from '../support/knowledge.ts';
import { chromiumPath, eventually, type OpenPage } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';

describe.skipIf(chromiumPath === undefined)('the playground', { timeout: 240_000 }, () => {
  let test: DashboardTest;
  let owner: OpenPage;
  let page: Page;
  beforeAll(async () => {
    test = await startDashboardTest();
    owner = await test.member('owner@harbour.example', 'OWNER');
    page = owner.page;
    await addDocuments(test.service, test.tenant.projectId, {
      'parking.md': '# Parking\n\nGuests park for free behind the house.',
      'breakfast.md': '# Breakfast\n\nBreakfast is served until noon.',
      'pool.md':
        '# When is the pool open?\n\nThe pool is open from seven in the morning until ten.',
    });
  }, 180_000);
  afterAll(() => test?.stop());

  it('answers with links to its sources, and keeps the conversation across pages', async () => {
    await open(test, page);
    await ask(page, 'Where do guests park?');
    const answer = page.getByLabel('Answer', { exact: true }).last();
    await answer.getByText('Guests park for free behind the house').first().waitFor();
    await answer.getByText(/^Confidence \d+ %, (high|fair|low)$/).waitFor();
    await answer.getByText(/^First token [\d.]+ m?s$/).waitFor();
    await answer.getByText(/^Total [\d.]+ m?s$/).waitFor();
    await ask(page, 'Until when is breakfast served?');
    await answer.getByText('Breakfast is served until noon').first().waitFor();
    await answer.getByRole('link', { name: 'Source 1: breakfast.md' }).click();
    await page.locator('[aria-current="true"]').getByText('until noon').waitFor();
    await page.goBack();
    await expect.poll(() => page.getByLabel('Answer', { exact: true }).count()).toBe(2);
    const { db } = test.service.system;
    const { projectId } = test.tenant;
    expect(await db.conversation.count({ where: { projectId } })).toBe(1);
    await page.getByRole('list', { name: 'Sources' }).first().getByRole('link').click();
    await page.locator('[aria-current="true"]').getByText('park for free').waitFor();

    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByText('Ask a question').waitFor();
    await ask(page, 'Who won the world cup in 1954?');
    await answer.getByText("I don't know").waitFor();
    await answer.getByRole('link', { name: 'Unanswered' }).waitFor();
    expect(await db.conversation.count({ where: { projectId } })).toBe(2);
    await ask(page, 'Thank you!');
    await answer.getByText('You are welcome!').waitFor();
    await answer.getByText('Small talk', { exact: true }).waitFor();
    expect(await answer.getByRole('link', { name: 'Unanswered' }).count()).toBe(0);
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('asks a sample question with one click, and stores a rating that can change', async () => {
    await open(test, page);
    const samples = page.getByRole('group', { name: 'Sample questions' });
    await samples.getByRole('button', { name: 'When is the pool open?' }).click();
    const answer = page.getByLabel('Answer', { exact: true });
    await answer.getByText('The pool is open from seven').first().waitFor();
    expect(await samples.count()).toBe(0);
    const { db } = test.service.system;
    const ratings = async () =>
      (await db.messageFeedback.findMany({ where: { projectId: test.tenant.projectId } })).map(
        ({ rating }) => rating,
      );
    const isPressed = (name: string) =>
      answer.getByRole('button', { name, exact: true }).getAttribute('aria-pressed');
    for (const [name, rating, other] of [
      ['Helpful', 'UP', 'Not helpful'],
      ['Not helpful', 'DOWN', 'Helpful'],
    ] as const) {
      await answer.getByRole('button', { name, exact: true }).click();
      await eventually(() => isPressed(name)).toBe('true');
      expect(await isPressed(other)).toBe('false');
      expect(await ratings()).toEqual([rating]);
    }
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('compares two thresholds without storing a conversation', async () => {
    const { db } = test.service.system;
    const { projectId } = test.tenant;
    const before = await db.conversation.count({ where: { projectId } });
    await open(test, page);
    await page.getByRole('switch', { name: 'Compare' }).check();
    await page
      .getByRole('group', { name: 'Settings B' })
      .getByLabel('Confidence threshold in percent')
      .fill('100');
    await ask(page, 'Until when is breakfast served?');
    const [a, b] = ['Answer A', 'Answer B'].map((name) => page.getByLabel(name, { exact: true }));
    await a?.getByText('Answered', { exact: true }).waitFor();
    await a?.getByRole('link', { name: 'Source 1: breakfast.md' }).waitFor();
    await b?.getByText('Refused', { exact: true }).waitFor();
    await page.getByText('Only A answers. B refuses.').waitFor();
    for (const side of [a, b]) {
      await side?.getByText(/^Confidence \d+ %, (high|fair|low)$/).waitFor();
      await side?.getByText(/^Total [\d.]+ m?s$/).waitFor();
    }
    await page.getByRole('button', { name: 'Why this answer? Answer B' }).click();
    await page
      .getByRole('dialog', { name: 'Why this answer?' })
      .getByText('Add a document that answers the question.')
      .waitFor();
    expect(await db.conversation.count({ where: { projectId } })).toBe(before);
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('shows which question was searched instead of a misspelled one', async () => {
    await open(test, page);
    await ask(page, 'Until when is brekfast served?');
    const answer = page.getByLabel('Answer', { exact: true }).last();
    await answer.getByText('Results for “Until when is breakfast served?”').waitFor();
    await answer.getByText('Breakfast is served until noon').first().waitFor();
    await ask(page, 'Until when is breakfast served?');
    await expect.poll(() => page.getByLabel('Answer', { exact: true }).count()).toBe(2);
    await answer.getByText('Breakfast is served until noon').first().waitFor();
    expect(await answer.getByText('Results for').count()).toBe(0);

    const query = 'Where do guests parrk?';
    const search = new URLSearchParams({ view: 'search', query });
    await page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/knowledge?${search}`);
    await page.getByRole('list', { name: 'Results' }).waitFor();
    await page.getByText('Results for “Where do guests park?”').waitFor();
    await page.getByLabel('Question').fill('Where do guests park?');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByText('Results for “').count()).toBe(0);
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('shows an equivalent curl command, whatever the question contains', async () => {
    await open(test, page);
    await ask(page, 'Where do guests park?');
    await page
      .getByLabel('Answer', { exact: true })
      .getByText(/^Total/)
      .waitFor();
    const message = `It's "late", $HOME \`id\` \\ ! %s <b>: until when is breakfast served?\n— '; exit 1 #`;
    await page.getByLabel('Message').fill(message);
    await page.getByText('Show the request').click();
    const command = await page
      .getByRole('region', { name: 'Same request over REST' })
      .locator('pre');
    const shown = (await command.textContent()) ?? '';
    expect(shown).toContain(`${test.service.url}/api/v1/chat`);
    expect(shown).toContain('$GROUNDED_CHAT_KEY');
    const { stdout } = await promisify(execFile)('sh', ['-c', shown], {
      env: { PATH: process.env.PATH, GROUNDED_CHAT_KEY: await test.tenant.key() },
    });
    const events = [...stdout.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
    expect(events.at(-1)).toMatchObject({ type: 'done' });
    const { conversationId } = events[0];
    const asked = await test.service.system.db.message.findMany({
      where: { conversationId, role: 'USER' },
      orderBy: { position: 'asc' },
    });
    expect(asked.map(({ content }) => content)).toEqual(['Where do guests park?', message]);
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('tells viewers that they cannot chat', async () => {
    const viewer = await test.member('viewer@harbour.example', 'VIEWER');
    await open(test, viewer.page);
    await viewer.page.getByText('Not available for your role').waitFor();
    expect(await viewer.page.getByLabel('Message').count()).toBe(0);
  });
});

describe.skipIf(chromiumPath === undefined)(
  'the playground with a remote model',
  { timeout: 240_000 },
  () => {
    let models: OpenAiServer;
    let test: DashboardTest;
    let owner: OpenPage;
    let page: Page;
    beforeAll(async () => {
      models = await startOpenAiServer();
      test = await startDashboardTest({
        openAi: models.chatModelConfig,
      });
      owner = await test.member('owner@harbour.example', 'OWNER');
      page = owner.page;
      await addDocuments(test.service, test.tenant.projectId, {
        'parking.md': '# Parking\n\nGuests park for free behind the house.',
      });
    }, 180_000);
    afterAll(async () => {
      await test?.stop();
      await models?.close();
    });

    it('stops an answer and keeps the partial text', async () => {
      models.script({ deltas: Array.from({ length: 600 }, () => 'Guests park. '), delayMs: 200 });
      await open(test, page);
      await ask(page, 'Where do guests park?');
      const answer = page.getByLabel('Answer', { exact: true }).last();
      await answer.getByText('Guests park. Guests park').first().waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await answer.getByText('Stopped').waitFor();
      await page.getByRole('button', { name: 'Send' }).waitFor();
      await expect
        .poll(() =>
          test.service.system.db.message.count({
            where: { projectId: test.tenant.projectId, status: 'STOPPED' },
          }),
        )
        .toBe(1);
      expect(owner.errors.splice(0)).toEqual([]);
    });

    it('reports an interrupted answer, retries, and shows model output as plain text', async () => {
      models.script(
        { deltas: ['Guests park '], finishReason: null, end: 'cut' },
        {
          deltas: [
            'Guests park for free [1] <img src=x onerror="window.hacked=1"> ',
            '[x](javascript:window.hacked=1) [9]',
          ],
        },
      );
      await open(test, page);
      await ask(page, 'Where do guests park?');
      const answer = page.getByLabel('Answer', { exact: true }).last();
      await answer.getByText('The answer was interrupted').waitFor();
      await answer.getByRole('button', { name: 'Ask again' }).click();
      await answer.getByRole('link', { name: 'Source 1: parking.md' }).waitFor();
      await answer.getByText(/^Total/).waitFor();
      expect(await page.getByLabel('Answer', { exact: true }).count()).toBe(1);
      expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
      expect(await page.locator('main img, a[href^="javascript:"]').count()).toBe(0);
      expect(owner.errors.splice(0)).toEqual([]);
    });
  },
);

function open({ service, tenant }: DashboardTest, page: Page) {
  return page.goto(`${service.url}/dashboard/${tenant.projectId}/playground`);
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Message').fill(question);
  await page.getByLabel('Message').press('Enter');
}
