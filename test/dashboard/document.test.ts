import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDocuments } from '../support/knowledge.ts';
import { chromiumPath, type OpenPage } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';

describe.skipIf(chromiumPath === undefined)('the page of a document', { timeout: 240_000 }, () => {
  let test: DashboardTest;
  let owner: OpenPage;
  let page: Page;
  beforeAll(async () => {
    test = await startDashboardTest();
    owner = await test.member('owner@harbour.example', 'OWNER');
    page = owner.page;
  }, 180_000);
  afterAll(() => test?.stop());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const open = async (name: string, opened = page) => {
    const { projectId } = test.tenant;
    const { id } = await test.service.system.db.document.findFirstOrThrow({
      where: { projectId, name },
    });
    await opened.goto(`${test.service.url}/dashboard/${projectId}/knowledge/${id}`);
    await opened.getByRole('heading', { name }).waitFor();
    return id;
  };
  const download = async () => {
    const started = page.waitForEvent('download');
    await button('Download').click();
    const file = await started;
    return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')];
  };

  it('edits the details and the text of a written document, and downloads it', async () => {
    const text = '# Sauna\n\nThe sauna opens at seven.';
    await addDocuments(test.service, test.tenant.projectId, { 'Sauna.md': text });
    await open('Sauna.md');
    await button('Edit the details').click();
    const details = page.getByRole('dialog', { name: 'Edit the details' });
    await details.getByLabel('Source URL').fill('sauna');
    await details.getByLabel('Tags').fill('spa');
    await page.keyboard.press('Enter');
    await details.getByLabel('Metadata').fill('[1]');
    await details.getByRole('button', { name: 'Save' }).click();
    await details.getByText('Enter a JSON object').waitFor();
    await details.getByLabel('Metadata').fill('{ "floor": 2, "open": true }');
    await details.getByRole('button', { name: 'Save' }).click();
    await details.getByText('Must be an address that starts with http').waitFor();
    await details.getByLabel('Source URL').fill('https://hotel.example/sauna');
    await details.getByRole('button', { name: 'Save' }).click();
    await details.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'https://hotel.example/sauna' }).waitFor();
    for (const shown of ['spa', 'floor', '2', 'true'])
      await page.getByText(shown, { exact: true }).waitFor();

    expect(await download()).toEqual(['Sauna.md', text]);
    await button('Edit the text').click();
    const dialog = page.getByRole('dialog', { name: 'Edit Sauna.md' });
    expect(await dialog.getByLabel('Text').inputValue()).toBe(text);
    await dialog.getByLabel('Text').fill('# Sauna\n\nThe sauna opens at nine.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('opens at seven').waitFor({ state: 'detached' });
    await page.getByText('The sauna opens at nine.').waitFor();
    await page.getByText('spa', { exact: true }).waitFor();
    expect(owner.errors).toEqual([]);
  });

  it('replaces an uploaded file, and says why a file is refused', async () => {
    await page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/knowledge`);
    const file = (name: string, text: string) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    });
    await page.getByLabel('Files to upload').setInputFiles(file('Pool.txt', 'The pool is cold.'));
    await page.getByRole('row').filter({ hasText: 'Pool.txt' }).getByText('READY').waitFor();
    const id = await open('Pool.txt');
    const choose = async (chosen: ReturnType<typeof file>) => {
      const chooser = page.waitForEvent('filechooser');
      await button('Replace').click();
      await (await chooser).setFiles(chosen);
    };
    await choose(file('Pool.xyz', 'The pool is warm.'));
    await page.getByText('Pool.txt was not replaced').waitFor();
    await choose(file('Pool.txt', 'The pool is warm.'));
    await page.getByText('The pool is warm.').waitFor();
    // If the input kept its value, the browser would ignore the same file when a user chooses it again.
    expect(await page.locator('input[type=file]').inputValue()).toBe('');
    expect(await open('Pool.txt')).toBe(id);
    expect(await download()).toEqual(['Pool.txt', 'The pool is warm.']);
  });

  it('can be read and downloaded, but not changed, by an agent', async () => {
    const agent = await test.member('agent@harbour.example', 'AGENT');
    await open('Sauna.md', agent.page);
    const names = await agent.page.getByRole('main').getByRole('button').allInnerTexts();
    expect(names).toEqual(['Download']);
  });
});
