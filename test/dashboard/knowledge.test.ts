import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDocuments } from '../support/knowledge.ts';
import { chromiumPath, eventually, type OpenPage } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';

describe.skipIf(chromiumPath === undefined)('the knowledge page', { timeout: 240_000 }, () => {
  let test: DashboardTest;
  let owner: OpenPage;
  let page: Page;
  beforeAll(async () => {
    test = await startDashboardTest();
    owner = await test.member('owner@harbour.example', 'OWNER');
    page = owner.page;
  }, 180_000);
  afterAll(() => test?.stop());

  /** Every test has its own empty project with the limits of the plan. */
  let projectId: string;
  beforeEach(async () => {
    await limit({ maxUploadBytes: null, storageBytes: null });
    const { organizationId } = test.tenant;
    await test.service.system.pool.query(
      'delete from grounded.storage_usage where organization_id = $1',
      [organizationId],
    );
    ({ id: projectId } = await test.service.system.db.project.create({
      data: {
        id: crypto.randomUUID(),
        organizationId: test.tenant.organizationId,
        name: 'Story',
      },
    }));
  });
  const open = (path = 'knowledge') =>
    page.goto(`${test.service.url}/dashboard/${projectId}/${path}`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const add = (contents: Record<string, string>) => addDocuments(test.service, projectId, contents);
  const limit = (data: { maxUploadBytes?: number | null; storageBytes?: number | null }) =>
    test.service.system.db.organization.update({
      where: { id: test.tenant.organizationId },
      data,
    });

  it('shows why a document waits, and retries all failed documents', async () => {
    const names = ['Sauna.md', 'Pool.md', 'Bar.md'];
    await add(Object.fromEntries(names.map((name) => [name, `${name} opens at seven.`])));
    const { document } = test.service.system.db;
    await document.updateMany({
      where: { projectId, name: { not: 'Bar.md' } },
      data: { status: 'FAILED', errorCode: 'EMBEDDING_ERROR', errorMessage: 'The model failed' },
    });
    await document.updateMany({
      where: { projectId, name: 'Bar.md' },
      data: { status: 'PROCESSING', waitingReason: 'The model server cannot be reached' },
    });
    await open();
    await row('Bar.md').getByText('model server cannot be reached').waitFor();
    await page.getByRole('button', { name: 'Retry 2 failed documents' }).click();
    await page.getByText('2 documents are being processed again').waitFor();
    await page.getByRole('button', { name: /failed document/ }).waitFor({ state: 'detached' });
    for (const name of ['Sauna.md', 'Pool.md']) await row(name).getByText('READY').waitFor();
  });

  it('uploads thirty dropped files, three at a time, and shows each become READY', async () => {
    await open();
    await page.getByText('No documents yet').waitFor();
    let running = 0;
    let most = 0;
    await page.route('**/dashboard/upload*', async (route) => {
      most = Math.max(most, ++running);
      const response = await route.fetch();
      running -= 1;
      await route.fulfill({ response });
    });
    const transfer = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      for (let n = 1; n <= 30; n++) {
        const text = `# Room ${n}\n\nRoom ${n} has a view of the sea.`;
        transfer.items.add(new File([text], `room ${n}.md`, { type: 'text/markdown' }));
      }
      return transfer;
    });
    await page.getByLabel('Upload files').dispatchEvent('drop', { dataTransfer: transfer });
    await page.getByText('30 of 30 uploaded').waitFor({ timeout: 120_000 });
    expect(most).toBe(3);
    await page.unrouteAll();
    await page.getByLabel('Status').selectOption('Ready');
    await page.getByText('30 documents').waitFor({ timeout: 60_000 });

    await page.getByRole('button', { name: 'Page 2' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(1 + 5);
    await page.getByLabel('Order').selectOption('By name');
    await page.getByRole('row').nth(1).getByText('room 1.md').waitFor();
    await page.getByLabel('Search in names').fill('ROOM 29');
    await page.getByText('1 document', { exact: true }).waitFor();
    await row('room 29.md').getByRole('link', { name: 'room 29.md', exact: true }).click();
    await page.getByRole('region', { name: 'Chunk 1' }).getByText('view of the sea').waitFor();
    await page.goBack();
    expect(await page.getByLabel('Search in names').inputValue()).toBe('ROOM 29');
    await page.getByText('1 document', { exact: true }).waitFor();
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it("rejects an unsupported or oversized file before upload, and names the plan's limit", async () => {
    await limit({ maxUploadBytes: 2_000 });
    await open();
    await page.getByText(/up to 2 kB each/).waitFor();
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().includes('/dashboard/upload')) sent += 1;
    });
    await choose(page, [
      file('picture.gif', 'GIF89a'),
      file('empty.txt', ''),
      file('broken.docx', 'no zip archive'),
      file('long.txt', 'word '.repeat(500)),
      file('<img src=x onerror=alert(1)>.exe', 'MZ'),
    ]);
    const failed = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await failed('picture.gif')
      .getByText(/Unsupported format. Supported formats: PDF, DOCX/)
      .waitFor();
    await failed('broken.docx').getByText('The file is damaged or incomplete').waitFor();
    await failed('empty.txt').getByText('The file is empty').waitFor();
    await failed('long.txt').getByText('Too large: the scale plan allows 2 kB per file').waitFor();
    await failed('onerror')
      .getByText(/Unsupported format/)
      .waitFor();
    await page.getByRole('button', { name: 'Dismiss picture.gif' }).click();
    await failed('picture.gif').waitFor({ state: 'detached' });
    expect(sent).toBe(0);
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('shows why the service rejected a file, uploads it again, and retries failed ingestion', async () => {
    await limit({ storageBytes: 40 });
    await open();
    await choose(page, [
      file('pool.txt', 'The pool opens at seven in the morning and closes at nine.'),
      file('broken.pdf', '%PDF-1.7 nothing'),
    ]);
    await page.getByText(/storage is used up/).waitFor();
    await limit({ storageBytes: null });
    await page.getByRole('button', { name: 'Upload pool.txt again' }).click();
    await row('pool.txt').getByText('READY').waitFor();
    await row('broken.pdf').getByText('FAILED').waitFor();
    await row('broken.pdf').getByText('The file is damaged or incomplete').waitFor();
    const attempt = async () =>
      (
        await test.service.system.db.document.findFirstOrThrow({
          where: { projectId, name: 'broken.pdf' },
        })
      ).attempt;
    const first = await attempt();
    await page.getByRole('button', { name: 'Try broken.pdf again' }).click();
    await eventually(attempt).toBeGreaterThan(first);
    await row('broken.pdf').getByText('FAILED').waitFor();
    expect(owner.errors.splice(0).filter((text) => !text.includes('402'))).toEqual([]);
  });

  it('shows upload progress, continues on other pages, confirms leaving, and can be cancelled', async () => {
    await open();
    const network = await page.context().newCDPSession(page);
    const conditions = { offline: false, latency: 0, downloadThroughput: -1 };
    await network.send('Network.emulateNetworkConditions', {
      ...conditions,
      uploadThroughput: 20_000,
    });
    await choose(page, [file('large.txt', 'The lighthouse. '.repeat(200_000))]);
    const progress = page.getByRole('progressbar', { name: 'Upload of large.txt' });
    const share = async () => Number(await progress.getAttribute('aria-valuenow'));
    await expect.poll(share, { timeout: 45_000 }).toBeGreaterThan(0);
    expect(await share()).toBeLessThan(100);

    const askedBeforeLeaving = async () => {
      const asked = page.waitForEvent('dialog');
      await page.evaluate(() => setTimeout(() => location.reload()));
      const question = await asked;
      expect(question.type()).toBe('beforeunload');
      await question.dismiss();
    };
    await askedBeforeLeaving();

    // Uploads to the second project finish before the uploads to the first project.
    await page.getByRole('combobox', { name: 'Project' }).click();
    await page.getByRole('option', { name: 'Front desk' }).click();
    await page.getByRole('heading', { name: 'Get started' }).waitFor();
    await page.getByRole('link', { name: 'Knowledge', exact: true }).click();
    await choose(page, [file('small.txt', 'The pier is short.')]);
    await page.getByText('1 of 1 uploaded').waitFor();
    await askedBeforeLeaving();
    await page.goBack();
    await page.getByRole('heading', { name: 'Get started' }).waitFor();
    await page.goBack();
    await progress.waitFor();
    await page.getByRole('button', { name: 'Cancel the upload of large.txt' }).click();
    await progress.waitFor({ state: 'detached' });
    await network.send('Network.emulateNetworkConditions', {
      ...conditions,
      uploadThroughput: -1,
    });
    await page.reload();
    await page.getByText('No documents yet').waitFor();
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('creates a document from text, finds it as the assistant does, and opens it at the passage', async () => {
    await open();
    await page.getByRole('button', { name: 'Write a document' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Breakfast');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Enter some text').waitFor();
    await page.getByRole('textbox', { name: 'Text' }).fill('Breakfast\u0000');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog').getByText('Must not contain NUL characters').waitFor();
    await page
      .getByRole('textbox', { name: 'Text' })
      .fill('# Breakfast\n\nOn Sundays breakfast is served until noon.');
    await page.getByRole('button', { name: 'Create' }).click();
    await row('Breakfast.md').getByText('READY').waitFor();
    await page.getByRole('button', { name: 'Write a document' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Breakfast');
    await page.getByText('A document with this name already exists').waitFor();
    await page.keyboard.press('Escape');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Write a document');

    // When the page's filters change, the draft stays. Before leaving the page, the user must confirm.
    await page.getByLabel('Search in names').fill('break');
    await page.waitForURL(/search=break/);
    await page.getByRole('link', { name: 'Knowledge' }).click();
    await expect.poll(() => page.getByLabel('Search in names').inputValue()).toBe('');
    await page.getByRole('radiogroup', { name: 'View' }).getByText('Search').click();
    await page.getByLabel('Question').fill('Until when are breakfasts served on Sundays?');
    await page.getByLabel('Question').press('Enter');
    await page.getByText('The assistant would answer from the first passage').waitFor();
    await page.getByText(/1 passage in [\d.]+ m?s/).waitFor();
    const best = page.getByRole('list', { name: 'Results' }).getByRole('listitem').first();
    await best.getByText(/Score 0\.\d\d/).waitFor();
    await best.getByText('Used as context').waitFor();
    expect(await best.locator('mark').allTextContents()).toEqual([
      'Breakfast',
      'Sundays',
      'breakfast',
      'served',
      'until',
    ]);
    await best.getByRole('link', { name: 'Breakfast.md' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Write a document' }).click();
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    expect(await name.inputValue()).toBe('Breakfast');
    await page.keyboard.press('Escape');
    await best.getByRole('link', { name: 'Breakfast.md' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.locator('[aria-current="true"]').getByText('served until noon').waitFor();
    await page.goBack();
    await best.getByText(/Score 0\.\d\d/).waitFor();
    await page.getByLabel('Question').fill('Who won the world cup in 1954?');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('The assistant would say that it does not know').waitFor();
    await page.goBack();
    await expect
      .poll(() => page.getByLabel('Question').inputValue())
      .toBe('Until when are breakfasts served on Sundays?');
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('opens a long document at the cited chunk, and pages in both directions', async () => {
    const [document] = await add({
      'rules.txt': Array.from(
        { length: 90 },
        (_, n) => `Rule ${n}. ${'Be kind. '.repeat(60)}`,
      ).join('\n\n'),
    });
    const chunk = await test.service.ownerPool.query<{ id: string }>(
      'select id from grounded.chunks where project_id = $1 and position = 40',
      [projectId],
    );
    await open(`knowledge/${document?.id}/${chunk.rows[0]?.id}`);
    const cited = page.locator('[aria-current="true"]');
    await cited.getByText('Chunk 41', { exact: false }).waitFor();
    await expect
      .poll(async () => {
        const box = await cited.boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= 800;
      })
      .toBe(true);
    await page.getByRole('button', { name: 'Show earlier' }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await page.getByRole('region', { name: 'Chunk 9', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show earlier' }).click();
    await page.getByRole('region', { name: 'Chunk 1', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Show earlier' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('region', { name: 'Chunk 80', exact: true }).waitFor();

    await open(`knowledge/${document?.id}/${crypto.randomUUID()}`);
    await page.getByText('The cited passage no longer exists').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/This deletes rules\.txt, its original and its \d+ chunks/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No documents yet').waitFor();
    await open(`knowledge/${document?.id}`);
    await page.getByText('Document not found').waitFor();
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('deletes a document only after confirmation', async () => {
    await add({ 'pool.txt': 'The pool opens at seven.', 'sauna.txt': 'The sauna is hot.' });
    await open();
    await page.getByRole('button', { name: 'Delete pool.txt' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await row('pool.txt').waitFor();
    await page.getByRole('button', { name: 'Delete pool.txt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row('pool.txt').waitFor({ state: 'detached' });
    await row('sauna.txt').waitFor();
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('shows names, texts and questions as plain text', async () => {
    const evil =
      '<img src=x onerror="window.hacked=1"> </script><script>window.hacked=1</script> [x](javascript:window.hacked=1)';
    const [document] = await add({ [evil]: `# ${evil}\n\nThe code of the lift is 4711 ${evil}` });
    await open();
    await page.getByRole('link', { name: evil, exact: true }).waitFor();
    await page.getByRole('button', { name: `Delete ${evil}` }).click();
    await page.getByRole('dialog').getByText('onerror').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await open(`knowledge/${document?.id}`);
    await page.getByRole('heading', { name: evil }).waitFor();
    await page.getByRole('region', { name: 'Chunk 1' }).getByText('4711').waitFor();
    const query = `What is the code of the lift? ${evil}`;
    await open(`knowledge?${new URLSearchParams({ view: 'search', query })}`);
    await page.locator('mark').getByText('lift').first().waitFor();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(await page.locator('main img, main script, a[href^="javascript:"]').count()).toBe(0);
    expect(owner.errors.splice(0)).toEqual([]);
  });

  it('shows viewers the documents, and no actions that they may not use', async () => {
    await add({ 'pool.txt': 'The pool opens at seven.' });
    const viewer = await test.member('viewer@harbour.example', 'VIEWER');
    await viewer.page.goto(`${test.service.url}/dashboard/${projectId}/knowledge`);
    await viewer.page.getByRole('link', { name: 'pool.txt', exact: true }).click();
    await viewer.page.getByText('opens at seven').waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await viewer.page.getByRole('link', { name: 'All documents' }).click();
    await viewer.page.getByRole('link', { name: 'pool.txt', exact: true }).waitFor();
    expect(await viewer.page.getByLabel('Upload files').count()).toBe(0);
    expect(await viewer.page.getByRole('button', { name: /Delete|Write/ }).count()).toBe(0);
    expect(viewer.errors).toEqual([]);
  });
});

const choose = (page: Page, files: readonly ReturnType<typeof file>[]) =>
  page.getByLabel('Files to upload').setInputFiles([...files]);

function file(name: string, text: string) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(text, 'latin1') };
}
