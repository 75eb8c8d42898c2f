import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setModelPrices } from '../../src/domain/cost/model-prices.ts';
import { addDocuments } from '../support/knowledge.ts';
import { chromiumPath, seriousViolations } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';

describe.skipIf(chromiumPath === undefined)('"Why this answer?"', () => {
  let test: DashboardTest;
  const conversations: string[] = [];
  beforeAll(async () => {
    test = await startDashboardTest();
    await addDocuments(test.service, test.tenant.projectId, {
      'Parking.md': '# Parking\n\nParking costs 12 euros a day.',
      'Pool.md': '# Pool\n\nThe pool is open from 8:00 to 20:00.',
    });
    const rest = await test.tenant.rest();
    for (const message of ['What does parking cost?', 'Who won the regatta in 1998?', 'Hello']) {
      const reply = await (await rest.post('/chat', { message })).json();
      conversations.push(reply.conversationId);
    }
  });
  afterAll(() => test?.stop());

  const open = async (role: 'AGENT' | 'VIEWER', conversation: number) => {
    const { page } = await test.member(`${role}-${conversation}@example.com`, role);
    const { projectId } = test.tenant;
    await page.goto(
      `${test.service.url}/dashboard/${projectId}/conversations/${conversations[conversation]}`,
    );
    await page.getByRole('log', { name: 'Transcript' }).getByRole('listitem').nth(1).waitFor();
    return page;
  };

  it('shows an agent the passages, the steps and the models of an answer', async () => {
    const page = await open('AGENT', 0);
    await page.getByRole('button', { name: 'Why this answer?' }).click();
    const drawer = page.getByRole('dialog', { name: 'Why this answer?' });
    await drawer.getByText('The passages below answered the question.').waitFor();
    const used = drawer.getByRole('list', { name: 'Passages that the model received' });
    const href = await used.getByRole('link', { name: 'Parking.md' }).first().getAttribute('href');
    expect(href).toContain('/knowledge/');
    await drawer.getByRole('region', { name: 'Time' }).getByText('Search').waitFor();
    await drawer.getByRole('region', { name: 'Models' }).getByText('wrote the answer').waitFor();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await seriousViolations(page)).toEqual([]);
    }
  });

  it('shows the cost of an answer and its conversation, once there are prices', async () => {
    const { organizationId } = test.tenant;
    const price = { model: 'built-in/all-MiniLM-L6-v2', kind: 'EMBEDDING' } as const;
    await setModelPrices(test.service.system, {
      ...{ organizationId, prices: [{ ...price, perMillion: 1_000, currency: 'EUR' }] },
    });
    const { page } = await test.member('cost@example.com', 'AGENT');
    const { projectId } = test.tenant;
    await page.goto(`${test.service.url}/dashboard/${projectId}/conversations/${conversations[0]}`);
    await page.getByText(/ · cost EUR\s0\.0\d/).waitFor();
    await page.getByRole('button', { name: 'Why this answer?' }).click();
    const drawer = page.getByRole('dialog', { name: 'Why this answer?' });
    await drawer.getByText(/^Cost: EUR\s0\.0\d/).waitFor();
  });

  it('says what to do about a refusal', async () => {
    const page = await open('AGENT', 1);
    await page.getByRole('button', { name: 'Why this answer?' }).click();
    const drawer = page.getByRole('dialog', { name: 'Why this answer?' });
    await drawer.getByText('Add a document that answers the question.').waitFor();
    await drawer.getByText('The model received none.').waitFor();
  });

  it('says that small talk was not searched', async () => {
    const page = await open('AGENT', 2);
    await page.getByRole('button', { name: 'Why this answer?' }).click();
    await page.getByText('The message was small talk, so nothing was searched.').waitFor();
  });

  it('is not offered to viewers', async () => {
    const page = await open('VIEWER', 0);
    await page.getByText('Confidence').first().waitFor();
    expect(await page.getByRole('button', { name: 'Why this answer?' }).count()).toBe(0);
  });
});
