import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setModelPrices } from '../../src/domain/cost/model-prices.ts';
import { claimHandoff } from '../../src/domain/handoff/claim-handoff.ts';
import { replyToConversation } from '../../src/domain/handoff/reply-to-conversation.ts';
import { requestHandoff } from '../../src/domain/handoff/request-handoff.ts';
import { resolveHandoff } from '../../src/domain/handoff/resolve-handoff.ts';
import { createDocument } from '../../src/domain/knowledge/create-document.ts';
import { restClient } from '../support/api/rest-client.ts';
import { chromiumPath, eventually } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { endUsers } from '../support/pages/inbox-page.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';

describe.skipIf(chromiumPath === undefined)('the analytics page', () => {
  let test: DashboardTest;
  beforeAll(async () => {
    test = await startDashboardTest();
  });
  afterAll(() => test?.stop());

  it('is empty at first, and then shows figures, charts, tables, the worst answers and a CSV file', async () => {
    const { projectId } = test.tenant;
    const { system, url } = test.service;
    const { page, errors } = await test.member('viewer@harbour.example', 'VIEWER');
    await page.goto(`${url}/dashboard/${projectId}/analytics`);
    await page.getByText('No conversations in this period').waitFor();

    const users = endUsers(restClient(`${url}/api/v1`, await test.tenant.key()));
    const conversationId = await users.ask('Who built the <b>lighthouse</b>?');
    await users.ask('Who built the harbour?');
    const { id: handoffId } = await requestHandoff(system, { projectId, conversationId });
    await claimHandoff(system, { handoffId });
    await replyToConversation(system, { conversationId, content: 'A captain' });
    await resolveHandoff(system, { handoffId });
    const { organizationId } = test.tenant;
    const price = { model: 'large', kind: 'INPUT', perMillion: 2.5, currency: 'EUR' } as const;
    await setModelPrices(system, { organizationId, prices: [price] });
    test.service.adapters.tokenCounter.add(projectId, [
      { model: 'large', kind: 'INPUT', tokens: 2_000_000 },
      { model: 'small', kind: 'INPUT', tokens: 70 },
    ]);
    await page.reload();
    const figure = (name: string) => page.getByRole('group', { name, exact: true });
    await figure('Conversations').getByText('2', { exact: true }).waitFor();
    await figure('Conversations').getByText('0 before').waitFor();
    await figure('Without a person').getByText('50 %', { exact: true }).waitFor();
    await figure('Handoff rate').getByText('50 %', { exact: true }).waitFor();
    await figure('First reply')
      .getByText(/median; 95th percentile/)
      .waitFor();

    await figure('Latency')
      .getByText(/median; 95 % of answers finished within \d/)
      .waitFor();
    await figure('Latency per day').waitFor();
    await figure('Cost').getByText('EUR 5.00').waitFor();
    await figure('Cost')
      .getByText(/^EUR\s2\.50 per answer/)
      .waitFor();
    const costs = page.getByRole('group', { name: 'Cost by model' });
    await costs.getByRole('row', { name: 'large, input 2,000,000 EUR 5.00' }).waitFor();
    await costs.getByRole('row', { name: 'small, input 70 no price' }).waitFor();
    const worst = page.getByRole('region', { name: 'Worst answers' });
    expect(await worst.getByRole('link', { name: 'Unanswered' }).getAttribute('href')).toBe(
      `/dashboard/${projectId}/unanswered`,
    );

    const chart = page.getByRole('group', { name: 'Conversations per day' });
    await chart.getByText('Show as a table').click();
    const today = new Date().toISOString().slice(0, 10);
    await chart.getByRole('row', { name: `${today} 1 1` }).waitFor();
    expect(await chart.getByRole('row').count()).toBe(31);
    const hours = page.getByRole('group', { name: 'Questions by hour' });
    await hours.getByText('time zone UTC').waitFor();
    await page
      .getByRole('group', { name: 'Requests by agent' })
      .getByRole('row', { name: /^service 1 1 .* – *$/ })
      .waitFor();
    await page
      .getByRole('group', { name: 'Conversations by label' })
      .getByText('No conversation of this period has a label.')
      .waitFor();
    const topics = page.getByRole('group', { name: 'Answers by topic' });
    await topics.getByText(/No answer of this period cites a document with a tag/).waitFor();
    expect(await findPageViolations(page)).toEqual([]);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`analytics-${today}.csv`);
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(lines).toHaveLength(32);
    expect(lines[0]).toMatch(/^day,conversations,deflected,handedOver,answers,/);
    expect(lines[0]).toMatch(/,cost,currency$/);
    expect(lines[30]).toMatch(new RegExp(`^${today},2,1,1,2,.*,5\\.000000,EUR$`));

    const { id: documentId } = await createDocument(system, {
      ...{ projectId, name: 'Boats.md', content: 'Boats for rent.', tags: ['boats'] },
    });
    const chunk = { chunkId: documentId, score: 0.5, startOffset: 0, endOffset: 5 };
    const citation = { documentId, documentName: 'Boats.md', ...chunk, quote: null, page: null };
    await system.db.message.updateMany({
      where: { projectId, role: 'ASSISTANT' },
      data: { citations: [citation], confidence: 0.2 },
    });
    await page.getByText('7 days', { exact: true }).click();
    await eventually(() => chart.getByRole('row').count()).toBe(8);
    await topics.getByRole('row', { name: /^boats 2 20\s% 2 0 0 *$/ }).waitFor();
    expect(await findPageViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Who built the <b>lighthouse</b>?' }).click();
    await page.getByText('A captain').first().waitFor();
    expect(errors).toEqual([]);
  });
});
