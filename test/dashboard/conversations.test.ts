import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { giveFeedback } from '../../src/domain/feedback/give-feedback.ts';
import { restClient } from '../support/api/rest-client.ts';
import { addConversation } from '../support/conversations.ts';
import { chromiumPath, eventually } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';

describe.skipIf(chromiumPath === undefined)('the conversations page', () => {
  let test: DashboardTest;
  let rest: ReturnType<typeof restClient>;
  beforeAll(async () => {
    test = await startDashboardTest();
    rest = restClient(`${test.service.url}/api/v1`, await test.tenant.key());
  });
  // Closes the pages, because open pages keep rendering and slow down later tests.
  afterEach(async () => {
    for (const context of test.browser.contexts()) await context.close();
  });
  afterAll(() => test?.stop());

  const rows = (page: Page) => page.getByRole('table').getByRole('row');
  const rowOf = (page: Page, title: string) => rows(page).filter({ hasText: title });

  it('leads through filters in the URL to a transcript with its context', async () => {
    const { page, errors: complaints } = await test.member('ann@harbour.example', 'AGENT');
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByText('No conversations yet').waitFor();
    await page.getByRole('link', { name: 'Ask a question in the playground' }).waitFor();

    const { projectId } = test.tenant;
    const lastMessageAt = new Date('2026-01-01T12:00:00Z');
    for (let n = 1; n <= 60; n++) {
      const messages = [`Old question ${n}`, 'An old answer'];
      await addConversation(test.service, projectId, { messages, lastMessageAt });
    }
    const asked = await rest.post('/chat', { message: 'May I bring a dog?', endUserId: 'guest-7' });
    const { conversationId, messageId } = await asked.json();
    await giveFeedback(test.service.system, {
      projectId,
      messageId,
      rating: 'DOWN',
      comment: 'It did not say',
    });
    await rest.post('/handoff', { conversationId, name: 'Mira' });

    await page.reload();
    await rowOf(page, 'May I bring a dog?').waitFor();
    expect(await rows(page).count()).toBe(31);
    await page.getByRole('button', { name: 'Show more' }).click();
    await eventually(() => rows(page).count()).toBe(61);

    await page.getByLabel('Search in messages').fill('OLD QUESTION 42');
    await eventually(() => rows(page).count()).toBe(2);
    await rowOf(page, 'Old question 42').waitFor();
    expect(page.url()).toContain('search=OLD+QUESTION+42');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('End user').fill('guest-7');
    await eventually(() => rows(page).count()).toBe(2);
    await page.getByRole('combobox', { name: 'Feedback' }).click();
    await page.getByRole('option', { name: 'Rated good' }).click();
    await page.getByText('No conversation matches these filters').waitFor();
    await page.getByRole('combobox', { name: 'Feedback' }).click();
    await page.getByRole('option', { name: 'Rated bad' }).click();
    for (const [field, option] of [
      ['Status', 'Waiting for an agent'],
      ['Confidence', 'Below 30 %'],
      ['Handoff', 'With a handoff'],
      ['Channel', 'REST API'],
      ['Last message', 'Last 24 hours'],
    ] as const) {
      await page.getByRole('combobox', { name: field }).click();
      await page.getByRole('option', { name: option }).click();
    }
    const row = rowOf(page, 'May I bring a dog?');
    await row
      .getByText(/^Lowest confidence \d+ %, low$/)
      .last()
      .waitFor();
    await row.getByText('1 rated bad').last().waitFor();
    await row.getByText('REST API').last().waitFor();
    await page.reload();
    await page.setViewportSize({ width: 390, height: 844 });
    const filters = page.getByRole('button', { name: 'Filters (7)' });
    await filters.waitFor();
    expect(await page.getByRole('combobox', { name: 'Channel' }).isVisible()).toBe(false);
    await row.getByText('1 rated bad').first().waitFor();
    await filters.click();
    expect(await page.getByRole('combobox', { name: 'Channel' }).inputValue()).toBe('REST API');
    await page.setViewportSize({ width: 1280, height: 800 });
    await rowOf(page, 'May I bring a dog?').waitFor();
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe(
      'Waiting for an agent',
    );

    await page.getByRole('link', { name: 'May I bring a dog?' }).click();
    await page.getByText('Rated bad').waitFor();
    await page.getByText('“It did not say”').waitFor();
    await page.getByText(/^Confidence \d+ %, (low|fair|high)$/).waitFor();
    await page.getByText('guest-7').waitFor();
    await page.getByRole('link', { name: 'Open in the inbox' }).waitFor();
    await page.getByRole('link', { name: 'All conversations' }).click();
    expect(page.url()).toContain('rating=DOWN');
    await rowOf(page, 'May I bring a dog?').waitFor();
    expect(complaints).toEqual([]);
  });

  it('keeps saved views in the browser, and shows new conversations without a reload', async () => {
    const { projectId } = test.tenant;
    await addConversation(test.service, projectId, { messages: ['When does the ferry leave?'] });
    const { page, errors: complaints } = await test.member('kim@harbour.example', 'AGENT');
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByLabel('Search in messages').fill('ferry');
    await page.getByRole('button', { name: 'Save view' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Boats');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const views = page.getByRole('group', { name: 'Saved views' });
    await views.locator('[aria-current]').getByText('Boats').waitFor();

    await page.getByRole('button', { name: 'Rename view' }).click();
    await dialog.getByLabel('Name').fill('Ferries');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await views.locator('[aria-current]').getByText('Ferries').waitFor();
    expect(await views.getByRole('link').count()).toBe(1);

    await page.getByRole('button', { name: 'Clear filters' }).click();
    await eventually(() => views.locator('[aria-current]').count()).toBe(0);
    // From here on, only events reload the list.
    await page.addInitScript(() => {
      const start = window.setInterval.bind(window);
      Object.assign(window, {
        setInterval: (run: () => void, ms: number) => (ms === 15_000 ? 0 : start(run, ms)),
      });
    });
    await page.reload();
    await views.getByRole('link', { name: 'Ferries' }).click();
    await rowOf(page, 'When does the ferry leave?').waitFor();
    expect(await page.getByLabel('Search in messages').inputValue()).toBe('ferry');
    expect(await rows(page).count()).toBe(2);

    const asked = await rest.post('/chat', { message: 'Does the night ferry have cabins?' });
    const { conversationId } = await asked.json();
    await rows(page).nth(1).getByText('Does the night ferry have cabins?').waitFor();
    await rest.post('/chat', { conversationId, message: 'And the morning ferry?' });
    await rowOf(page, 'Does the night ferry').getByRole('cell', { name: '4' }).waitFor();

    await page.getByRole('button', { name: 'Delete view' }).click();
    await eventually(() => views.count()).toBe(0);
    await page.getByRole('button', { name: 'Save view' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('and the inbox show text from strangers as plain text', async () => {
    const { page, errors: complaints } = await test.member('eve@harbour.example', 'OWNER');
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const image = '<img src=x onerror="alert(1)">';
    const script = '<script>alert(2)</script>';
    const link = '[here](javascript:alert(3)) javascript:alert(4)';
    const name = `"><svg onload=alert(5)>`;
    const { projectId } = test.tenant;
    const conversationId = await addConversation(test.service, projectId, {
      title: image,
      endUserId: `${image}user`,
      messages: [`${image}${script}`, `${link} ${image}`],
    });
    const { id: messageId } = await test.service.system.db.message.findFirstOrThrow({
      where: { conversationId, role: 'ASSISTANT' },
    });
    const document = await rest.post('/knowledge/documents', {
      name: image,
      content: `${image} and ${script} are the words of this document.`,
    });
    const { id: documentId } = await document.json();
    await eventually(
      async () => (await (await rest.get(`/knowledge/documents/${documentId}`)).json()).status,
    ).toBe('READY');
    const { rows: chunks } = await test.service.ownerPool.query(
      'select id from grounded.chunks where document_id = $1',
      [documentId],
    );
    const citation = {
      documentId,
      documentName: image,
      chunkId: chunks[0]?.id,
      score: 1,
      quote: script,
      page: null,
      startOffset: 0,
      endOffset: 10,
    };
    await test.service.system.db.message.update({
      where: { id: messageId, projectId },
      data: { citations: [citation], confidence: 0.5 },
    });
    await giveFeedback(test.service.system, {
      projectId,
      messageId,
      rating: 'UP',
      comment: image,
    });
    await rest.post('/handoff', { conversationId, name, reason: image });

    const injected = () =>
      page
        .locator('#root img, body > img, svg[onload], a[href^="javascript:"], #root script')
        .count();
    await page.goto(`${test.service.url}/dashboard/${projectId}/inbox/${conversationId}`);
    const transcript = page.getByRole('log', { name: 'Transcript' });
    await transcript.getByText(link).waitFor();
    await transcript.getByText(script).first().waitFor();
    await page.getByRole('heading', { name: 'svg onload=alert(5)' }).waitFor();
    expect(await injected()).toBe(0);
    await transcript.getByRole('link', { name: image, exact: true }).first().click();
    await page.getByRole('dialog').locator('mark').getByText(script).waitFor();
    expect(await injected()).toBe(0);
    await page.goto(`${test.service.url}/dashboard/${projectId}/conversations`);
    await page.getByRole('link', { name: image }).waitFor();
    expect(await injected()).toBe(0);
    await page.getByRole('link', { name: image }).click();
    await transcript.getByText(link).waitFor();
    expect(await injected()).toBe(0);
    await rest.post('/handoff', {
      conversationId: (await (await rest.post('/chat', { message: image })).json()).conversationId,
      name,
      reason: script,
    });
    await page.getByText(`${name} asks for an agent`).waitFor();
    expect(await injected()).toBe(0);
    expect(dialogs).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
