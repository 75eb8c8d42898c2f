import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteSource } from '../../../src/domain/sources/sources.ts';
import { syncSource } from '../../../src/domain/sources/start-source-run.ts';
import { pageOf, startWebsite, type Website } from '../../support/servers/website.ts';
import { startTestService, type Tenant, type TestService } from '../../support/service.ts';
import { type WebsiteSources, websiteSources } from '../../support/sources/website-source.ts';
import { waitUntil } from '../../support/wait-until.ts';

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

test('after each run the project equals a website of 300 pages that changes', async () => {
  const path = (n: number) => (n === 0 ? '/' : `/page-${n}`);
  const links = (n: number) => [2 * n + 1, 2 * n + 2].filter((m) => m < 300).map(path);
  for (let n = 0; n < 300; n += 1) {
    site.pages.set(path(n), pageOf(`Page ${n}`, `Room ${n} costs ${n} euro.`, [...links(n), '/']));
  }
  const { id } = await sources.add();
  const first = await sources.sync(id);
  expect(first).toMatchObject({ added: 300, changed: 0, removed: 0, refused: 0, error: null });
  expect(first.paths).toEqual(['/robots.txt', ...site.pages.keys()].sort());
  expect(Object.keys(await sources.documents())).toHaveLength(300);

  const second = await sources.sync(id);
  expect(second).toMatchObject({ added: 0, changed: 0, unchanged: 300, removed: 0 });
  expect(second.paths).toHaveLength(301);

  site.pages.set('/page-5', pageOf('Page five', 'Closed.', [...links(5), '/new']));
  site.pages.set('/new', pageOf('New', 'A new page.'));
  site.pages.delete('/page-299');
  site.pages.set('/page-149', pageOf('Page 149', 'Room 149 costs 149 euro.', ['/']));
  site.pages.set('/page-74', pageOf('Page 74', 'Room 74 costs 74 euro.', ['/page-149', '/']));
  const third = await sources.sync(id);
  // Page 150 still exists but has no link. Page 299 has no link and does not exist.
  expect(third).toMatchObject({ added: 1, changed: 1, removed: 2, error: null });
  const all = await sources.documents();
  expect(all).toMatchObject({ '/page-5': 'Page five', '/new': 'New' });
  expect(all['/page-150']).toBeUndefined();
  expect(Object.keys(all)).toHaveLength(299);
}, 240_000);

test('deleting a source stops its run and deletes its documents', async () => {
  for (let n = 0; n < 200; n += 1) {
    site.pages.set(n === 0 ? '/' : `/${n}`, pageOf(`Page ${n}`, 'Text.', [`/${n + 1}`]));
  }
  const { id, projectId } = await sources.add({ maxDepth: 50, requestsPerSecond: 20 });
  await syncSource(service.system, { id });
  const count = () => service.system.db.document.count({ where: { projectId } });
  await waitUntil(async () => (await count()) > 5, { timeoutMs: 30_000 });
  await deleteSource(service.system, { id });
  await expect(syncSource(service.system, { id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await waitUntil(async () => (await count()) <= 1, { timeoutMs: 30_000 });
  expect(await service.system.db.sourceRun.findFirst({ where: { sourceId: id } })).toMatchObject({
    error: 'The source was deleted',
  });
}, 60_000);
