import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SeededTenant, seedTenant } from '../support/database/seed-tenant.ts';
import { chromiumPath, type OpenPage, signIn } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { showView, viewNames } from '../support/pages/dashboard-views.ts';

/** HTML that must not run. Each text is short enough to append to any kind of text. */
const attacks = [
  '<img src=x onerror=hit() data-hit>',
  '<script data-hit>hit()</script>',
  '"><svg data-hit onload=hit()>',
  '[here](javascript:hit())',
  '<a data-hit href=javascript:hit()>x</a>',
  '</textarea><style data-hit>*{display:none}</style>',
];

describe.skipIf(chromiumPath === undefined)('text from strangers and colleagues', () => {
  let test: DashboardTest;
  let filled: SeededTenant;
  let owner: OpenPage;
  beforeAll(async () => {
    test = await startDashboardTest();
    let turn = 0;
    filled = await seedTenant(test.service, test.tenant, (text) => {
      turn += 1;
      return `${text} ${attacks[turn % attacks.length]}`;
    });
    owner = await signIn(test.browser, test.service, filled.owner);
    await owner.page.addInitScript(() => {
      Object.assign(window, { hits: 0, hit: () => Object.assign(window, { hits: 1 }) });
    });
    owner.page.on('dialog', (dialog) => {
      // The browser itself shows this dialog when the user leaves a view with unsaved changes.
      if (dialog.type() !== 'beforeunload') owner.errors.push(`a dialog: ${dialog.message()}`);
      void dialog.accept();
    });
  });
  afterAll(() => test?.stop());

  it.each(viewNames)('is never interpreted as markup: %s', async (name) => {
    const { page, errors: complaints } = owner;
    await showView(page, `${test.service.url}/dashboard/${test.tenant.projectId}`, filled, name);
    const injected = await page.evaluate(() => ({
      elements: document.querySelectorAll('[data-hit]').length,
      links: document.querySelectorAll('a[href^="javascript:" i]').length,
      hits: (window as { hits?: number }).hits,
    }));
    expect(injected).toEqual({ elements: 0, links: 0, hits: 0 });
    expect(complaints.splice(0)).toEqual([]);
  });

  it('is shown as written', async () => {
    const url = `${test.service.url}/dashboard/${test.tenant.projectId}`;
    let shown = 0;
    for (const name of ['inbox', 'conversation', 'knowledge', 'developer'] as const) {
      await showView(owner.page, url, filled, name);
      const text = await owner.page.evaluate(() => document.body.textContent);
      shown += attacks.filter((attack) => text.includes(attack)).length;
    }
    expect(shown).toBeGreaterThan(attacks.length);
  });
});
