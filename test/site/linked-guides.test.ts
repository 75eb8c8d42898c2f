import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guideTo, linkedGuides } from '../../src/dashboard/shell/sections.ts';
import { createSite } from '../../src/site/site.ts';

/** Links of other parts of the dashboard, such as errors, without `/docs/`. */
const otherLinks = globSync('src/dashboard/**/*.tsx').flatMap(
  (file) => readFileSync(file, 'utf8').match(/(?<="\/docs\/)[^"$]+/g) ?? [],
);

test('every link of the dashboard leads to a section that exists in the guides', async () => {
  const site = await createSite();
  expect(linkedGuides.length).toBeGreaterThan(10);
  expect(otherLinks.length).toBeGreaterThan(2);
  for (const guide of [...linkedGuides, ...otherLinks]) {
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
