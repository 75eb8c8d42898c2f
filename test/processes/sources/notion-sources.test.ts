import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { getDocumentText } from '../../../src/domain/knowledge/document-text.ts';
import type { SourceConfigInput } from '../../../src/domain/sources/source-config.ts';
import { createSource, updateSource } from '../../../src/domain/sources/sources.ts';
import { newId } from '../../../src/platform/ids.ts';
import { createNotionClient } from '../../../src/platform/notion/notion-client.ts';
import { createWebClient } from '../../../src/platform/web/http-web-client.ts';
import {
  type NotionFailure,
  type NotionServer,
  type NotionTestPage,
  notionToken,
  paragraph,
  richText,
  startNotionServer,
} from '../../support/servers/notion-server.ts';
import { startTestService, type Tenant, type TestService } from '../../support/service.ts';
import { killSourceRun } from '../../support/sources/killed-source-run.ts';
import { reasonsOf, runSource } from '../../support/sources/source-runs.ts';
import { waitUntil } from '../../support/wait-until.ts';

let service: TestService;
let tenant: Tenant;
let server: NotionServer;

vi.setConfig({ testTimeout: 240_000 });

beforeAll(async () => {
  server = await startNotionServer();
  service = await startTestService({ allowPrivateSources: true, notionUrl: server.url });
});
afterAll(async () => {
  await service?.stop();
  await server?.close();
});
beforeEach(async () => {
  tenant = await service.createTenant();
});
afterEach(() => {
  server.interfere = () => null;
  server.pages.clear();
  server.dataSources.clear();
  server.takeRequests();
});

test('after each run the documents equal the pages, and unchanged pages cost nothing', async () => {
  const ids = Array.from({ length: 130 }, (_, n) => addPage(`Room ${n}`, `Room ${n} is free.`));
  const { id } = await add();
  expect(await runSource(service, id)).toMatchObject({
    ...{ added: 130, changed: 0, removed: 0, refused: 0, fetched: 130, error: null },
  });
  expect(await documents(id)).toEqual(titles());
  expect(count(server.takeRequests())).toEqual({ 'POST search': 2, 'GET blocks': 130 });

  expect(await runSource(service, id)).toMatchObject({ unchanged: 130, fetched: 0, error: null });
  expect(server.takeRequests()).toEqual(['POST search', 'POST search']);

  const [first = '', second = '', third = '', fourth = ''] = ids;
  change(first, { blocks: [paragraph('Closed.')], editedAt: '2026-02-01T10:00:00.000Z' });
  server.pages.delete(second);
  change(third, { isInTrash: true });
  change(fourth, { title: 'Hall', editedAt: '2026-02-01T10:00:00.000Z' });
  addPage('New', 'A new page.');
  expect(await runSource(service, id)).toMatchObject({
    ...{ added: 1, changed: 2, unchanged: 126, removed: 2, fetched: 3, error: null },
  });
  expect(await documents(id)).toEqual(titles());
  expect(count(server.takeRequests())).toEqual({
    ...{ 'POST search': 2, 'GET pages': 2, 'GET blocks': 3 },
  });
});

test('pages below the roots are read, with rows of databases, and removed when they move away', async () => {
  const root = addPage('Handbook', 'Welcome.');
  const child = addPage('Rooms', 'All rooms.', { parent: { type: 'page_id', page_id: root } });
  const toggleId = newId();
  const toggle = { id: toggleId, type: 'toggle', content: { rich_text: richText('More') } };
  change(child, { blocks: [{ ...toggle, children: [paragraph('Hidden.')] }] });
  const nested = addPage('Keys', 'Keys.', { parent: { type: 'block_id', block_id: toggleId } });
  const [databaseId, dataSourceId] = [newId(), newId()];
  const parent = { type: 'page_id', page_id: child };
  server.dataSources.set(dataSourceId, { databaseId, parent });
  addPage('Boat', 'A small boat.', {
    parent: { type: 'data_source_id', data_source_id: dataSourceId, database_id: databaseId },
    properties: {
      'Price (EUR)': { type: 'number', number: 120 },
      Tags: { type: 'multi_select', multi_select: [{ name: 'sea' }, { name: 'summer' }] },
      Free: { type: 'checkbox', checkbox: true },
    },
  });
  addPage('Elsewhere', 'Not below the root.');
  const { id } = await add({
    roots: [`https://www.notion.so/Handbook-${root.replaceAll('-', '')}?v=1`],
  });
  expect(await runSource(service, id)).toMatchObject({ added: 4, refused: 0, error: null });
  expect(Object.keys(await documents(id)).sort()).toEqual(['Boat', 'Handbook', 'Keys', 'Rooms']);
  const boat = await service.system.db.document.findFirstOrThrow({
    where: { sourceId: id, name: 'Boat' },
  });
  expect(boat.metadata).toEqual({ Price_EUR: 120, Tags: ['sea', 'summer'], Free: true });
  expect(await textOf(boat.id)).toMatch(
    /Price \(EUR\): 120\n.*Tags: sea, summer\n.*Free: yes\n.*A small boat\./s,
  );

  change(nested, { parent: { type: 'workspace', workspace: true } });
  server.dataSources.set(dataSourceId, { databaseId, parent: { type: 'workspace' } });
  expect(await runSource(service, id)).toMatchObject({ removed: 2, unchanged: 2, error: null });

  // Limits the source to the database, which is given by its id.
  await updateSource(service.system, { id, config: { roots: [databaseId] } });
  expect(await runSource(service, id)).toMatchObject({ added: 1, removed: 2, error: null });
  server.dataSources.clear();
  server.pages.clear();
  expect(await runSource(service, id)).toMatchObject({
    ...{ removed: 0, error: `${databaseId} does not exist, or is not shared with the integration` },
  });
});

test('a page that the search leaves out is kept, and an empty search deletes nothing', async () => {
  const ids = ['A', 'B'].map((title) => addPage(title, `Text of ${title}.`));
  const { id } = await add();
  await runSource(service, id);
  change(ids[0] ?? '', { isListed: false });
  expect(await runSource(service, id)).toMatchObject({ unchanged: 2, removed: 0, error: null });
  server.pages.clear();
  expect(await runSource(service, id)).toMatchObject({
    ...{ removed: 0, error: 'The integration can read no page: share pages with it in Notion' },
  });
  expect(Object.keys(await documents(id))).toHaveLength(2);
});

test('lists that are cut off and parents that are not certain delete nothing', async () => {
  const root = addPage('Handbook', 'Welcome.');
  const [databaseId, dataSourceId] = [newId(), newId()];
  const parent = { type: 'page_id', page_id: root };
  server.dataSources.set(dataSourceId, { databaseId, parent });
  const row = addPage('Boat', 'A small boat.', {
    parent: { type: 'data_source_id', data_source_id: dataSourceId, database_id: databaseId },
  });
  const { id } = await add({ roots: [root] });
  expect(await runSource(service, id)).toMatchObject({ added: 2, error: null });

  const incomplete = { removed: 0, error: 'Notion has not sent a complete list' };
  for (const list of [{ results: [] }, { results: [], has_more: true, next_cursor: null }]) {
    server.interfere = answerWith({ 'POST search': { status: 200, body: list } });
    expect(await runSource(service, id)).toMatchObject(incomplete);
  }
  const dataSource = { object: 'data_source', id: dataSourceId };
  const database = { type: 'database_id', database_id: databaseId };
  const results = [{ ...dataSource, parent: database }];
  const search = { 'POST search': { status: 200, body: { results, has_more: false } } };
  server.interfere = answerWith(search);
  expect(await runSource(service, id)).toMatchObject({ unchanged: 2, removed: 0, error: null });
  server.interfere = answerWith({ ...search, [`GET databases/${databaseId}`]: { status: 400 } });
  expect(await runSource(service, id)).toMatchObject({ removed: 0, error: 'Notion answered 400' });

  server.interfere = () => null;
  change(row, { parent: { type: 'team_id', team_id: newId() } });
  expect(await runSource(service, id)).toMatchObject({
    ...{ removed: 0, error: `Notion has not sent the parent of the page ${row}` },
  });
  expect(Object.keys(await documents(id)).sort()).toEqual(['Boat', 'Handbook']);
});

test('blocks of several answers are read in order, and a page that just changed is read again', async () => {
  const lines = Array.from({ length: 250 }, (_, n) => paragraph(`Line ${n}.`));
  const item = { type: 'bulleted_list_item', content: { rich_text: richText('Many') } };
  const page = addPage('Long', '', { blocks: [...lines, { ...item, children: lines }] });
  change(page, { editedAt: new Date().toISOString() });
  const { id } = await add();
  expect(await runSource(service, id)).toMatchObject({ added: 1, error: null });
  expect(count(server.takeRequests())).toEqual({ 'POST search': 1, 'GET blocks': 6 });
  const { id: documentId } = await service.system.db.document.findFirstOrThrow({
    where: { sourceId: id },
  });
  const numbers = [...(await textOf(documentId)).matchAll(/Line (\d+)\./g)].map((m) =>
    Number(m[1]),
  );
  expect(numbers).toEqual([...lines.keys(), ...lines.keys()]);
  // Notion rounds the time of a change to minutes, so the page may have changed after it was read.
  change(page, { blocks: [paragraph('Short.')] });
  expect(await runSource(service, id)).toMatchObject({ changed: 1 });
});

test('limits and failures of Notion are waited for, and then keep the document', async () => {
  const [good = '', bad = ''] = ['Good', 'Bad'].map((title) => addPage(title, title));
  const { id } = await add();
  const limits = [{ status: 429, retryAfter: '1' }, { status: 503 }];
  let waitedMs = 0;
  let last = 0;
  server.interfere = () => {
    if (last !== 0) waitedMs += performance.now() - last;
    last = performance.now();
    const limit = limits.shift() ?? null;
    if (limit === null) server.interfere = () => null;
    return limit;
  };
  expect(await runSource(service, id)).toMatchObject({ added: 2, refused: 0, error: null });
  // Notion asked for one second before the second try. The service waits another second before the third.
  expect(waitedMs).toBeGreaterThan(1_900);
  expect(count(server.takeRequests())).toEqual({ 'POST search': 3, 'GET blocks': 2 });

  for (const page of [good, bad]) change(page, { editedAt: '2026-02-01T10:00:00.000Z' });
  server.interfere = (request) => (request.includes(bad) ? { status: 500, retryAfter: '0' } : null);
  const run = await runSource(service, id);
  expect(run).toMatchObject({ unchanged: 1, refused: 1, removed: 0 });
  expect(run.error).toMatch(/keep their documents: 1\. Notion answered 500/);
  expect(Object.values(reasonsOf(run))).toEqual(['Notion answered 500']);
  expect(count(server.takeRequests())).toEqual({ 'POST search': 1, 'GET blocks': 7 });

  server.interfere = () => ({ status: 429, retryAfter: '0' });
  expect(await runSource(service, id)).toMatchObject({
    ...{ removed: 0, error: 'Notion limits the requests. The next run tries again' },
  });
  expect(Object.keys(await documents(id))).toHaveLength(2);
});

test('a page that is missing for a moment is read by the next run', async () => {
  const [missing] = ['A', 'B'].map((title) => addPage(title, `Text of ${title}.`));
  const { id } = await add();
  server.interfere = answerWith({ [`GET blocks/${missing}/children`]: { status: 404 } });
  expect(await runSource(service, id)).toMatchObject({ added: 1, refused: 1, error: null });
  server.interfere = () => null;
  expect(await runSource(service, id)).toMatchObject({ added: 1, unchanged: 1, refused: 0 });
});

test('the token is stored encrypted, a wrong one is named, and private addresses are refused', async () => {
  addPage('A', 'Text.');
  const { id } = await add();
  const row = await service.system.db.source.findUniqueOrThrow({ where: { id } });
  expect(row.secret).toMatch(/^v1\./);
  expect(JSON.stringify(row)).not.toContain(notionToken);
  await updateSource(service.system, { id, config: { token: 'wrong' } });
  expect(await runSource(service, id)).toMatchObject({
    error: 'Notion refuses access: check the token',
  });
  server.takeRequests();
  const guarded = createWebClient({ allowsPrivateTargets: false });
  const { signal } = new AbortController();
  const client = createNotionClient(guarded, { url: server.url, token: notionToken }, signal);
  await expect(client.get('users/me')).rejects.toThrow('The target is not a public address');
  expect(server.takeRequests()).toEqual([]);
});

test('a process that dies is replaced by another one, and no page is read twice without need', async () => {
  for (let n = 0; n < 60; n += 1) addPage(`Room ${n}`, `Room ${n} is free.`);
  const halfway = Promise.withResolvers<void>();
  let reads = 0;
  server.interfere = (request) => {
    if (request.startsWith('GET blocks')) reads += 1;
    if (reads === 30) halfway.resolve();
    return null;
  };
  const { run, documents } = await killSourceRun(
    { kind: 'NOTION', config: { token: notionToken } },
    { halfway: halfway.promise, onKilled() {}, env: { NOTION_API_URL: server.url } },
  );
  expect(run).toMatchObject({ changed: 0, removed: 0, refused: 0, error: null });
  expect(Object.keys(documents).sort()).toEqual(Object.keys(titles()).sort());
  const blocks = server.takeRequests().filter((request) => request.startsWith('GET blocks'));
  expect(new Set(blocks).size).toBe(60);
  // The first process dies while it reads or stores one page. Only this page is read twice.
  expect(blocks.length).toBeLessThanOrEqual(61);
}, 400_000);

function answerWith(answers: Readonly<Record<string, NotionFailure>>) {
  return (request: string) => answers[request] ?? null;
}

function add(config: SourceConfigInput = {}) {
  const { projectId } = tenant;
  return createSource(service.system, {
    ...{ projectId, kind: 'NOTION', name: 'Notion' },
    config: { token: notionToken, ...config },
  });
}

function addPage(title: string, text: string, change: Partial<NotionTestPage> = {}): string {
  const id = newId();
  server.pages.set(id, { title, blocks: [paragraph(text)], ...change });
  return id;
}

function change(id: string, changes: Partial<NotionTestPage>): void {
  const page = server.pages.get(id);
  if (page === undefined) throw new Error(`no page ${id}`);
  server.pages.set(id, { ...page, ...changes });
}

/** Returns the addresses of all pages that are not in the trash, by title. */
function titles(): Record<string, string> {
  const pages = [...server.pages].filter(([, { isInTrash }]) => isInTrash !== true);
  return Object.fromEntries(
    pages.map(([id, { title }]) => [title, expect.stringContaining(id.replaceAll('-', ''))]),
  );
}

async function documents(sourceId: string): Promise<Record<string, string | null>> {
  const rows = await service.system.db.document.findMany({ where: { sourceId, deletedAt: null } });
  return Object.fromEntries(rows.map(({ name, sourceUrl }) => [name, sourceUrl]));
}

/** Waits until a document is ready and returns its text. */
async function textOf(id: string): Promise<string> {
  const { db } = service.system;
  await waitUntil(() => db.document.findFirst({ where: { id, status: 'READY' } }), {
    timeoutMs: 120_000,
  });
  const { projectId } = tenant;
  return (await getDocumentText(service.system, { id, projectId })).text;
}

/** Counts requests by the first part of their paths. */
function count(requests: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const request of requests) {
    const name = request.split('/')[0] ?? '';
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
