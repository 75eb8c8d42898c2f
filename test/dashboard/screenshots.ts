import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { makeWidget } from '../support/api/visitor-client.ts';
import { seedTenant } from '../support/database/seed-tenant.ts';
import { signIn, startBrowser } from '../support/pages/browser.ts';
import { showView, type ViewName } from '../support/pages/dashboard-views.ts';
import { startTestService } from '../support/service.ts';

// `npm run screenshots` creates the images in docs/screenshots from a service with example data. The images show every
// page in the light and the dark theme, and some pages on a phone.
const folder = new URL('../../docs/screenshots/', import.meta.url);
const pages: readonly ViewName[] = [
  'inbox',
  'handoff',
  'conversations',
  'conversation',
  'unanswered',
  'knowledge',
  'document',
  'sources',
  'search',
  'playground',
  'why this answer',
  'developer',
  'webhooks',
  'deliveries',
  'analytics',
  'usage',
  'settings',
  'answers',
  'widget',
  'members',
];
const onPhones: readonly ViewName[] = ['inbox', 'conversation', 'playground'];

const service = await startTestService({ allowPrivateWebhooks: true, isGraphiqlOn: true });
const browser = await startBrowser();
try {
  const tenant = await service.createTenant({ plan: 'pro' });
  const filled = await seedTenant(service, tenant);
  const widgetKey = await makeWidget(service, tenant.projectId, [service.url]);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const projectUrl = `${service.url}/dashboard/${tenant.projectId}`;
  const take = async (page: Page, view: ViewName, name: string) => {
    await showView(page, projectUrl, filled, view);
    await writeFile(new URL(`${name}.png`, folder), await page.screenshot());
  };
  const { page } = await signIn(browser, service, filled.owner);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const name of pages) {
      const file = name.replaceAll(' ', '-');
      await take(page, name, colorScheme === 'dark' ? `${file}-dark` : file);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of onPhones) await take(page, name, `${name}-phone`);

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${service.url}/widget/preview/${widgetKey}`);
  await page.getByRole('button', { name: /^Open the chat/ }).click();
  const chat = page.getByRole('dialog');
  await chat.getByLabel('Your question').fill('When is breakfast on Sundays?');
  await chat.getByLabel('Your question').press('Enter');
  await chat.getByRole('list', { name: 'Sources' }).waitFor();
  await writeFile(new URL('widget-on-a-site.png', folder), await page.screenshot());
} finally {
  await browser.close();
  await service.stop();
}
