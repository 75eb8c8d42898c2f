import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateWidget } from '../../src/domain/widget/widgets.ts';
import { makeWidget } from '../support/api/visitor-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import {
  chromiumPath,
  eventually,
  openWindow,
  seriousViolations,
} from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { type HostPage, startHostPage } from '../support/pages/host-page.ts';

const testTimeoutMs = 300_000;
const question = 'When is breakfast served?';

describe.skipIf(chromiumPath === undefined)('the look of the widget', () => {
  let test: DashboardTest;
  let host: HostPage;
  let key: string;
  let attributes = '';
  beforeAll(async () => {
    test = await startDashboardTest();
    host = await startHostPage(test.service.url, () => `data-key="${key}" ${attributes}`);
    const { projectId } = test.tenant;
    key = await makeWidget(test.service, projectId, [host.url, test.service.url]);
    await updateWidget(test.service.system, {
      projectId,
      look: {
        title: 'Ask the harbour',
        greeting: 'Ahoy!',
        color: '#fde047',
        position: 'LEFT',
        starterQuestions: [question, 'Where may I park?'],
      },
    });
    await addDocuments(test.service, projectId, {
      'Guest guide': 'Breakfast is served from seven to ten in the winter garden.',
    });
  }, testTimeoutMs);
  afterAll(async () => {
    await host?.stop();
    await test?.stop();
  });

  it(
    'appears at once on every page, and a starter question asks',
    async () => {
      const { page, errors } = await openWindow(test.browser);
      const launcher = page.getByRole('button', { name: 'Open the chat' });
      const release = Promise.withResolvers<void>();
      await page.route('**/look', async (route) => {
        await release.promise;
        await route.continue();
      });
      await page.goto(host.url);
      await page.waitForFunction(() => 'GroundedChat' in window);
      expect(await launcher.isVisible()).toBe(false);
      release.resolve();
      await launcher.waitFor();
      expect(await placeOf(page)).toEqual({
        side: 'left',
        color: 'rgb(253, 224, 71)',
        text: 'rgb(0, 0, 0)',
      });

      await page.route('**/look', (route) => route.abort());
      await page.reload();
      await launcher.waitFor();
      expect(await placeOf(page)).toMatchObject({ side: 'left', color: 'rgb(253, 224, 71)' });
      await launcher.click();
      const chat = page.getByRole('dialog', { name: 'Ask the harbour' });
      await chat.getByText('Ahoy!').waitFor();
      expect(await page.getByRole('banner').count()).toBe(0);
      expect(await seriousViolations(page)).toEqual([]);
      await chat.getByRole('button', { name: question }).click();
      await chat.getByText('from seven to ten').first().waitFor();
      await eventually(() =>
        chat.getByRole('button', { name: 'Where may I park?' }).isVisible(),
      ).toBe(false);
      await eventually(() =>
        page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.id),
      ).toBe('message');
      expect(errors.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
      await page.context().close();
    },
    testTimeoutMs,
  );

  it(
    'comes from the tag where the tag says something',
    async () => {
      attributes =
        'data-title="Ask this page" data-color="#0f766e" data-position="right" data-logo-url="/logo.svg"';
      const { page } = await openWindow(test.browser);
      await page.goto(host.url);
      attributes = '';
      await page.getByRole('button', { name: 'Open the chat' }).click();
      const chat = page.getByRole('dialog', { name: 'Ask this page' });
      await chat.getByText('Ahoy!').waitFor();
      expect(await placeOf(page)).toEqual({
        side: 'right',
        color: 'rgb(15, 118, 110)',
        text: 'rgb(255, 255, 255)',
      });
      const logo = chat.locator('img');
      expect(await logo.getAttribute('src')).toBe('/logo.svg');
      expect(await logo.getAttribute('referrerpolicy')).toBe('no-referrer');
      await page.context().close();
    },
    testTimeoutMs,
  );
});

/** Returns the side of the page where the launcher is, and its colors. */
function placeOf(page: Page) {
  return page.locator('.launcher').evaluate((launcher) => {
    const { left, right } = launcher.getBoundingClientRect();
    const { backgroundColor, color } = getComputedStyle(launcher);
    const side = left < window.innerWidth - right ? 'left' : 'right';
    return { side, color: backgroundColor, text: color };
  });
}
