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

  it(
    'is designed in the dashboard, beside the widget itself',
    async () => {
      const { projectId } = test.tenant;
      const { db } = test.service.system;
      const stored = () => db.widget.findUniqueOrThrow({ where: { projectId } });
      const { page, errors } = await test.member('olga@harbour.example', 'OWNER');
      await page.route('https://www.harbour.example/logo.svg', (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body: logo }),
      );
      await page.goto(`${test.service.url}/dashboard/${projectId}/settings/widget`);
      const preview = page.frameLocator('iframe[title="Preview of the widget"]');
      const chat = preview.getByRole('dialog', { name: 'Ask the harbour' });
      await chat.waitFor();
      await chat.getByRole('button', { name: 'Where may I park?' }).waitFor();

      await page.getByText('Black text on this color: 15.9:1').waitFor();
      await page.getByLabel('Color', { exact: true }).fill('#0f766e');
      await page.getByText('White text on this color: 5.5:1').waitFor();
      await page.getByLabel('Title').fill('Ask the crew');
      await page.getByLabel('Logo').fill('https://www.harbour.example/logo.svg');
      await page.getByLabel('Right').check();
      await page.getByLabel('AI notice').fill('A machine answers.');
      await page.getByLabel('Starter question 2').fill('');
      const changed = preview.getByRole('dialog', { name: 'Ask the crew' });
      await changed.getByText('A machine answers.').waitFor();
      await eventually(() => changed.locator('img').evaluate(isLoaded)).toBe(true);
      expect(await changed.getByRole('button', { name: 'Where may I park?' }).count()).toBe(0);
      expect((await stored()).title).toBe('Ask the harbour');
      expect(await seriousViolations(page)).toEqual([]);

      await page.getByLabel('Logo').fill('http://www.harbour.example/logo.svg');
      await page.getByRole('button', { name: 'Save the look' }).click();
      await page.getByText('Enter an address with https://').waitFor();
      await page.getByLabel('Logo').fill('');
      await page.getByLabel('AI notice').fill('');
      await page.route('**/graphql', (route) => route.abort());
      await page.getByRole('button', { name: 'Save the look' }).click();
      await page.getByRole('alert').filter({ hasText: 'The look was not saved' }).waitFor();
      await page.unroute('**/graphql');
      await page.getByRole('button', { name: 'Save the look' }).click();
      await page.getByText('Saved', { exact: true }).waitFor();
      expect(await page.getByText('The look was not saved').count()).toBe(0);
      expect(await stored()).toMatchObject({
        title: 'Ask the crew',
        color: '#0f766e',
        position: 'RIGHT',
        logoUrl: null,
        starterQuestions: [question],
        aiNotice: null,
      });
      expect(errors.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
    },
    testTimeoutMs,
  );
});

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="20"/></svg>';

function isLoaded(image: Element): boolean {
  return image instanceof HTMLImageElement && image.naturalWidth > 0;
}

/** Returns the side of the page where the launcher is, and its colors. */
function placeOf(page: Page) {
  return page.locator('.launcher').evaluate((launcher) => {
    const { left, right } = launcher.getBoundingClientRect();
    const { backgroundColor, color } = getComputedStyle(launcher);
    const side = left < window.innerWidth - right ? 'left' : 'right';
    return { side, color: backgroundColor, text: color };
  });
}
