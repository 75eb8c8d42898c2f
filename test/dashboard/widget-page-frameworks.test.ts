import { createHmac } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rotateIdentitySecret } from '../../src/domain/widget/rotate-identity-secret.ts';
import { updateWidget } from '../../src/domain/widget/widgets.ts';
import { makeWidget } from '../support/api/visitor-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import { chromiumPath, openWindow } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import {
  type FrameworkSite,
  type SiteOptions,
  startFrameworkSite,
} from '../support/pages/framework-site.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';

const testTimeoutMs = 300_000;
const longAnswer = Array.from({ length: 60 }, (_, index) => `Line ${index} of breakfast.\n`);

describe.skipIf(chromiumPath === undefined)('on pages of frameworks, the widget', () => {
  let test: DashboardTest;
  let models: OpenAiServer;
  let key: string;
  let secret: string;
  let attributes: (path: string) => string = () => '';
  const sites: FrameworkSite[] = [];
  beforeAll(async () => {
    models = await startOpenAiServer();
    test = await startDashboardTest({ openAi: models.chatModelConfig });
    const { projectId } = test.tenant;
    key = await makeWidget(test.service, projectId, []);
    ({ secret } = await rotateIdentitySecret(test.service.system, { projectId }));
    await addDocuments(test.service, projectId, {
      'Guest guide': 'Breakfast is served from seven to ten in the winter garden.',
    });
  }, testTimeoutMs);
  afterAll(async () => {
    for (const site of sites) await site.stop();
    await test?.stop();
    await models?.close();
  });

  const tag = (path: string) =>
    `<script src="${test.service.url}/widget.js" data-key="${key}" ${attributes(path)} async></script>`;
  const visit = async (options: SiteOptions, tags = tag) => {
    const site = await startFrameworkSite(tags, options);
    sites.push(site);
    const allowedOrigins = sites.map(({ url }) => url);
    await updateWidget(test.service.system, { projectId: test.tenant.projectId, allowedOrigins });
    const opened = await openWindow(test.browser);
    await opened.page.goto(site.url);
    return opened;
  };

  /** Opens the chat with a long answer, scrolled up, a draft, and an answer that the model is still writing. */
  const openBusyChat = async (page: Page) => {
    const chat = page.getByRole('dialog');
    const finish = Promise.withResolvers<void>();
    await launcher(page).click();
    models.script({ deltas: [...longAnswer, 'Until ten [1].'] });
    await ask(chat, 'When is breakfast served?');
    await chat.getByText('Guest guide').waitFor();
    // The model first rewrites the question, because it is a follow-up.
    models.script(
      { deltas: ['Where is breakfast served?'] },
      {
        deltas: ['On Mondays ', 'it is in the ', 'orangery [1].'],
        hold: { text: 'it is', until: finish.promise },
      },
    );
    await ask(chat, 'Where is it served?');
    await chat.getByText('On Mondays').waitFor();
    await chat.getByLabel('Your question').fill('And on Sundays?');
    await chat.getByText('Line 20 of breakfast').hover();
    await chat.getByText('Line 20 of breakfast').evaluate((bubble) => {
      const log = bubble.closest('.log');
      if (log !== null) log.scrollTop = 300;
    });
    await expect.poll(() => scrollTop(chat)).toBe(300);
    return { chat, finish: finish.resolve };
  };
  const expectSameChat = async (page: Page, chat: Locator, finish: () => void) => {
    expect(await chat.isVisible()).toBe(true);
    expect(await launcher(page).count()).toBe(1);
    expect(await chat.getByLabel('Your question').inputValue()).toBe('And on Sundays?');
    expect(await scrollTop(chat)).toBe(300);
    expect(await hasFocusInField(page)).toBe(true);
    finish();
    await chat.getByText('On Mondays it is in the orangery').waitFor();
    await expect.poll(() => scrollTop(chat)).toBe(300);
    await chat.getByRole('button', { name: 'Close' }).click();
    await chat.waitFor({ state: 'hidden' });
    await launcher(page).click();
    await chat.waitFor();
  };

  it.each<SiteOptions>([
    { framework: 'turbo', tagIn: 'head' },
    { framework: 'turbo', tagIn: 'body' },
    { framework: 'turbo-morph', tagIn: 'head' },
    { framework: 'turbo-morph', tagIn: 'body' },
    { framework: 'htmx', tagIn: 'head' },
    { framework: 'htmx', tagIn: 'body' },
  ])(
    'keeps the open chat, its draft, scroll position, focus and running answer: $framework, tag in the $tagIn',
    async (options) => {
      const { page, errors } = await visit(options);
      const { chat, finish } = await openBusyChat(page);
      const morphs = options.framework === 'turbo-morph';
      // A click would move the focus out of the chat.
      await page
        .getByRole('link', { name: morphs ? 'Same page' : 'Next page' })
        .evaluate((link: HTMLAnchorElement) => link.click());
      await page.getByText('Visit 2').waitFor();
      expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1);
      await expectSameChat(page, chat, finish);
      await page.getByRole('link', { name: 'Next page' }).click();
      const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
      await heading(morphs ? 'Page /two' : 'Page /');
      if (!morphs) {
        await page.goBack();
        await heading('Page /two');
      }
      await chat.getByText('On Mondays it is in the orangery').waitFor();
      expect(await launcher(page).count()).toBe(1);
      expect(errors).toEqual([]);
    },
    testTimeoutMs,
  );

  it.each([
    ['all that it does not know under the root', () => removeForeign()],
    [
      'the root element',
      () => {
        const root = document.createElement('html');
        root.append(...document.documentElement.cloneNode(true).childNodes);
        for (const copy of root.querySelectorAll('[data-grounded-chat]')) copy.remove();
        document.documentElement.replaceWith(root);
      },
    ],
  ])(
    'comes back at once with the same chat if a script replaces %s',
    async (_, replace) => {
      const { page, errors } = await visit({ framework: 'none', tagIn: 'head' });
      await page.evaluate(() =>
        Object.assign(window, {
          removeForeign() {
            for (const child of [...document.documentElement.children]) {
              if (!child.matches('head, body')) child.remove();
            }
          },
        }),
      );
      const { chat, finish } = await openBusyChat(page);
      await page.evaluate(replace);
      await expectSameChat(page, chat, finish);
      expect(errors).toEqual([]);
    },
    testTimeoutMs,
  );

  it(
    'leaves the page usable if a script removes the widget each time',
    async () => {
      const { page, errors } = await visit({ framework: 'none', tagIn: 'head' });
      await launcher(page).waitFor();
      await page.evaluate(() => {
        const counts = { removed: 0 };
        const remove = () => {
          const host = document.querySelector('[data-grounded-chat]');
          if (host === null) return;
          counts.removed += 1;
          host.remove();
        };
        new MutationObserver(remove).observe(document, { childList: true, subtree: true });
        Object.assign(window, { counts });
        remove();
      });
      const removed = () => page.evaluate(() => Reflect.get(window, 'counts').removed);
      await expect.poll(removed).toBeGreaterThan(2);
      expect(errors).toEqual([]);
    },
    testTimeoutMs,
  );

  it(
    'continues as the user of the next page, and as nobody after a sign-out',
    async () => {
      const userHash = createHmac('sha256', secret).update('mira').digest('hex');
      attributes = (path) =>
        path === '/' ? `data-user-id="mira" data-user-hash="${userHash}"` : '';
      const { page, errors } = await visit({ framework: 'turbo', tagIn: 'body' });
      const chat = page.getByRole('dialog');
      await launcher(page).click();
      models.script({ deltas: ['From seven to ten [1].'] });
      await ask(chat, 'When is breakfast served?');
      await chat.getByText('Guest guide').waitFor();
      await page.getByRole('link', { name: 'Next page' }).click();
      await page.getByText('Page /two').waitFor();
      await chat.getByText('When is breakfast served?').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Next page' }).click();
      await page.getByRole('heading', { name: 'Page /', exact: true }).waitFor();
      await chat.getByText('When is breakfast served?').waitFor();
      attributes = () => '';
      expect(errors).toEqual([]);
    },
    testTimeoutMs,
  );

  it(
    'starts once if the tag is twice in the head, without async',
    async () => {
      const { page, errors } = await visit({ framework: 'none', tagIn: 'head' }, (path) =>
        tag(path).replace(' async', '').repeat(2),
      );
      await launcher(page).waitFor();
      expect(await launcher(page).count()).toBe(1);
      expect(errors).toEqual([]);
    },
    testTimeoutMs,
  );
});

declare function removeForeign(): void;

function launcher(page: Page): Locator {
  return page.getByRole('button', { name: /^(Open|Close) the chat/ });
}

function scrollTop(chat: Locator): Promise<number> {
  return chat.getByRole('region', { name: 'Conversation' }).evaluate((log) => log.scrollTop);
}

function hasFocusInField(page: Page): Promise<boolean> {
  return page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.id === 'message');
}

async function ask(chat: Locator, question: string): Promise<void> {
  await chat.getByLabel('Your question').fill(question);
  await chat.getByLabel('Your question').press('Enter');
}
