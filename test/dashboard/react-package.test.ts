import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../packages/client/src/index.ts';
import { addDocuments } from '../support/knowledge.ts';
import {
  chromiumPath,
  eventually,
  openWindow,
  seriousViolations,
  startBrowser,
} from '../support/pages/browser.ts';
import {
  bundleWithPackages,
  type ExampleProgram,
  startExample,
} from '../support/programs/example-program.ts';
import { readProgram } from '../support/programs/readme-program.ts';
import { type FaultProxy, startFaultProxy } from '../support/servers/fault-proxy.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';

const question = 'When is breakfast served?';
const words = ['Breakfast is ', 'served from ', 'seven to ten ', 'in the winter garden. ', '[1]'];
const answer = words.join('');
const endless = { deltas: words.slice(0, 3), end: 'stall', finishReason: null } as const;

const html = `<!doctype html>
<html lang="en">
<head><title>Support</title><link rel="icon" href="data:,"><style>[role=log] { max-height: 20em; overflow: auto }</style></head>
<body><main><h1>Support</h1><div id="root"></div></main><script type="module" src="/page.js"></script></body>
</html>`;

describe.skipIf(chromiumPath === undefined)(
  'the chat for React, on a page of the Express example',
  () => {
    let models: OpenAiServer;
    let service: TestService;
    let tenant: Tenant;
    let site: string;
    let backend: ExampleProgram;
    let proxy: FaultProxy;
    let browser: Browser;

    beforeAll(async () => {
      models = await startOpenAiServer();
      service = await startTestService({ openAi: models.chatModelConfig });
      tenant = await service.createTenant();
      await addDocuments(service, tenant.projectId, {
        'Guest guide': 'Breakfast is served from seven to ten in the winter garden.',
      });
      site = await mkdtemp(join(tmpdir(), 'grounded-chat-site-'));
      const script = await bundleWithPackages('test/support/react-chat-page.tsx', 'browser');
      await copyFile(script, join(site, 'page.js'));
      await writeFile(join(site, 'index.html'), html);
      const program = join(site, 'support.tsx');
      await writeFile(program, await readProgram('packages/react/README.md', 'support.tsx'));
      await copyFile(await bundleWithPackages(program, 'browser'), join(site, 'support.js'));
      await writeFile(join(site, 'support.html'), html.replace('page.js', 'support.js'));
      const key = await tenant.key({ scopes: ['CHAT', 'CONVERSATIONS_READ'] });
      backend = await startExample('express', {
        GROUNDED_CHAT_URL: service.url,
        GROUNDED_CHAT_KEY: key,
        SITE: site,
      });
      proxy = await startFaultProxy(new URL(backend.url).origin);
      browser = await startBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      await proxy?.close();
      await backend?.stop();
      await service?.stop();
      await models?.close();
      await rm(site, { recursive: true, force: true });
    });

    async function open(search = ''): Promise<{ page: Page; errors: string[] }> {
      const { page, errors } = await openWindow(browser);
      await page.goto(`${proxy.url}/${search}`);
      await page.getByRole('textbox', { name: 'Your message' }).waitFor();
      return { page, errors };
    }

    async function ask(page: Page, text = question): Promise<void> {
      const input = page.getByRole('textbox', { name: 'Your message' });
      await input.fill(text);
      await input.press('Enter');
    }

    const lastAnswer = (page: Page) => page.locator('li[data-role=ASSISTANT]').last();

    it('answers with sources, announces the answer once, and can be used with the keyboard', async () => {
      models.script({ deltas: words, delayMs: 20 });
      const { page, errors } = await open();
      expect(await page.getByText('You are chatting with an AI assistant.').isVisible()).toBe(true);
      const input = page.getByRole('textbox', { name: 'Your message' });
      await input.fill('When is breakfast');
      await input.press('Shift+Enter');
      await input.pressSequentially('served?');
      await input.press('Enter');
      await page.locator('li[data-role=ASSISTANT][data-status=COMPLETED]').waitFor();
      expect(await page.locator('li[data-role=USER]').textContent()).toContain(
        'breakfast\nserved?',
      );
      expect(await lastAnswer(page).locator('p').first().textContent()).toBe(answer);
      expect(await page.getByRole('status').textContent()).toBe(`AI assistant: ${answer}`);
      expect(await lastAnswer(page).locator('strong').textContent()).toBe('AI assistant');
      expect(await input.inputValue()).toBe('');
      expect(await input.evaluate((element) => element === document.activeElement)).toBe(true);

      await lastAnswer(page).getByText('Sources').press('Enter');
      const source = lastAnswer(page).locator('details li');
      expect(await source.textContent()).toContain('Guest guide');
      expect(await source.locator('blockquote').textContent()).toContain('winter garden');
      await lastAnswer(page).getByRole('button', { name: 'Helpful', exact: true }).press('Enter');
      await lastAnswer(page).getByRole('button', { name: 'Helpful', pressed: true }).waitFor();
      await page.getByRole('log', { name: 'Messages' }).focus();
      expect(await seriousViolations(page)).toEqual([]);
      expect(errors).toEqual([]);
    });

    it('shows every character once if the connection is cut again and again', async () => {
      const deltas = Array.from({ length: 50 }, (_, n) => `word${n} `);
      models.script({ deltas, delayMs: 30 });
      const { page } = await open();
      await ask(page);
      for (const word of ['word5 ', 'word20 ', 'word35 ']) {
        await lastAnswer(page).getByText(word).waitFor();
        proxy.cut();
        proxy.restore();
      }
      await page.locator('li[data-role=ASSISTANT][data-status=COMPLETED]').waitFor();
      const shown = await lastAnswer(page).locator('p').first().textContent();
      const id = await page.locator('body').getAttribute('data-conversation');
      const where = { conversationId: id ?? '', role: 'ASSISTANT' } as const;
      const stored = await service.system.db.message.findFirstOrThrow({ where });
      expect(shown).toBe(stored.content);
      expect(shown).toBe(deltas.join(''));
    });

    it('runs the program in its README, and shows every character once if the connection is cut', async () => {
      models.script({ deltas: words, delayMs: 100 });
      const { page, errors } = await openWindow(browser);
      await page.goto(`${proxy.url}/support.html`);
      const input = page.getByRole('textbox', { name: 'Question' });
      await input.fill(question);
      await page.getByRole('button', { name: 'Ask' }).click();
      await page.getByText('served from').waitFor();
      await page.getByRole('button', { name: 'Stop' }).waitFor();
      proxy.cut();
      proxy.restore();
      await page.getByText('Guest guide').waitFor();
      const shown = await page.locator('p').allTextContents();
      expect(shown).toEqual([`${question} `, `${answer} Guest guide`]);
      expect(await input.inputValue()).toBe('');
      // The browser itself reports the connection that the test cut.
      expect(errors.filter((error) => !error.includes('ERR_'))).toEqual([]);
    });

    it('offers to continue an answer whose connection stays cut', async () => {
      models.script({ deltas: words, delayMs: 200 });
      const { page } = await open();
      await ask(page);
      await lastAnswer(page).getByText('Breakfast is').waitFor();
      proxy.cut();
      const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
      await retry.waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      proxy.restore();
      await retry.click();
      await page.locator('li[data-role=ASSISTANT][data-status=COMPLETED]').waitFor();
      expect(await lastAnswer(page).locator('p').first().textContent()).toBe(answer);
      expect(await page.locator('li[data-role]').count()).toBe(2);
      expect(await page.getByRole('alert').count()).toBe(0);
    });

    it.each(['Escape', 'the button'])('stops an answer with %s', async (means) => {
      models.script(endless);
      const { page } = await open();
      await ask(page);
      await lastAnswer(page).getByText('Breakfast is').waitFor();
      if (means === 'Escape') await page.keyboard.press('Escape');
      else await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('button', { name: 'Send' }).waitFor();
      await page.locator('li[data-role=ASSISTANT][data-status=STOPPED]').waitFor();
      const id = await page.locator('body').getAttribute('data-conversation');
      const where = { conversationId: id ?? '', role: 'ASSISTANT' } as const;
      const stored = () => service.system.db.message.findFirstOrThrow({ where });
      await eventually(async () => (await stored()).status).toBe('STOPPED');
    });

    it('asks for a person, shows the reply, and continues after a reload', async () => {
      const { page } = await open();
      expect(await page.getByRole('button', { name: 'Talk to a person' }).count()).toBe(0);
      await ask(page);
      await page.locator('li[data-role=ASSISTANT][data-status=COMPLETED]').waitFor();
      await page.getByRole('button', { name: 'Talk to a person' }).click();
      await eventually(() => page.getByRole('status').textContent()).toContain(
        'A person will answer',
      );

      const agent = createClient({ baseUrl: service.url, apiKey: await tenant.key() });
      const id = (await page.locator('body').getAttribute('data-conversation')) ?? '';
      const { handoff } = await agent.conversations.get(id);
      await agent.handoffs.claim(handoff?.id ?? '');
      await agent.conversations.reply(id, { content: 'The kitchen opens earlier for you.' });
      const reply = page.locator('li[data-role=AGENT]');
      await reply.waitFor();
      expect(await reply.textContent()).toContain('The kitchen opens earlier for you.');
      expect(await page.getByRole('status').textContent()).toContain('A person has taken over');
      expect(await seriousViolations(page)).toEqual([]);

      const { page: again } = await open(`?conversation=${id}`);
      await again.locator('li[data-role=AGENT]').waitFor();
      expect(await again.locator('li[data-role]').count()).toBe(3);
      await agent.handoffs.resolve(handoff?.id ?? '');
      await again.getByRole('button', { name: 'Talk to a person' }).waitFor();
    });
  },
);
