import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';

describe.skipIf(chromiumPath === undefined)('the prices of the usage page', () => {
  let test: DashboardTest;
  beforeAll(async () => {
    test = await startDashboardTest();
    test.service.adapters.tokenCounter.add(test.tenant.projectId, [
      { model: 'large', kind: 'INPUT', tokens: 2_000_000 },
      { model: 'large', kind: 'OUTPUT', tokens: 500_000 },
    ]);
  });
  afterAll(() => test?.stop());

  const open = async () => {
    const { page, errors } = await test.member('owner@harbour.example', 'OWNER');
    await page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/usage`);
    const prices = page.getByRole('region', { name: 'Prices', exact: true });
    await prices.getByText('With the prices of your models').waitFor();
    return { page, errors, prices };
  };

  it('are added, imported all or none, and deleted', async () => {
    const { page, errors, prices } = await open();
    await prices.getByRole('button', { name: 'Add a price' }).click();
    const form = page.getByRole('dialog', { name: 'Add a price' });
    await form.getByRole('combobox', { name: /^Model/ }).fill('large');
    await form.getByLabel('Price of a million tokens').fill('2.5');
    await form.getByLabel('Currency').fill('usd');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await prices.getByRole('row', { name: /^large Input USD 2\.50 / }).waitFor();
    await page.getByRole('group', { name: 'Cost', exact: true }).getByText('USD 5.00').waitFor();

    await prices.getByText('used by this project in the last 30 days: large.').waitFor();
    await prices.getByRole('button', { name: 'Add a price of large' }).click();
    expect(await form.getByRole('combobox', { name: /^Model/ }).inputValue()).toBe('large');
    expect(await form.getByRole('combobox', { name: 'Tokens' }).inputValue()).toBe('Output');
    expect(await findPageViolations(page)).toEqual([]);
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });

    await prices.getByRole('button', { name: 'Import prices' }).click();
    const imports = page.getByRole('dialog', { name: 'Import prices' });
    const choose = (...lines: string[]) =>
      imports.locator('input[type=file]').setInputFiles({
        ...{ name: 'prices.csv', mimeType: 'text/csv' },
        buffer: Buffer.from(['model,kind,perMillion,currency,validFrom', ...lines].join('\n')),
      });
    const send = imports.getByRole('button', { name: 'Import' });
    const right = 'large,OUTPUT,10,USD,2026-01-01';
    await choose(right, 'small,EMBED,1,USD,');
    await send.click();
    const problem = imports.getByRole('alert').getByRole('listitem');
    await problem.getByText(/^Line 3: kind must be one of/).waitFor();
    await choose(right, '', 'small,INPUT,2000000,USD,');
    await problem.waitFor({ state: 'detached' });
    await send.click();
    await problem.getByText('Line 4: perMillion must be a number between 0 and 1000000').waitFor();
    expect(await findPageViolations(page)).toEqual([]);
    await choose(right, 'large,OUTPUT,11,USD,2026-02-01');
    await problem.waitFor({ state: 'detached' });
    await send.click();
    await page.getByText('2 prices imported').waitFor();
    await prices.getByRole('row', { name: /^large Output USD 11\.00 2026-02-01/ }).waitFor();
    await page.getByRole('group', { name: 'Cost', exact: true }).getByText('USD 10.50').waitFor();
    await prices.getByText('Without a price').waitFor({ state: 'detached' });

    await prices.getByRole('button', { name: 'Delete large, output, 2026-02-01' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The price was deleted').waitFor();
    await page.getByRole('group', { name: 'Cost', exact: true }).getByText('USD 10.00').waitFor();
    await prices.getByRole('button', { name: 'Edit large, output, 2026-01-01' }).click();
    const edited = page.getByRole('dialog', { name: 'Edit the price' });
    await edited.getByLabel('Price of a million tokens').fill('12');
    await edited.getByRole('button', { name: 'Save' }).click();
    await prices.getByRole('row', { name: /^large Output USD 12\.00 2026-01-01/ }).waitFor();
    expect(await findPageViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('are only read by viewers', async () => {
    const { page } = await test.member('viewer@harbour.example', 'VIEWER');
    await page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/usage`);
    const prices = page.getByRole('region', { name: 'Prices', exact: true });
    await prices.getByRole('row', { name: /^large Output/ }).waitFor();
    await prices.getByText('Owners and admins change the prices.').waitFor();
    expect(await prices.getByRole('button').count()).toBe(0);
  });
});
