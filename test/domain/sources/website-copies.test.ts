import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { pageOf, startWebsite, type Website } from '../../support/servers/website.ts';
import { startTestService, type Tenant, type TestService } from '../../support/service.ts';
import { type WebsiteSources, websiteSources } from '../../support/sources/website-source.ts';

let service: TestService;
let tenant: Tenant;
let site: Website;
let sources: WebsiteSources;

beforeAll(async () => {
  service = await startTestService({ allowPrivateSources: true });
});
afterAll(() => service?.stop());
beforeEach(async () => {
  tenant = await service.createTenant();
  site = await startWebsite();
  sources = websiteSources(service, tenant, site);
});
afterEach(() => site.close());

const paths = async () => Object.keys(await sources.documents());

/** A page whose text contains the address of `next`. */
const article = (title: string, text: string, next: string) =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text} <a href="${site.url}${next}">Next page of this text</a></p></main></body></html>`;

test('copies of one text under many addresses become one document at the plain address', async () => {
  const copies = [
    '/prices?utm_source=letter&utm_medium=mail',
    '/prices?PHPSESSID=0123456789abcdef',
    '/prices;jsessionid=42',
    '/print/prices',
    '/prices?print=1',
    '/prices/',
    '/prices/index.html',
    '/other/prices',
  ];
  site.pages.set('/', pageOf('Home', 'Welcome.', [...copies, '/prices']));
  site.pages.set('/index.html', pageOf('Home', 'Welcome.', ['/prices']));
  for (const path of [...copies, '/prices']) {
    const query = path.split('?')[1];
    site.pages.set(
      path,
      article('Prices', 'Adults pay 5 euros.', `/next${query ? `?${query}` : ''}`),
    );
  }
  const { id } = await sources.add();
  for (const added of [2, 0]) {
    const run = await sources.sync(id);
    expect(await paths()).toEqual(['/', '/prices']);
    expect(run).toMatchObject({ added, refused: copies.length, error: null });
    expect(sources.reasons(run)['/print/prices']).toBe('It has the same text as /prices');
    expect(run.warnings).toEqual([
      {
        url: expect.stringMatching(/\/other\/prices$/),
        reason: `${copies.length} pages are left out, because they have the same text as another page. This one is a copy of ${site.url}/prices`,
      },
    ]);
  }
});

test('pages that differ in one number, in the title or in the target of a link are no copies', async () => {
  const texts: [string, string][] = [
    ['/1', article('Room', 'Room 101 has 2 beds.', '/next')],
    ['/2', article('Room', 'Room 102 has 2 beds.', '/next')],
    ['/3', article('Room 3', 'It has 2 beds.', '/next')],
    ['/4', article('Room 4', 'It has 2 beds.', '/next')],
    ['/5', article('Form', 'Fill in the form.', '/forms/a.pdf')],
    ['/6', article('Form', 'Fill in the form.', '/forms/b.pdf')],
    ['/7', article('Form', 'Fill in the form.', '/form?year=2025')],
    ['/8', article('Form', 'Fill in the form.', '/form?year=2026')],
  ];
  for (const [path, page] of texts) site.pages.set(path, page);
  const links = texts.map(([path]) => path);
  site.pages.set('/', pageOf('Home', 'Welcome.', links));
  const { id } = await sources.add();
  expect(await sources.sync(id)).toMatchObject({ added: 9, warnings: [] });
  expect(await paths()).toEqual(['/', ...links]);
});

test('the same file at two addresses becomes one document, but not under another name', async () => {
  site.pages.set(
    '/',
    pageOf('Home', 'Welcome.', ['/a/tariff.txt', '/b/tariff.txt', '/tariff-2.txt']),
  );
  const file = { headers: { 'content-type': 'text/plain' }, body: 'Adults pay 5 euros.' };
  for (const path of ['/a/tariff.txt', '/b/tariff.txt', '/tariff-2.txt'])
    site.pages.set(path, file);
  const { id } = await sources.add();
  const run = await sources.sync(id);
  expect(await paths()).toEqual(['/', '/a/tariff.txt', '/tariff-2.txt']);
  const reason = `1 page is left out, because it has the same text as another page. This one is a copy of ${site.url}/a/tariff.txt`;
  expect(run.warnings).toEqual([{ url: `${site.url}/b/tariff.txt`, reason }]);
});

test('a copy becomes a document when its text changes, or its original is deleted', async () => {
  site.pages.set('/', pageOf('Home', 'Welcome.', ['/a', '/b', '/c']));
  for (const path of ['/a', '/b', '/c']) site.pages.set(path, pageOf('Prices', '5 euros.'));
  const { id } = await sources.add();
  await sources.sync(id);
  expect(await paths()).toEqual(['/', '/a']);
  site.pages.set('/b', pageOf('Prices', '60 euros.'));
  expect(await sources.sync(id)).toMatchObject({ added: 1, removed: 0, refused: 1 });
  expect(await paths()).toEqual(['/', '/a', '/b']);
  site.pages.delete('/a');
  expect(await sources.sync(id)).toMatchObject({ added: 1, removed: 1, refused: 0, warnings: [] });
  expect(await paths()).toEqual(['/', '/b', '/c']);
  site.pages.set('/b', pageOf('Prices', '5 euros.'));
  expect(await sources.sync(id)).toMatchObject({ changed: 1, removed: 1, refused: 1 });
  expect(await paths()).toEqual(['/', '/b']);
});

test('documents that an earlier version has made of copies are deleted', async () => {
  site.pages.set('/', pageOf('Home', 'Welcome.', ['/a', '/b']));
  for (const path of ['/a', '/b']) site.pages.set(path, pageOf(`Prices ${path}`, '5 euros.'));
  const { id } = await sources.add();
  await sources.sync(id);
  for (const path of ['/a', '/b']) site.pages.set(path, pageOf('Prices', '5 euros.'));
  const { db } = service.system;
  await db.sourcePage.updateMany({ where: { sourceId: id }, data: { textKey: null } });
  expect(await sources.sync(id)).toMatchObject({ removed: 1, error: null });
  expect(await paths()).toEqual(['/', '/a']);
});

test('endless copies of a page "not found" with status 200 end the run by themselves', async () => {
  const notFound = pageOf('Page not found', 'Sorry.', ['products/', '/']);
  site.pages.set('/', pageOf('Shop', 'We sell ropes.', ['products/']));
  site.pages.set('/products/', pageOf('Products', '4 euros.', ['products/']));
  for (let depth = 2; depth < 40; depth += 1)
    site.pages.set(`/${'products/'.repeat(depth)}`, notFound);
  const { id } = await sources.add({ maxDepth: 50, maxPages: 60 });
  const run = await sources.sync(id);
  expect(run).toMatchObject({ error: null, added: 3 });
  expect(run.paths.length).toBeLessThan(10);
});

test('pages that only copies link to are read', async () => {
  site.pages.set('/', pageOf('Home', 'Welcome.', ['/a', '/b']));
  site.pages.set('/a', pageOf('List', 'Our boats.', ['/boat-1']));
  site.pages.set('/b', pageOf('List', 'Our boats.', ['/boat-2']));
  for (const path of ['/boat-1', '/boat-2']) site.pages.set(path, pageOf(path, `Text of ${path}.`));
  const { id } = await sources.add();
  await sources.sync(id);
  expect(await paths()).toEqual(['/', '/a', '/boat-1', '/boat-2']);
});
