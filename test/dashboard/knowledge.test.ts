import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, type OpenPage } from '../support/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/dashboard.ts';

describe.skipIf(chromiumPath === undefined)('knowledge in the dashboard', () => {
  let test: DashboardTest;
  let owner: OpenPage;
  beforeAll(async () => {
    test = await startDashboardTest();
    owner = await test.member('owner@harbour.example', 'OWNER');
  });
  afterAll(() => test?.stop());

  const open = (path: string) =>
    owner.page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/${path}`);

  it('takes many files at once, and shows each become READY or why it did not', async () => {
    const { page } = owner;
    await open('knowledge');
    await page.getByLabel('Files to upload').setInputFiles([
      file('parking.md', '# Parking\n\nGuests park for free behind the house.'),
      file('pool.txt', 'The pool opens at seven in the morning and closes at nine.'),
      {
        name: 'picture.png',
        mimeType: 'image/png',
        buffer: Buffer.from('89504e470d0a1a0a00', 'hex'),
      },
      {
        name: 'broken.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF-1.7 nothing'),
      },
    ]);
    await page.getByText(/format is not supported/).waitFor();
    await page.getByRole('button', { name: 'Dismiss picture.png' }).click();
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
    await row('parking.md').getByText('READY').waitFor();
    await row('pool.txt').getByText('READY').waitFor();
    await row('broken.pdf').getByText('FAILED').waitFor();
    await page.getByRole('button', { name: 'Try broken.pdf again' }).click();
    await row('broken.pdf').getByText('FAILED').waitFor();
  });

  it('makes a document of a text, finds it as the assistant does, and opens it at the passage', async () => {
    const { page } = owner;
    await open('knowledge');
    await page.getByRole('button', { name: 'Write a document' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Breakfast');
    await page
      .getByRole('textbox', { name: 'Text' })
      .fill('# Breakfast\n\nOn Sundays breakfast is served until noon.');
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByRole('row', { name: /Breakfast/ })
      .getByText('READY')
      .waitFor();

    await page.getByRole('radiogroup', { name: 'View' }).getByText('Search').click();
    await page.getByLabel('Question').fill('Until when is breakfast served on Sundays?');
    await page.getByRole('button', { name: 'Search' }).click();
    const best = page.getByRole('list', { name: 'Results' }).getByRole('listitem').first();
    await best.getByText(/Score 0\.\d\d/).waitFor();
    expect(await best.locator('mark').allTextContents()).toContain('breakfast');
    await best.getByRole('link', { name: 'Breakfast' }).click();
    await page.locator('[aria-current="true"]').getByText('served until noon').waitFor();
  });

  it('deletes a document only when asked twice', async () => {
    const { page } = owner;
    await open('knowledge');
    await page.getByRole('button', { name: 'Delete pool.txt' }).click();
    await page.getByRole('button', { name: 'Keep' }).click();
    await page.getByRole('row', { name: /pool\.txt/ }).waitFor();
    await page.getByRole('button', { name: 'Delete pool.txt' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('row', { name: /pool\.txt/ }).waitFor({ state: 'detached' });
  });

  it('answers in the playground with sources that lead to their place, and shows the same as curl', async () => {
    const { page } = owner;
    await open('playground');
    await page.getByLabel('Message').fill('Where do guests park?');
    await page.getByLabel('Message').press('Enter');
    await page.getByText('Guests park for free behind the house').waitFor();
    await page.getByText(/Confidence \d+ %/).waitFor();
    await page.getByText(/^\d+ ms$/).waitFor();
    await page.getByText(/curl -N .*\/api\/v1\/chat/).waitFor();
    await page
      .getByRole('list', { name: 'Sources' })
      .getByRole('link', { name: 'parking.md' })
      .first()
      .click();
    await page.locator('[aria-current="true"]').getByText('park for free').waitFor();
    expect(owner.complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('collects what was not answered, and asks again once it was written down', async () => {
    const { page } = owner;
    await open('playground');
    await page.getByLabel('Message').fill('Do you lend umbrellas?');
    await page.getByLabel('Message').press('Enter');
    await page.getByText(/^\d+ ms$/).waitFor();
    await open('unanswered');
    const question = page.getByRole('listitem').filter({ hasText: 'Do you lend umbrellas?' });
    await question.getByRole('button', { name: 'Write the answer' }).click();
    await page
      .getByRole('textbox', { name: 'Text' })
      .fill('# Do you lend umbrellas?\n\nYes, we lend umbrellas at the front desk for free.');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/is being indexed/).waitFor();
    await open('knowledge');
    await page
      .getByRole('row', { name: /umbrellas/ })
      .getByText('READY')
      .waitFor();
    await open('unanswered');
    await question.getByRole('link', { name: 'Ask again' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/lend umbrellas at the front desk/).waitFor();
  });
});

function file(name: string, text: string) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
}
