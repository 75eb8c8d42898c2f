import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { updateOrganization } from '../../../src/domain/organizations/organizations.ts';
import { removeSourceJob } from '../../../src/domain/sources/remove-source.ts';
import { countChange, storedChanges } from '../../../src/domain/sources/run-report.ts';
import { deleteSource, getSource, updateSource } from '../../../src/domain/sources/sources.ts';
import { startDueSources, syncSource } from '../../../src/domain/sources/start-source-run.ts';
import { syncSourceJob } from '../../../src/domain/sources/sync-source-job.ts';
import { webhookEvents } from '../../../src/domain/webhooks/webhook-events.ts';
import { newId } from '../../../src/platform/ids.ts';
import { userAgent } from '../../../src/platform/version.ts';
import { pageOf, startWebsite, type Website } from '../../support/servers/website.ts';
import { startTestService, type Tenant, type TestService } from '../../support/service.ts';
import { sharedDatabase } from '../../support/shared-service.ts';
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

test('a document is Markdown with its address, and its source', async () => {
  const table = '<table><tr><th>Who<th>Price<tr><td>Adults<td>5</table>';
  site.pages.set('/', pageOf('Prices', `All in euro.</p>${table}<p>`));
  const { id } = await sources.add();
  await sources.sync(id);
  const [document] = await service.system.db.document.findMany({
    where: { projectId: tenant.projectId },
  });
  expect(document).toMatchObject({
    name: 'Prices',
    mimeType: 'text/markdown',
    sourceId: id,
    sourceUrl: `${site.url}/`,
    externalId: `${site.url}/`,
  });
});

test('robots.txt, nofollow, noindex and the patterns of the source are respected', async () => {
  site.pages.set('/robots.txt', {
    headers: { 'content-type': 'text/plain' },
    body: 'User-agent: *\nDisallow: /private\nAllow: /private/open\nDisallow: /*.tmp$\n',
  });
  const hidden = ['/private/a', '/private/open', '/x.tmp', '/noindex', '/skip/1'];
  site.pages.set(
    '/',
    pageOf('Home', 'Welcome.', hidden).replace(
      '</nav>',
      '<a rel=nofollow href=/nofollow>x</a></nav>',
    ),
  );
  for (const path of [...hidden, '/nofollow', '/next', '/secret']) {
    site.pages.set(path, pageOf(path, `Text of ${path}.`));
  }
  const meta = (content: string) => `<title>x</title><meta name=robots content="${content}">`;
  site.pages.set('/noindex', `${meta('noindex')}<p>Text</p><a href=/next>next</a>`);
  site.pages.set('/next', `${meta('nofollow')}<p>Text</p><a href=/secret>next</a>`);
  const { id } = await sources.add({ exclude: ['/skip/*'] });
  const run = await sources.sync(id);
  expect(Object.keys(await sources.documents()).sort()).toEqual(['/', '/next', '/private/open']);
  expect(run.paths).toEqual(['/', '/next', '/noindex', '/private/open', '/robots.txt']);
  expect(sources.reasons(run)).toEqual({
    '/private/a': 'robots.txt does not allow it',
    '/x.tmp': 'robots.txt does not allow it',
    '/noindex': 'The page asks not to be indexed',
  });
});

test('a robots.txt that cannot be read stops the run without removing anything', async () => {
  site.pages.set('/', pageOf('Home', 'Welcome.', ['/a']));
  site.pages.set('/a', pageOf('A', 'Text.'));
  const { id } = await sources.add();
  await sources.sync(id);
  site.pages.set('/robots.txt', { status: 503 });
  const run = await sources.sync(id);
  expect(run.paths).toEqual(['/robots.txt']);
  expect(run).toMatchObject({ removed: 0, refused: 2 });
  expect(run.error).toContain('robots.txt cannot be read: The server answered 503');
  expect(Object.keys(await sources.documents())).toEqual(['/', '/a']);
});

test('other hosts of the site and of its sitemap are named, also while its pages do not change', async () => {
  const elsewhere = ['http://127.0.0.1:9/docs', 'http://127.0.0.1:9/other', 'https://x.example/'];
  const [etag, body] = ['"1"', pageOf('Home', 'Welcome.', elsewhere)];
  site.pages.set('/', { headers: { etag, 'content-type': 'text/html' }, body });
  site.pages.set('/sitemap.xml', {
    body: '<urlset><url><loc>https://shop.example/a</loc></url></urlset>',
  });
  const { id } = await sources.add({ sitemaps: [`${site.url}/sitemap.xml`] });
  const hosts = async () => {
    const { warnings, error } = await sources.sync(id);
    expect(error).toBeNull();
    return (warnings as { url: string }[]).map(({ url }) => url);
  };
  const expected = ['//shop.example/', '//127.0.0.1:9/'];
  expect(await hosts()).toEqual(expected);
  expect(await hosts()).toEqual(expected);
});

test('redirects are followed to the page, also in loops and out of the source', async () => {
  const to = (location: string) => ({ status: 302, headers: { location } });
  site.pages.set('/', pageOf('Home', 'Welcome.', ['/old', '/loop', '/out', '/chain-1', '/bad']));
  site.pages.set('/old', to('/new#part'));
  site.pages.set('/new', pageOf('New', 'Text.'));
  site.pages.set('/loop', to('/loop-2'));
  site.pages.set('/loop-2', to('/loop'));
  site.pages.set('/out', to('http://169.254.169.254/latest/meta-data'));
  site.pages.set('/bad', to('file:///etc/passwd'));
  for (let n = 1; n < 9; n += 1) site.pages.set(`/chain-${n}`, to(`/chain-${n + 1}`));
  const { id } = await sources.add();
  const run = await sources.sync(id);
  expect(Object.keys(await sources.documents())).toEqual(['/', '/new']);
  expect(new Set(run.paths).size).toBe(run.paths.length);
  expect(sources.reasons(run)).toEqual({
    '/out': 'It redirects out of the source: http://169.254.169.254/latest/meta-data',
    '/bad': 'It redirects to no web address',
    '/chain-6': 'It redirects too often',
  });
});

test('copies of a page become one document, at their canonical address', async () => {
  const canonical = (href: string) => `<link rel=canonical href="${href}">`;
  site.pages.set('/', pageOf('Home', 'Welcome.', ['/a?ref=1', '/a?ref=2', '/x', '/y']));
  for (const ref of [1, 2]) {
    site.pages.set(`/a?ref=${ref}`, `${canonical('/a')}${pageOf('A', 'Text.')}`);
  }
  site.pages.set('/a', `${canonical('/a')}${pageOf('A', 'Text.')}`);
  site.pages.set('/x', `${canonical('/y')}${pageOf('X', 'Text.')}`);
  site.pages.set('/y', `${canonical('/x')}${pageOf('Y', 'Text.')}`);
  const { id } = await sources.add();
  for (let round = 0; round < 2; round += 1) {
    const run = await sources.sync(id);
    expect(Object.keys(await sources.documents())).toEqual(['/', '/a', '/y']);
    expect(new Set(run.paths).size).toBe(run.paths.length);
  }
});

test('pages that differ in one number of their address and text are different documents', async () => {
  const pages = [1, 2, 3].map((number) => `/list?page=${number}`);
  site.pages.set('/', pageOf('Home', 'Welcome.', pages));
  for (const [index, page] of pages.entries()) {
    site.pages.set(page, pageOf('Rooms', `Room ${101 + index} is cleaned before noon.`));
  }
  const { id } = await sources.add();
  await sources.sync(id);
  expect(Object.keys(await sources.documents())).toEqual(['/', ...pages]);
});

test('pages of sitemaps are read, also of compressed and nested ones', async () => {
  const xml = (name: string, urls: readonly string[]) =>
    `<?xml version="1.0"?><${name}>${urls.map((url) => `<url><loc> ${site.url}${url} </loc></url>`).join('')}</${name}>`;
  site.pages.set('/robots.txt', {
    body: `Sitemap: ${site.url}/index.xml\nSitemap: http://10.0.0.1/x`,
  });
  site.pages.set('/index.xml', {
    body: xml('sitemapindex', ['/one.xml.gz', '/index.xml', '/bad.xml']),
  });
  site.pages.set('/one.xml.gz', { body: gzipSync(xml('urlset', ['/a', '/b?x=1&amp;y=2'])) });
  site.pages.set('/bad.xml', { body: gzipSync(Buffer.alloc(80_000_000)) });
  site.pages.set('/', pageOf('Home', 'Welcome.'));
  site.pages.set('/a', pageOf('A', 'Text.'));
  site.pages.set('/b?x=1&y=2', pageOf('B', 'Text.'));
  const { id } = await sources.add();
  await sources.sync(id);
  expect(Object.keys(await sources.documents())).toEqual(['/', '/a', '/b?x=1&y=2']);
});

test('requests name the service and the robot, so that a site can refuse it', async () => {
  site.pages.set('/', pageOf('Home', 'Welcome.'));
  const { id } = await sources.add();
  const { userAgents } = await sources.sync(id);
  expect(userAgents).toEqual(new Set([`${userAgent} GroundedChatBot/1.0`]));
});

test('a page whose canonical address redirects, is missing or is refused keeps its document', async () => {
  const links = ['/docs', '/guide', '/faq', '/tour', '/print'];
  const named = (title: string, href: string) =>
    `<link rel=canonical href="${href}">${pageOf(title, `Text of ${title}.`)}`;
  site.pages.set('/robots.txt', { body: 'User-agent: *\nDisallow: /private' });
  site.pages.set('/', pageOf('Home', 'Welcome.', links));
  site.pages.set('/docs', { status: 301, headers: { location: '/docs/' } });
  site.pages.set('/docs/', named('Docs', '/docs'));
  site.pages.set('/guide', named('Guide', '/guide/'));
  site.pages.set('/guide/', { status: 308, headers: { location: '/guide' } });
  site.pages.set('/faq', named('FAQ', '/faq-2019'));
  site.pages.set('/tour', named('Tour', '/private/tour'));
  site.pages.set('/print', named('Menu', '/menu'));
  site.pages.set('/menu', named('Menu', '/menu'));
  const { id } = await sources.add();
  const own = ['/', '/docs/', '/faq', '/guide', '/menu', '/tour'];
  for (let round = 0; round < 2; round += 1) {
    const run = await sources.sync(id);
    expect(Object.keys(await sources.documents())).toEqual(own);
    expect(new Set(run.paths).size).toBe(run.paths.length);
    expect(sources.reasons(run)).toMatchObject({ '/print': 'It is a copy of /menu' });
  }
  // The site has deleted the original, and the copy has not changed.
  site.pages.delete('/menu');
  await sources.sync(id);
  expect(Object.keys(await sources.documents())).toEqual(
    [...own.filter((path) => path !== '/menu'), '/print'].sort(),
  );
});

test('a page, a sitemap and a robots.txt that ask to wait are read in the same run', async () => {
  const paths = ['/robots.txt', '/sitemap.xml', '/a', '/b', '/slow'];
  site.pages.set('/', pageOf('Home', 'Welcome.'));
  for (const path of paths) site.pages.set(path, pageOf(path, 'Text.'));
  site.pages.set('/robots.txt', { body: 'User-agent: *\nDisallow:' });
  site.pages.set('/sitemap.xml', { body: sitemap(['/a', '/b', '/slow']) });
  const past = new Date(Date.now() - 60_000).toUTCString();
  site.throttle('/robots.txt', { status: 503, headers: { 'retry-after': '0' } });
  site.throttle('/sitemap.xml', { status: 429, headers: { 'retry-after': past } });
  site.throttle('/a', { status: 429, headers: { 'retry-after': '0' } });
  site.throttle('/b', { status: 503, headers: { 'retry-after': '0.05' } });
  site.throttle('/slow', { status: 429, headers: { 'retry-after': '86400' } });
  const { id } = await sources.add({ sitemaps: [`${site.url}/sitemap.xml`] });
  const run = await sources.sync(id);
  expect(Object.keys(await sources.documents())).toEqual(['/', '/a', '/b']);
  expect(sources.reasons(run)).toEqual({ '/slow': 'The server answered 429' });
});

test('a meta refresh is followed like a redirect, and the page is no document', async () => {
  const go = (content: string) =>
    `<title>Moved</title><meta http-equiv=refresh content="${content}"><p>Moved.</p>`;
  site.pages.set('/', go('0; url=/en/'));
  site.pages.set('/en/', pageOf('Home', 'Welcome.', ['fees', 'waits', 'loop', 'out']));
  site.pages.set('/en/fees', pageOf('Fees', 'Five euros.'));
  site.pages.set('/en/waits', `<meta http-equiv=refresh content="300"><p>News.</p>`);
  site.pages.set('/en/loop', go('0; url=loop'));
  site.pages.set('/en/out', go('0; url=http://example.com/'));
  const { id } = await sources.add();
  const run = await sources.sync(id);
  expect(Object.keys(await sources.documents())).toEqual([
    '/en/',
    '/en/fees',
    '/en/loop',
    '/en/waits',
  ]);
  expect(sources.reasons(run)).toEqual({
    '/en/out': 'It redirects out of the source: http://example.com/',
  });
});

test('X-Robots-Tag is respected, for pages and files', async () => {
  const tag = (value: string, type = 'text/html') => ({
    'x-robots-tag': value,
    'content-type': type,
  });
  site.pages.set('/', pageOf('Home', 'Welcome.', ['/a', '/b', '/notes.txt']));
  site.pages.set('/a', { headers: tag('noindex'), body: pageOf('A', 'Text.') });
  site.pages.set('/b', { headers: tag('nofollow'), body: pageOf('B', 'Text.', ['/c']) });
  site.pages.set('/c', pageOf('C', 'Text.'));
  site.pages.set('/notes.txt', { headers: tag('none', 'text/plain'), body: 'Some notes.' });
  const { id } = await sources.add();
  const run = await sources.sync(id);
  expect(Object.keys(await sources.documents())).toEqual(['/', '/b']);
  const reason = 'The server asks not to index it';
  expect(sources.reasons(run)).toEqual({ '/a': reason, '/notes.txt': reason });
});

const sitemap = (paths: readonly string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${site.url}${path}</loc></url>`).join('')}</urlset>`;

/** Sets pages that only a sitemap lists, and reads the site. */
async function readListedPages(count: number): Promise<{ id: string; paths: string[] }> {
  const paths = Array.from({ length: count }, (_, n) => `/page-${n}`);
  site.pages.set('/', pageOf('Home', 'Welcome.'));
  for (const path of paths) site.pages.set(path, pageOf(path, 'Text.'));
  site.pages.set('/sitemap.xml', { body: sitemap(paths) });
  const { id } = await sources.add({ sitemaps: [`${site.url}/sitemap.xml`] });
  expect(await sources.sync(id)).toMatchObject({ added: count + 1, error: null });
  return { id, paths };
}

test.each([
  ['answers 503', () => ({ status: 503 }), 'The server answered 503'],
  ['is cut off', () => ({ body: sitemap(['/page-0']).slice(0, -9) }), 'It is cut off'],
  ['is an HTML page', () => pageOf('Maintenance', 'Back soon.'), 'It is no sitemap'],
  ['is a plain text', () => ({ body: 'Service unavailable' }), 'It is no sitemap'],
  ['redirects for ever', () => redirectTo('/sitemap.xml'), 'It redirects too often'],
] as const)('a sitemap that %s deletes nothing, and the run says so', async (_, reply, reason) => {
  const { id } = await readListedPages(2);
  site.pages.set('/sitemap.xml', reply());
  expect(await sources.sync(id)).toMatchObject({
    removed: 0,
    error: `The sitemap ${site.url}/sitemap.xml could not be read: ${reason}. No document was deleted`,
  });
  expect(Object.keys(await sources.documents())).toEqual(['/', '/page-0', '/page-1']);
});

test('a sitemap that redirects is read, with addresses relative to its own', async () => {
  site.pages.set('/', pageOf('Home', 'Welcome.'));
  site.pages.set('/sitemap.xml', redirectTo('/maps/index.xml'));
  site.pages.set('/maps/index.xml', {
    body: '<sitemapindex><sitemap><loc>one.xml</loc></sitemap></sitemapindex>',
  });
  site.pages.set('/maps/one.xml', { body: '<urlset><url><loc>/a</loc></url></urlset>' });
  site.pages.set('/a', pageOf('A', 'Text.'));
  const { id } = await sources.add({ sitemaps: [`${site.url}/sitemap.xml`] });
  expect(await sources.sync(id)).toMatchObject({ added: 2, error: null });
});

function redirectTo(location: string) {
  return { status: 302, headers: { location } };
}

test('pages that redirect for a while keep their documents', async () => {
  const { id, paths } = await readListedPages(4);
  for (const path of ['/', ...paths]) site.pages.set(path, redirectTo('/maintenance'));
  site.pages.set('/maintenance', pageOf('Maintenance', 'Back soon.'));
  expect(await sources.sync(id)).toMatchObject({ removed: 0, added: 1, error: null });
  site.pages.set('/page-0', { status: 301, headers: { location: '/page-1' } });
  expect(await sources.sync(id)).toMatchObject({ removed: 1 });
});

test('a run that would delete a large part of the documents keeps them until it is confirmed', async () => {
  const { id, paths } = await readListedPages(12);
  site.pages.set('/sitemap.xml', { body: sitemap(paths.slice(0, 6)) });
  const held = await sources.sync(id);
  expect(held).toMatchObject({ removed: 0, heldRemovals: 6 });
  expect(held.error).toContain('would delete 6 documents');
  expect(Object.keys(await sources.documents())).toHaveLength(13);

  // The sync holds the removals again, and removes the pages only after the confirmation.
  expect(await sources.sync(id)).toMatchObject({ removed: 0, heldRemovals: 6 });
  expect(await sources.sync(id, { confirmRemovals: true })).toMatchObject({
    ...{ removed: 6, heldRemovals: 0, error: null },
  });
  expect(Object.keys(await sources.documents())).toHaveLength(7);
  const { organizationId } = tenant;
  const entries = await service.system.db.auditEntry.findMany({
    where: { organizationId, targetId: id },
    orderBy: { id: 'asc' },
  });
  expect(entries.map(({ action, change }) => [action, change])).toEqual([
    ['SOURCE_CREATED', expect.objectContaining({ kind: 'WEBSITE' })],
    ...[false, false, false, true].map((confirmRemovals) => [
      'SOURCE_SYNCED',
      expect.objectContaining({ confirmRemovals }),
    ]),
    ['DOCUMENTS_DELETED', expect.objectContaining({ count: 6 })],
  ]);
});

test('a run stores the first names of what it has added, changed and removed', async () => {
  const { id, paths } = await readListedPages(3);
  const [first] = await service.system.db.sourceRun.findMany({ where: { sourceId: id } });
  const report = {
    ...{ fetched: 4, added: 4, changed: 0, removed: 0, unchanged: 0, refused: 0, heldRemovals: 0 },
    ...{ refusals: [], warnings: [], changes: storedChanges(first?.changes) },
  };
  expect(report.changes.added).toHaveLength(4);
  for (let n = 0; n < 60; n += 1) countChange(report, 'added', 'Page');
  expect(report).toMatchObject({ added: 64, changes: { added: { length: 50 } } });

  const [kept = '', gone = ''] = paths;
  site.pages.set(kept, pageOf('Renewed', 'Another text.'));
  site.pages.set(gone, { status: 410 });
  expect((await sources.sync(id)).changes).toEqual({
    ...{ added: [], changed: ['Renewed'], removed: [expect.stringMatching(/.+/)] },
  });
});

test('a run deletes up to five documents, or a third, and more without the protection of its source', async () => {
  const { id, paths } = await readListedPages(18);
  site.pages.set('/sitemap.xml', { body: sitemap(paths.slice(0, 12)) });
  expect(await sources.sync(id)).toMatchObject({ removed: 6, error: null });
  site.pages.set('/sitemap.xml', { body: sitemap(paths.slice(0, 7)) });
  expect(await sources.sync(id)).toMatchObject({ removed: 5, error: null });
  site.pages.set('/sitemap.xml', { body: sitemap([]) });
  expect(await sources.sync(id)).toMatchObject({ removed: 0, heldRemovals: 7 });
  await updateSource(service.system, { id, confirmsRemovals: false });
  expect(await sources.sync(id)).toMatchObject({ removed: 7, heldRemovals: 0, error: null });
});

test('404 and 410 remove a page, other failures keep it and the pages below it', async () => {
  const home = pageOf('Home', 'Welcome.', ['/a', '/b', '/c']);
  site.pages.set('/', home);
  for (const path of ['/a', '/b', '/c']) site.pages.set(path, pageOf(path, 'Text.', [`${path}/1`]));
  for (const path of ['/a/1', '/b/1', '/c/1']) site.pages.set(path, pageOf(path, 'Text.'));
  const { id } = await sources.add();
  expect(await sources.sync(id)).toMatchObject({ added: 7 });
  site.pages.set('/a', { status: 500 });
  site.pages.set('/b', { status: 410 });
  site.pages.delete('/c/1');
  const run = await sources.sync(id);
  expect(Object.keys(await sources.documents())).toEqual(['/', '/a', '/a/1', '/c']);
  expect(run).toMatchObject({ removed: 3, unchanged: 3, refused: 1 });
  expect(sources.reasons(run)).toEqual({ '/a': 'The server answered 500' });
});

test('huge, empty, binary and compressed pages are refused or read within limits', async () => {
  const links = ['/huge', '/bomb', '/empty', '/image', '/notes.txt', '/packed', '/latin', '/deep'];
  site.pages.set('/', pageOf('Home', 'Welcome.', links));
  site.pages.set('/huge', { body: Buffer.alloc(21 * 1024 * 1024, 'a') });
  const zeros = gzipSync(Buffer.alloc(100 * 1024 * 1024));
  site.pages.set('/bomb', { headers: { 'content-encoding': 'gzip' }, body: zeros });
  site.pages.set('/empty', '<title>x</title><script>1</script>');
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]);
  site.pages.set('/image', { headers: { 'content-type': 'image/png' }, body: png });
  site.pages.set('/notes.txt', { headers: { 'content-type': 'text/plain' }, body: 'Some notes.' });
  const packed = gzipSync(pageOf('Packed', 'Text.'));
  site.pages.set('/packed', { headers: { 'content-encoding': 'gzip' }, body: packed });
  site.pages.set('/latin', {
    headers: { 'content-type': 'text/html; charset=iso-8859-1' },
    body: Buffer.from(pageOf('Größe', 'Text.'), 'latin1'),
  });
  site.pages.set('/deep', { body: '<b>'.repeat(20_000) });
  const { id } = await sources.add();
  const run = await sources.sync(id);
  expect(await sources.documents()).toEqual({
    '/': 'Home',
    '/latin': 'Größe',
    '/notes.txt': 'notes.txt',
    '/packed': 'Packed',
  });
  expect(sources.reasons(run)).toEqual({
    '/huge': 'The answer is larger than 20971520 bytes',
    '/bomb': 'The answer is larger than 20971520 bytes',
    '/empty': 'The page has no text',
    '/image': 'Unsupported format: image/png',
    '/deep': 'The HTML has too many or too deeply nested elements.',
  });
}, 60_000);

test('a run stops at the limits of pages and depth, and removes nothing then', async () => {
  for (let n = 0; n < 30; n += 1) {
    site.pages.set(n === 0 ? '/' : `/${n}`, pageOf(`Page ${n}`, 'Text.', [`/${n + 1}`]));
  }
  const deep = await sources.add({ maxDepth: 3 });
  expect(await sources.sync(deep.id)).toMatchObject({ added: 4, error: null });
  const { id } = await sources.add({ startUrls: [`${site.url}/10`], maxPages: 5 });
  const run = await sources.sync(id);
  expect(run).toMatchObject({ added: 5, error: 'The website has more than 5 pages' });
});

test('addresses and links count as storage, are given back, and end a run when they do not fit', async () => {
  const { system } = service;
  const usedBytes = async () => {
    const sql = 'select used_bytes from grounded.storage_usage where organization_id = $1';
    return Number((await service.ownerPool.query(sql, [tenant.organizationId])).rows[0].used_bytes);
  };
  const pageBytes = async (sourceId: string) => {
    const pages = await system.db.sourcePage.findMany({ where: { sourceId } });
    const texts = pages.flatMap(({ url, links }) => [url, ...links]);
    return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  };
  const documentBytes = async () => {
    const where = { projectId: tenant.projectId, deletedAt: null };
    const { _sum } = await system.db.document.aggregate({ where, _sum: { sizeBytes: true } });
    return Number(_sum.sizeBytes ?? 0);
  };
  const many = Array.from({ length: 40 }, (_, n) => `/${'long'.repeat(100)}${n}`);
  site.pages.set('/', pageOf('Home', 'Welcome.', ['/a', ...many]));
  site.pages.set('/a', pageOf('A', 'Text of a.', many));
  const { id } = await sources.add({ maxPages: 2 });
  await sources.sync(id);
  expect(await pageBytes(id)).toBeGreaterThan(30_000);
  expect(await usedBytes()).toBe((await documentBytes()) + (await pageBytes(id)));

  site.pages.set('/', pageOf('Home', 'Welcome.'));
  await updateSource(system, { id, config: { maxPages: 100 } });
  await sources.sync(id);
  expect(await pageBytes(id)).toBeLessThan(100);
  expect(await usedBytes()).toBe((await documentBytes()) + (await pageBytes(id)));

  await updateOrganization(system, {
    id: tenant.organizationId,
    limits: { storageBytes: (await usedBytes()) + 10_000 },
  });
  site.pages.set('/', pageOf('Home', 'Welcome.', many));
  expect(await sources.sync(id)).toMatchObject({ error: expect.stringContaining('storage') });
  expect(await sources.documents()).toHaveProperty('/');

  await deleteSource(system, { id });
  const source = { projectId: tenant.projectId, sourceId: id };
  await system.db.source.updateMany({ where: { id }, data: { deletedAt: new Date(0) } });
  const attempt = { signal: new AbortController().signal, isLast: false, requestId: null };
  await removeSourceJob.run(service.adapters, source, attempt);
  expect(await usedBytes()).toBe(0);
});

test('links with other schemes, hosts and credentials lead nowhere', async () => {
  const { port } = new URL(site.url);
  site.pages.set(
    '/',
    pageOf('Home', 'Welcome.', [
      ...[
        'javascript:alert(1)',
        'file:///etc/passwd',
        'ftp://127.0.0.1/',
        'http://',
        'http://[::1]/',
      ],
      ...['//169.254.169.254/x', `http://localhost:${port}/x`, `http://u:p@127.0.0.1:${port}/ok`],
      ...['data:text/html,x', '/%', '/\u0000'],
    ]),
  );
  site.pages.set('/ok', pageOf('Ok', 'Text.'));
  const { id } = await sources.add();
  const run = await sources.sync(id);
  expect(Object.keys(await sources.documents())).toEqual(['/', '/ok']);
  expect(run.paths.filter((path) => path === '/x')).toEqual([]);
});

test('a start page whose links all lead to another host name says so', async () => {
  const other = site.url.replace('127.0.0.1', 'localhost');
  const links = [`${other}/a`, `${other}/b`, 'https://social.example/harbour'];
  site.pages.set('/', pageOf('Home', 'Welcome.', links));
  const warnings = [
    {
      url: `${other.replace('http:', '')}/`,
      reason: expect.stringContaining('linked or in the sitemap, but not read'),
    },
  ];
  const { id } = await sources.add();
  expect(await sources.sync(id)).toMatchObject({ added: 1, error: null, warnings });
  expect(await sources.sync(id)).toMatchObject({ unchanged: 1, error: null, warnings });
  site.pages.set('/', pageOf('Home', 'Welcome to the harbour.', [...links, '/own']));
  site.pages.set('/own', pageOf('Own', 'Text.', links));
  expect(await sources.sync(id)).toMatchObject({ added: 1, error: null, warnings: [] });
});

test('a page deleted by hand comes back, and a document of another owner is not touched', async () => {
  site.pages.set('/', pageOf('Home', 'Welcome.'));
  const { id } = await sources.add();
  await sources.sync(id);
  const { db } = service.system;
  await db.document.deleteMany({ where: { projectId: tenant.projectId } });
  expect(await sources.sync(id)).toMatchObject({ added: 1 });
  const other = await sources.add();
  const run = await sources.sync(other.id);
  expect(run).toMatchObject({ added: 0, refused: 1 });
  expect(sources.reasons(run)['/']).toContain('Another document');
});

test('two calls at once start one run', async () => {
  site.pages.set('/', pageOf('Home', 'Welcome.'));
  const { id } = await sources.add();
  const calls = Array.from({ length: 5 }, () => syncSource(service.system, { id }));
  const runs = await Promise.all(calls);
  expect(new Set(runs.map((run) => run.id)).size).toBe(1);
});

test('requests to a host are spaced', async () => {
  for (const path of ['/', '/1', '/2', '/3']) {
    site.pages.set(path, pageOf(path, 'Text.', ['/1', '/2', '/3']));
  }
  const { id } = await sources.add({ requestsPerSecond: 4 });
  const startedAt = performance.now();
  const run = await sources.sync(id);
  expect(run.paths).toHaveLength(5);
  expect(performance.now() - startedAt).toBeGreaterThan(950);
});

test('private addresses are refused, by any spelling', async () => {
  const strict = await startTestService({ database: await sharedDatabase() });
  try {
    const { projectId } = await strict.createTenant();
    const { port } = new URL(site.url);
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
    ]) {
      const own = websiteSources(strict, { projectId }, site);
      const { id } = await own.add({
        startUrls: [`http://${host}:${port}/`],
        respectRobots: false,
      });
      const run = await own.sync(id);
      expect(run).toMatchObject({ added: 0, refused: 1, paths: [] });
      expect(run.error).toMatch(/not a public address|cannot be resolved/);
    }
  } finally {
    await strict.stop();
  }
}, 30_000);

test('an event reports each run', async () => {
  site.pages.set('/', pageOf('Home', 'Welcome.'));
  const { id, projectId } = await sources.add();
  const run = await sources.sync(id);
  const event = await service.system.db.webhookEvent.findFirst({
    where: { projectId, type: 'source.synced' },
  });
  expect(event?.data).toMatchObject({ sourceId: id, runId: run.id, added: 1, error: null });
  const { data } = webhookEvents['source.synced'];
  expect(data.strict().parse(event?.data)).toEqual(event?.data);
});

test('a schedule starts runs, unless the source is paused', async () => {
  site.pages.set('/', pageOf('Home', 'Welcome.'));
  const { system } = service;
  const { id } = await sources.add();
  const { nextRunAt } = await updateSource(system, { id, schedule: '0 3 * * *' });
  expect(nextRunAt?.toISOString()).toMatch(/T03:00:00.000Z$/);
  const makeDue = () =>
    system.db.source.updateMany({ where: { id }, data: { nextRunAt: new Date(0) } });
  const runs = () => system.db.sourceRun.count({ where: { sourceId: id } });
  await updateSource(system, { id, isPaused: true });
  await makeDue();
  await startDueSources(service.adapters, new AbortController().signal);
  expect(await runs()).toBe(0);
  await expect(syncSource(system, { id })).rejects.toMatchObject({ code: 'CONFLICT' });
  await updateSource(system, { id, isPaused: false });
  await makeDue();
  await startDueSources(service.adapters, new AbortController().signal);
  expect(await runs()).toBe(1);
  expect((await getSource(system, { id })).nextRunAt?.toISOString()).toMatch(/T03:00:00.000Z$/);
});

test('a run goes on after its process died, without reading pages twice', async () => {
  for (const path of ['/', '/1', '/2']) site.pages.set(path, pageOf(path, 'Text.', ['/1', '/2']));
  const { id, projectId } = await sources.add();
  const { db } = service.system;
  await sources.sync(id);
  // Creates the state after a killed process: an unfinished run that has read two pages.
  const runId = newId();
  await db.sourceRun.create({
    data: { id: runId, sourceId: id, projectId, attempt: 1, unchanged: 2 },
  });
  const url = { in: [`${site.url}/`, `${site.url}/1`] };
  await db.sourcePage.updateMany({ where: { sourceId: id, url }, data: { runId } });
  site.takeRequests();
  const attempt = { signal: new AbortController().signal, isLast: false, requestId: null };
  await syncSourceJob.run(service.adapters, { projectId, sourceId: id, runId }, attempt);
  expect(site.takeRequests().map(({ path }) => path)).toEqual(['/robots.txt', '/2']);
  expect(await db.sourceRun.findUnique({ where: { id: runId } })).toMatchObject({
    ...{ attempt: 2, unchanged: 3, removed: 0, error: null },
  });
  // A process that continues after another process has finished its run must not write.
  const zombie = syncSourceJob.run(service.adapters, { projectId, sourceId: id, runId }, attempt);
  await expect(zombie).resolves.toBeUndefined();
  expect(site.takeRequests()).toEqual([]);
});

test('a run that has ended two processes is not repeated', async () => {
  site.pages.set('/', pageOf('Home', 'Welcome.'));
  const { id, projectId } = await sources.add();
  const { db } = service.system;
  const attempt = { signal: new AbortController().signal, isLast: false, requestId: null };
  const resume = async (isWorkedOn: boolean, deaths: number) => {
    const runId = newId();
    const data = { id: runId, sourceId: id, projectId, attempt: 1, isWorkedOn, deaths };
    await db.sourceRun.create({ data });
    await syncSourceJob.run(service.adapters, { projectId, sourceId: id, runId }, attempt);
    return db.sourceRun.findUniqueOrThrow({ where: { id: runId } });
  };
  expect(await resume(true, 0)).toMatchObject({ added: 1, error: null });
  expect(await resume(false, 1)).toMatchObject({ unchanged: 1, error: null });
  site.takeRequests();
  const stopped = await resume(true, 1);
  expect(stopped.error).toContain('has stopped unexpectedly twice');
  expect(site.takeRequests()).toEqual([]);
});

test('a process that stops with its service has not died', async () => {
  site.pages.set('/', pageOf('Home', 'Welcome.'));
  const { id, projectId } = await sources.add();
  const { db } = service.system;
  const runId = newId();
  await db.sourceRun.create({ data: { id: runId, sourceId: id, projectId } });
  const job = { projectId, sourceId: id, runId };
  const attempt = { signal: AbortSignal.abort(), isLast: false, requestId: null };
  await expect(syncSourceJob.run(service.adapters, job, attempt)).rejects.toThrow();
  expect(await db.sourceRun.findUniqueOrThrow({ where: { id: runId } })).toMatchObject({
    ...{ isWorkedOn: false, deaths: 0, finishedAt: null },
  });
});
