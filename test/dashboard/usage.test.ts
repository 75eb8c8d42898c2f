import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import { newId } from '../../src/platform/ids.ts';
import { restClient } from '../support/api/rest-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import { chromiumPath } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';

describe.skipIf(chromiumPath === undefined)('the usage page', () => {
  let test: DashboardTest;
  beforeAll(async () => {
    test = await startDashboardTest();
  });
  afterAll(() => test?.stop());

  it('is empty at first, and then shows each day and the limits of the plan', async () => {
    const { page, errors: complaints } = await test.member('viewer@harbour.example', 'VIEWER');
    await page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/usage`);
    await page.getByText('No usage yet').waitFor();
    await page.getByText('This month, against the limits of the plan “scale”.').waitFor();

    await addDocuments(test.service, test.tenant.projectId, {
      'Stay.md': 'Check-out is until 11:00. Late check-out costs 20 euros an hour.',
    });
    const rest = restClient(`${test.service.url}/api/v1`, await test.tenant.key());
    for (const message of ['Until when is check-out?', 'Who built the lighthouse?']) {
      expect((await rest.post('/chat', { message })).status).toBe(200);
    }
    const { organizationId } = test.tenant;
    const other = await test.service.system.db.project.create({
      data: { id: newId(), organizationId, name: 'Second project' },
    });
    await sendMessage(test.service.system, { projectId: other.id, message: 'Who is the cook?' });
    await test.service.system.db.organization.update({
      where: { id: test.tenant.organizationId },
      data: { planName: 'pro' },
    });
    await page.reload();
    const organization = page.getByRole('region', { name: /^Organization / });
    await organization
      .getByRole('group', { name: 'Messages', exact: true })
      .getByText('3')
      .waitFor();
    await page.getByText('of 10,000 this month').waitFor();
    await page.getByText('of 5 GB').waitFor();
    for (const name of ['Evaluated questions', 'Judged questions']) {
      await organization
        .getByRole('group', { name, exact: true })
        .getByText('of 100,000 this month')
        .waitFor();
    }

    const chart = page.getByRole('group', { name: 'Messages per day', exact: true });
    await chart.getByText('Show as a table').click();
    const today = new Date().toISOString().slice(0, 10);
    await chart.getByRole('row', { name: `${today} 3` }).waitFor();
    expect(await chart.getByRole('row').count()).toBe(31);
    await page.getByText('7 days', { exact: true }).click();
    await expect.poll(() => chart.getByRole('row').count()).toBe(8);
    await chart.locator('svg').hover({ position: { x: 400, y: 90 } });
    await organization.getByRole('link', { name: 'Analytics' }).click();
    await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('explains a loading error, and retries', async () => {
    const { page } = await test.member('owner@harbour.example', 'OWNER');
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('query Usage') ? route.abort() : route.continue(),
    );
    await page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/usage`);
    await page.getByText('The service is not responding').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('group', { name: 'Tokens per day' }).waitFor();
  });
});
