import { beforeAll, expect, test } from 'vitest';
import { guidesPath, referencePath } from '../../src/site/page.ts';
import { operations, webhookEvents } from '../../src/site/reference/openapi.ts';
import { createSite, type Site } from '../../src/site/site.ts';

let site: Site;
let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  site = await createSite();
  pages = readAllPages();
}, 60_000);

function read(path: string): string {
  const page = site.findPage(path);
  if (page === null) throw new Error(`There is no page at ${path}`);
  return page.bytes.toString();
}

/** Returns all pages that can be reached from the guides and the API reference. */
function readAllPages(): ReadonlyMap<string, string> {
  const pages = new Map<string, string>();
  const waiting = [guidesPath, referencePath];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const text = read(path);
    pages.set(path, text);
    waiting.push(...linksOf(text).flatMap(({ page }) => (page === '' ? [] : page)));
  }
  return pages;
}

/** Returns the links to pages of the site. `page` is empty for a link within the page. */
function linksOf(text: string): { readonly page: string; readonly id: string | null }[] {
  const body = text.slice(text.indexOf('<main'));
  return [...body.matchAll(/<a [^>]*?href="([^"]*)"/g)]
    .map(([, target = '']) => target)
    .filter((target) => /^(?:#|\/docs|\/api\/v1\/docs)/.test(target))
    .map((target) => {
      const [page = '', id = null] = target.split('#');
      return { page, id };
    });
}

test('every link between pages leads to a page, and every fragment to an element', () => {
  expect(pages.size).toBeGreaterThan(50);
  for (const [path, text] of pages) {
    for (const { page, id } of linksOf(text)) {
      if (id !== null)
        expect(pages.get(page || path), `${path} → ${page}#${id}`).toContain(`id="${id}"`);
    }
  }
});

test('ids are unique, and a page has one heading of level 1', () => {
  for (const [path, text] of pages) {
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids.length, path).toBe(new Set(ids).size);
    expect(text.match(/<h1/g), path).toHaveLength(1);
    expect(text, path).toMatch(/<meta name="description" content="[^"]{15,}">/);
  }
});

test('the reference has each operation and each event of webhooks once', () => {
  const chapters = [...pages].filter(([path]) => path.startsWith(`${referencePath}/`));
  const ids = chapters.flatMap(([, text]) =>
    [...text.matchAll(/<h2 id="([^"]*)"/g)].map(([, id]) => id),
  );
  const expected = [
    ...operations.map(({ operationId }) => operationId),
    ...Object.keys(webhookEvents),
  ];
  expect(ids.sort()).toEqual(expected.sort());
});

test('a file outside the documentation is named without a link', () => {
  const text = read(`${guidesPath}/guides/deployment`);
  expect(text).toContain('compose.yaml');
  expect(text).not.toMatch(/href="[^"]*compose\.yaml/);
});

test.each([
  ['rate limits', '/docs/guides/rest-api#usage-and-rate-limits'],
  ['transfer a handoff', '/api/v1/docs/handoff#transferHandoff'],
  ['QUOTA_EXCEEDED', '/docs/reference/errors'],
])('a search for "%s" finds the section among the first results', (query, path) => {
  const found = [...site.search(query).matchAll(/<li><a href="([^"]*)">/g)].map(
    ([, target]) => target,
  );
  const results = found.filter((target) => target?.includes('#') || target === path).slice(-20);
  expect(results.slice(0, 3)).toContain(path);
});

test('a search shows the query and texts of guides as text', () => {
  const page = site.search('<script>alert(1)</script>" zzzz');
  expect(page).toContain('value="&lt;script&gt;alert(1)&lt;/script&gt;&quot; zzzz"');
  expect(page).not.toContain('<script>alert');
  expect(page).toContain('Nothing found');
  expect(site.search('...')).toContain('Nothing found');
});

test('every picture has an address and a size', () => {
  for (const [path, text] of pages) {
    for (const [tag] of text.matchAll(/<img[^>]*>/g)) {
      expect(tag, path).toMatch(
        /src="\/docs\/[^"]+" width="[1-9]\d*" height="[1-9]\d*" alt="[^"]+"/,
      );
    }
  }
});

test('a search uses ten different words of a query at most', () => {
  const ten = 'the key of a project is sent in requests with';
  const resultsOf = (query: string) =>
    site.search(query).match(/<ol class="results">.*<\/ol>/s)?.[0];
  expect(new Set(ten.split(' ')).size).toBe(10);
  expect(resultsOf(`${ten} zzzz`)).toBe(resultsOf(ten));
  expect(resultsOf('rate rate rate limit')).toBe(resultsOf('rate limit'));
});
