import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, eventually } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';

describe.skipIf(chromiumPath === undefined)('the form of a webhook endpoint', () => {
  let test: DashboardTest;
  beforeAll(async () => {
    test = await startDashboardTest({ allowPrivateWebhooks: false });
  });
  afterAll(() => test?.stop());

  it('scrolls to a refused address and names the setting that allows it', async () => {
    const options = { viewport: { width: 390, height: 600 }, reducedMotion: 'reduce' } as const;
    const { page, errors } = await test.member('owner@harbour.example', 'OWNER', options);
    await page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/developer/webhooks`);
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    const dialog = page.getByRole('dialog');
    const url = dialog.getByRole('textbox', { name: 'URL' });
    await url.fill('http://localhost:9000/hook');
    const isInView = () =>
      url.evaluate((input) => {
        const { top, bottom } = input.getBoundingClientRect();
        return top >= 0 && bottom <= window.innerHeight;
      });
    const add = dialog.getByRole('button', { name: 'Add', exact: true });
    await add.scrollIntoViewIfNeeded();
    expect(await isInView()).toBe(false);
    await add.click();
    await dialog.getByText(/ALLOW_PRIVATE_WEBHOOKS=true allows http/).waitFor();
    await eventually(isInView).toBe(true);
    expect(await findPageViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
