import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDocuments } from '../support/knowledge.ts';
import { chromiumPath, eventually, type OpenPage } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';

describe.skipIf(chromiumPath === undefined)('many documents', { timeout: 120_000 }, () => {
  let test: DashboardTest;
  let owner: OpenPage;
  let page: Page;
  let projectId: string;
  beforeAll(async () => {
    test = await startDashboardTest();
    owner = await test.member('owner@harbour.example', 'OWNER');
    page = owner.page;
    ({ projectId } = test.tenant);
    await addDocuments(test.service, projectId, {
      'pool.md': 'The pool opens at seven.',
      'bar.md': 'The bar closes at ten.',
      'menu.txt': 'Soup costs five euros.',
    });
  }, 180_000);
  afterAll(() => test?.stop());

  const open = (query = '') =>
    page.goto(`${test.service.url}/dashboard/${projectId}/knowledge${query}`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
  const selection = () => page.getByRole('region', { name: 'Selection' });
  const dialog = () => page.getByRole('dialog');

  it('tags, filters, retries and deletes the selected documents', async () => {
    await test.service.system.db.document.updateMany({
      where: { projectId, name: 'bar.md' },
      data: { status: 'FAILED', errorCode: 'EMBEDDING_ERROR', errorMessage: 'The model failed' },
    });
    await open();
    await select('pool.md').focus();
    await page.keyboard.press('Space');
    await selection().getByRole('status').getByText('1 document selected').waitFor();
    await select('bar.md').check();
    await page.getByRole('button', { name: 'Add tag' }).click();
    await dialog().getByLabel('Tag').fill('guests');
    await page.keyboard.press('Enter');
    await page.getByText('Tags of 2 documents changed').waitFor();
    await page.getByRole('button', { name: 'Retry 1 failed', exact: true }).click();
    await row('bar.md').getByText('READY').waitFor();

    await row('pool.md')
      .getByRole('button', { name: /with the tag guests/ })
      .click();
    await page.waitForURL(/tag=guests/);
    await row('menu.txt').waitFor({ state: 'detached' });
    await open('?type=txt');
    await row('pool.md').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Type', { exact: true }).inputValue()).toBe('txt');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row('pool.md').waitFor();

    await page.getByRole('checkbox', { name: 'Select all shown documents' }).check();
    await selection().getByText('3 documents selected').waitFor();
    await select('menu.txt').uncheck();
    await selection().getByRole('button', { name: 'Delete' }).click();
    await dialog()
      .getByText(/This deletes 2 documents .*(bar|pool)\.md/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Delete 2 documents' }).click();
    await page.getByText('2 documents deleted').waitFor();
    await row('pool.md').waitFor({ state: 'detached' });
    await row('menu.txt').waitFor();
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('offers to replace the earlier document when a file is uploaded twice, also after a reload', async () => {
    await open();
    const text = 'Towels are in the hall.';
    const upload = async (name: string) =>
      page.getByLabel('Files to upload').setInputFiles({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(text),
      });
    await upload('towels.txt');
    await row('towels.txt').getByText('READY').waitFor();

    await upload('towels, new.txt');
    await page.getByText('Same content as towels.txt').waitFor();
    await page.reload();
    await page.getByText('Same content as towels.txt').waitFor();
    expect(await findPageViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Replace towels.txt with towels, new.txt' }).click();
    await page.getByText('towels.txt was replaced').waitFor();
    const names = async () => {
      const documents = await test.service.system.db.document.findMany({
        where: { projectId, deletedAt: null, name: { startsWith: 'towels' } },
      });
      return documents.map(({ name, version }) => `${name} ${version}`);
    };
    await eventually(names).toEqual(['towels, new.txt 2']);

    await upload('towels, copy.txt');
    await page.getByText('Same content as towels, new.txt').waitFor();
    await page.getByRole('link', { name: 'towels, copy.txt', exact: true }).click();
    await page.getByRole('button', { name: /^Keep both/ }).click();
    await page.getByText('Same content as').waitFor({ state: 'detached' });
    await open();
    await row('towels, copy.txt').waitFor();
    expect(await page.getByText('Same content as').count()).toBe(0);
    expect(await names()).toHaveLength(2);
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('is accessible with a selection and all filters, on large and small screens', async () => {
    const { db } = test.service.system;
    const source = { kind: 'WEBSITE', name: 'Help center of the harbour', config: {} } as const;
    const { id: sourceId } = await db.source.create({
      data: { id: crypto.randomUUID(), projectId, ...source },
    });
    const warnings = [{ code: 'COMMENTS', message: 'Comments were left out.' }];
    const data = { tags: ['guests', 'prices of the season'], sourceId, warnings };
    await db.document.updateMany({ where: { projectId, name: 'menu.txt' }, data });
    for (const size of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      await open(`?source=${sourceId}&warnings=with`);
      await page.getByText('1 document', { exact: true }).waitFor();
      await select('menu.txt').check();
      expect(await findPageViolations(page)).toEqual([]);
    }
    expect(owner.errors.splice(0)).toEqual([]);
  });
});
