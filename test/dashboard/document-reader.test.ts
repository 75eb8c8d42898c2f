import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSql } from '../../src/platform/postgres/run-sql.ts';
import { addDocuments } from '../support/knowledge.ts';
import {
  chromiumPath,
  eventually,
  type OpenPage,
  seriousViolations,
} from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';

const evil = '<img src=x onerror="window.hacked=1"> <script>window.hacked=1</script>';
const sections = Array.from(
  { length: 120 },
  (_, n) => `## Rule ${n + 1}\n\n${`Guests of room ${n + 1} may bring one umbrella. `.repeat(12)}`,
);
const text = `# House rules\n\n\`\`\`\n${evil}\n\`\`\`\n\n${sections.join('\n\n')}`;

describe.skipIf(chromiumPath === undefined)('the text of a document', { timeout: 240_000 }, () => {
  let test: DashboardTest;
  let owner: OpenPage;
  let page: Page;
  let documentId: string;
  let chunks: { id: string; position: number; content: string }[];
  const urlOf = (path: string) =>
    `${test.service.url}/dashboard/${test.tenant.projectId}/knowledge/${path}`;
  const passages = () => page.locator('main p[dir="auto"]');

  beforeAll(async () => {
    test = await startDashboardTest();
    const added = await addDocuments(test.service, test.tenant.projectId, { 'Rules.md': text });
    documentId = added[0]?.id ?? '';
    const { pool } = test.service.system;
    await runSql(pool, 'update grounded.chunks set page = 1 + position / 10', []);
    chunks = await runSql(
      pool,
      'select id, position, content from grounded.chunks order by position',
      [],
    );
    owner = await test.member('owner@harbour.example', 'OWNER');
    page = owner.page;
  }, 180_000);
  afterAll(() => test?.stop());

  it('opens from the list at its start, and loads more on the way down', async () => {
    await page.goto(urlOf(''));
    await page.getByRole('link', { name: 'Read Rules.md' }).click();
    await page.getByRole('heading', { name: 'Rules.md' }).waitFor();
    await page.getByText('<img src=x onerror').waitFor();
    expect(await page.title()).toBe('Rules.md · grounded-chat');
    expect(await passages().count()).toBeLessThan(chunks.length);
    await eventually(async () => {
      await page.keyboard.press('End');
      return page.getByText('End of the document').count();
    }).toBe(1);
    expect(await passages().allTextContents()).toEqual(chunks.map(({ content }) => content));
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('highlights the cited passage and shows it, also after a reload and with the back button', async () => {
    const chunk = chunks[90];
    const quote = chunk?.content.slice(20, 70) ?? '';
    const isShown = async () => {
      const mark = page.locator('[aria-current="true"] mark');
      await mark.waitFor();
      expect(await mark.textContent()).toBe(quote);
      await eventually(() =>
        mark.evaluate((element) => element.getBoundingClientRect().top),
      ).toBeLessThan(800);
      expect(await mark.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThan(
        0,
      );
      expect(await page.evaluate(() => document.activeElement?.ariaCurrent)).toBe('true');
    };
    await page.goto(
      `${urlOf(`${documentId}/text/${chunk?.id}`)}#${new URLSearchParams({ quote })}`,
    );
    await isShown();
    await page.reload();
    await isShown();
    const first = await passages().first().textContent();
    await page.getByRole('button', { name: 'Show earlier text' }).click();
    await eventually(() => passages().first().textContent()).not.toBe(first);
    await page.getByRole('link', { name: 'Details of the document' }).click();
    await page.getByRole('link', { name: 'Read the text' }).waitFor();
    await page.goBack();
    await isShown();
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('starts at a page', async () => {
    await page.goto(urlOf(`${documentId}/text?page=3`));
    await page.getByText('Page 3', { exact: true }).waitFor();
    expect(await passages().first().textContent()).toBe(chunks[20]?.content);
    await page.getByLabel('Page', { exact: true }).fill('999');
    await page.keyboard.press('Enter');
    await page.getByText('No page 999').waitFor();
    await page.getByRole('link', { name: 'Read from the start' }).click();
    await page.getByText('Page 1', { exact: true }).waitFor();
    await page.goBack();
    await page.getByText('No page 999').waitFor();
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('says that a document is unknown, and that a passage no longer exists', async () => {
    const stranger = await test.service.createTenant();
    const [foreign] = await addDocuments(test.service, stranger.projectId, { Secret: 'A secret.' });
    for (const id of [foreign?.id, '0198c0de-0000-7000-8000-000000000000', "'%3Cb%3E"]) {
      await page.goto(urlOf(`${id}/text`));
      await eventually(() => page.locator('main').textContent()).toContain('Document not found');
    }
    await page.goto(urlOf(`${documentId}/text/0198c0de-0000-7000-8000-000000000000`));
    await page.getByText('The cited passage no longer exists').waitFor();
    await page.getByText('<img src=x onerror').waitFor();
    const project = `${test.service.url}/dashboard/${stranger.projectId}`;
    await page.goto(`${project}/knowledge/${foreign?.id}/text`);
    await page.getByText('Page not found').waitFor();
  });

  it('fits a phone and is accessible with a cited passage', async () => {
    const quote = chunks[40]?.content.slice(0, 30) ?? '';
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(
        `${urlOf(`${documentId}/text/${chunks[40]?.id}`)}#${new URLSearchParams({ quote })}`,
      );
      await page.locator('mark').waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(scrollWidth).toBeLessThanOrEqual(390);
      const folder = process.env.READER_SCREENSHOTS;
      if (folder) await page.screenshot({ path: `${folder}/reader-${colorScheme}.png` });
    }
  });
});
