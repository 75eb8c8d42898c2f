import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDocx, table } from '../fixtures/build-docx.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
}, 60_000);
afterAll(() => service?.stop(), 120_000);

const megabyte = 1_000_000;
const repeated = (part: string) =>
  Buffer.from(part.repeat(Math.ceil(megabyte / part.length)).slice(0, megabyte));
const nestedLists = Array.from({ length: 700 }, (_, depth) => `${'  '.repeat(depth)}- a\n`).join(
  '',
);
const wideRow = Array.from({ length: 300 }, (_, column) => `c${column}`);

const hostileFiles: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ['links.md', repeated('[a](')],
  ['quotes.md', repeated('> ')],
  ['emphasis.md', repeated('*a_ ')],
  ['lists.md', repeated(nestedLists)],
  ['table.docx', buildDocx(table(Array.from({ length: 1_000 }, () => wideRow)))],
  ['line.csv', Buffer.from('name,'.repeat(1_800_000))],
];
const hostileCount = 50;

test('a one-line document is READY before 50 hostile files of another organization are read', async () => {
  const [hostile, ordinary] = [await service.createTenant(), await service.createTenant()];
  const hostileKey = await hostile.key();
  const key = await ordinary.key();
  for (let n = 0; n < hostileCount; n += 1) {
    const [name, bytes] = hostileFiles[n % hostileFiles.length] ?? ['', new Uint8Array()];
    await upload(hostileKey, `${n} ${name}`, bytes);
  }
  const finishedBefore = await countFinished(hostile);
  const start = performance.now();
  await upload(key, 'pool.txt', Buffer.from('The pool opens at seven.'));
  await expect.poll(() => countFinished(ordinary), { timeout: 120_000, interval: 50 }).toBe(1);
  const seconds = (performance.now() - start) / 1_000;
  const overtaken = (await countFinished(hostile)) - finishedBefore;
  console.info(
    `READY after ${seconds.toFixed(1)} s; ${finishedBefore} of ${hostileCount} hostile files were finished before, ${overtaken} in the meantime`,
  );
  expect(await statuses(ordinary)).toEqual(['READY']);
  expect(finishedBefore).toBeLessThan(hostileCount - 10);
  expect(overtaken).toBeLessThanOrEqual(5);
}, 300_000);

async function upload(key: string, name: string, bytes: Uint8Array): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([Uint8Array.from(bytes)]), name);
  const response = await fetch(`${service.url}/api/v1/knowledge/documents/upload`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}` },
    body: form,
  });
  expect(response.status, await response.text()).toBe(201);
}

async function countFinished(tenant: Tenant): Promise<number> {
  return (await statuses(tenant)).filter((status) => status !== 'PROCESSING').length;
}

async function statuses({ projectId }: Tenant): Promise<string[]> {
  const { rows } = await service.ownerPool.query(
    'select status::text from grounded.documents where project_id = $1',
    [projectId],
  );
  return rows.map(({ status }) => status);
}
