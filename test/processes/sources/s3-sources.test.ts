import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { changeDocument } from '../../../src/domain/knowledge/change-document.ts';
import type { SourceConfigInput } from '../../../src/domain/sources/source-config.ts';
import { createSource, updateSource } from '../../../src/domain/sources/sources.ts';
import {
  type S3Server,
  s3Bucket,
  s3Key,
  s3Region,
  startS3Server,
} from '../../support/servers/s3-server.ts';
import { startTestService, type Tenant, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { killSourceRun } from '../../support/sources/killed-source-run.ts';
import { reasonsOf, runSource, sourceDocuments } from '../../support/sources/source-runs.ts';

let service: TestService;
let tenant: Tenant;
let server: S3Server;

vi.setConfig({ testTimeout: 120_000 });

beforeAll(async () => {
  service = await startTestService({ allowPrivateSources: true });
});
afterAll(() => service?.stop());
beforeEach(async () => {
  tenant = await service.createTenant();
  server = await startS3Server({ pageSize: 7 });
});
afterEach(() => server.close());

test('after each run the documents equal the bucket, and only changed objects are read', async () => {
  for (let n = 0; n < 20; n += 1) put(`docs/Grüße (${n})!*'+&.md`, `Room ${n} is free.`);
  put('docs/', '');
  put('docs/picture.png', 'no');
  put('other/a.md', 'no');
  const { id } = await add({ prefix: 'docs/' });
  expect(await runSource(service, id)).toMatchObject({
    ...{ added: 20, changed: 0, removed: 0, refused: 0, fetched: 20, error: null },
  });
  expect(await sourceDocuments(service, id)).toEqual(wanted());
  expect(count(server.takeRequests())).toEqual({ LIST: 4, GET: 20 });

  expect(await runSource(service, id)).toMatchObject({ unchanged: 20, fetched: 0, error: null });
  expect(count(server.takeRequests())).toEqual({ LIST: 4 });

  put('docs/new.md', 'New.');
  put("docs/Grüße (1)!*'+&.md", 'Closed.');
  server.objects.delete("docs/Grüße (2)!*'+&.md");
  expect(await runSource(service, id)).toMatchObject({
    ...{ added: 1, changed: 1, removed: 1, unchanged: 18, fetched: 2, error: null },
  });
  expect(await sourceDocuments(service, id)).toEqual(wanted());
});

test('files of the same name differ by their path, which joins the metadata that others have set', async () => {
  put('eu/readme.txt', '30 days.');
  put('us/readme.txt', '15 days.');
  const { id } = await add();
  const metadata = async () => {
    const where = { sourceId: id, projectId: tenant.projectId };
    const documents = await service.system.db.document.findMany({ where });
    return Object.fromEntries(documents.map(({ id, metadata }) => [id, metadata]));
  };
  await runSource(service, id);
  const before = await metadata();
  expect(Object.values(before)).toEqual(
    expect.arrayContaining([{ path: 'eu/readme.txt' }, { path: 'us/readme.txt' }]),
  );

  for (const [documentId, { path }] of Object.entries(before) as [string, { path: string }][]) {
    const noted = { path, region: path.slice(0, 2) };
    await changeDocument(service.system, {
      ...{ projectId: tenant.projectId, id: documentId, metadata: noted },
    });
  }
  put('eu/readme.txt', '31 days.');
  expect(await runSource(service, id)).toMatchObject({ changed: 1, unchanged: 1 });
  expect(Object.values(await metadata())).toEqual(
    expect.arrayContaining([
      { path: 'eu/readme.txt', region: 'eu' },
      { path: 'us/readme.txt', region: 'us' },
    ]),
  );
});

test('a server that refuses access or has no such bucket deletes nothing', async () => {
  put('docs/a.md', 'A');
  const { id } = await add();
  await runSource(service, id);
  for (const [config, error] of [
    [{ secretAccessKey: 'wrong' }, 'The server refuses access: check the access key'],
    [{ secretAccessKey: '' }, 'The server refuses access: check the access key'],
    [
      { secretAccessKey: s3Key.secret, bucket: 'another' },
      'The bucket or the object does not exist',
    ],
  ] as const) {
    await updateSource(service.system, { id, config });
    expect(await runSource(service, id)).toMatchObject({ error, removed: 0 });
  }
  expect(await sourceDocuments(service, id)).toEqual(wanted());
});

test('too many and too large objects are refused with their reason', async () => {
  put('docs/large.md', Buffer.alloc(21 * 2 ** 20, 'large file '));
  for (let n = 0; n < 5; n += 1) put(`docs/${n}.md`, `Room ${n}.`);
  const { id } = await add({ maxFiles: 4 });
  expect(await runSource(service, id)).toMatchObject({
    ...{ added: 4, error: 'The source has more than 4 files' },
  });
  await updateSource(service.system, { id, config: { maxFiles: 100 } });
  const run = await runSource(service, id);
  expect(run).toMatchObject({ added: 1, unchanged: 4, refused: 1, error: null });
  expect(reasonsOf(run)).toEqual({ 'docs/large.md': 'The answer is larger than 20971520 bytes' });
});

test('a process that dies is replaced by another one, and no object is read twice without need', async () => {
  for (let n = 0; n < 80; n += 1) put(`docs/${n}.md`, `Room ${n} is free.`);
  put('docs/false.pdf', 'no');
  const halfway = Promise.withResolvers<void>();
  let reads = 0;
  server.beforeAnswer = () => {
    reads += 1;
    if (reads === 40) halfway.resolve();
  };
  const { run, documents } = await killSourceRun(
    { kind: 'S3', config: bucketConfig() },
    { halfway: halfway.promise, onKilled() {} },
  );
  expect(run).toMatchObject({ changed: 0, removed: 0, refused: 1, error: null });
  const byName = Object.entries(wanted()).map(([key, hash]) => [key.replace('docs/', ''), hash]);
  expect(documents).toEqual(Object.fromEntries(byName));
  const gets = server.takeRequests().filter((request) => request.startsWith('GET '));
  expect(new Set(gets).size).toBe(81);
  // The first process dies while it reads or stores one object. Only this object is read twice.
  expect(gets.length).toBeLessThanOrEqual(82);
}, 400_000);

test('the key is stored encrypted, and not used for another server', async () => {
  const { id } = await add();
  const row = await service.system.db.source.findUniqueOrThrow({ where: { id } });
  expect(row.secret).toMatch(/^v1\./);
  expect(JSON.stringify(row)).not.toContain(s3Key.secret);
  const elsewhere = { endpoint: 'https://attacker.example' };
  await expect(updateSource(service.system, { id, config: elsewhere })).rejects.toThrow(
    'config.secretAccessKey is required when the address changes',
  );
});

test.each([
  ['S3', { endpoint: 'http://127.0.0.1:9', bucket: 'docs' }],
  ['GIT', { url: 'https://127.0.0.1:9/docs.git' }],
] as const)('%s: private addresses are refused', async (kind, config) => {
  const guarded = await sharedService();
  const { projectId } = await guarded.createTenant();
  const { id } = await createSource(guarded.system, { projectId, kind, name: 'Private', config });
  expect(await runSource(guarded, id)).toMatchObject({
    error: 'The target is not a public address. For development, set ALLOW_PRIVATE_SOURCES=true',
  });
});

function add(config: SourceConfigInput = {}) {
  const { projectId } = tenant;
  return createSource(service.system, {
    ...{ projectId, kind: 'S3', name: 'Bucket' },
    config: { ...bucketConfig(), ...config },
  });
}

function bucketConfig(): SourceConfigInput {
  return {
    ...{ endpoint: server.url, region: s3Region, bucket: s3Bucket },
    ...{ accessKeyId: s3Key.id, secretAccessKey: s3Key.secret },
  };
}

function put(key: string, content: string | Buffer): void {
  server.objects.set(key, Buffer.from(content));
}

/** Returns the hashes of the Markdown objects below `docs/`. */
function wanted(): Record<string, string> {
  const entries = [...server.objects].filter(([key]) => /^docs\/.*\.md$/.test(key));
  return Object.fromEntries(
    entries.map(([key, body]) => [key, createHash('sha256').update(body).digest('hex')]),
  );
}

function count(requests: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const request of requests) {
    const name = request.split(' ')[0] ?? '';
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
