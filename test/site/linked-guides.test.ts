import { expect, test } from 'vitest';
import { guideTo, linkedGuides } from '../../src/dashboard/shell/sections.ts';
import { createSite } from '../../src/site/site.ts';

test('every page of the dashboard links to a section that exists in the guides', async () => {
  const site = await createSite();
  expect(linkedGuides.length).toBeGreaterThan(10);
  for (const guide of linkedGuides) {
    const [path = '', id] = guide.split('#');
    const page = site.findPage(`/docs/${path}`)?.bytes.toString();
    expect(page, guide).toBeDefined();
    if (id !== undefined) expect(page, guide).toContain(`id="${id}"`);
  }
});

test('a tab may have a guide of its own, and an unknown page leads to all guides', () => {
  expect(guideTo('settings/widget')).toBe('/docs/guides/widget');
  expect(guideTo('inbox/01980a3c')).toBe('/docs/guides/dashboard-for-agents');
  expect(guideTo('nope')).toBe('/docs');
});
