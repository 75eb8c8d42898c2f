import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { SourceConfigInput } from '../../../src/domain/sources/source-config.ts';
import { createSource, updateSource } from '../../../src/domain/sources/sources.ts';
import { type GitServer, startGitServer } from '../../support/servers/git-server.ts';
import { startTestService, type Tenant, type TestService } from '../../support/service.ts';
import { killSourceRun } from '../../support/sources/killed-source-run.ts';
import { reasonsOf, runSource, sourceDocuments } from '../../support/sources/source-runs.ts';

let service: TestService;
let tenant: Tenant;
let server: GitServer;

vi.setConfig({ testTimeout: 240_000 });

beforeAll(async () => {
  service = await startTestService({ allowPrivateSources: true });
});
afterAll(() => service?.stop());
beforeEach(async () => {
  tenant = await service.createTenant();
  server = await startGitServer();
});
afterEach(() => server.close());

test('after each run the documents equal the branch, and only changed files are asked for', async () => {
  const files: Record<string, string> = {};
  for (let n = 0; n < 60; n += 1) files[`guide/part ${n % 7}/${n}.md`] = `Room ${n} is free.`;
  await server.commit({ ...files, 'tool.ts': 'no', '.github/x.md': 'no', 'picture.png': 'no' });
  const { id } = await add();
  expect(await runSource(service, id)).toMatchObject({
    ...{ added: 60, changed: 0, removed: 0, unchanged: 0, refused: 0, fetched: 60, error: null },
  });
  expect(await sourceDocuments(service, id)).toEqual(hashes(files));
  expect(commands()).toEqual(['info/refs 0', 'ls-refs 0', 'fetch 1', ...fetches(60)]);

  expect(await runSource(service, id)).toMatchObject({ unchanged: 60, fetched: 0, error: null });
  expect(commands()).toEqual(['info/refs 0', 'ls-refs 0', 'fetch 1']);

  const change = { 'guide/part 1/1.md': 'Closed.', 'new.md': 'New.' };
  await server.commit({ ...change, 'guide/part 2/2.md': null });
  expect(await runSource(service, id)).toMatchObject({
    ...{ added: 1, changed: 1, removed: 1, unchanged: 58, fetched: 2, error: null },
  });
  const { 'guide/part 2/2.md': _, ...rest } = files;
  expect(await sourceDocuments(service, id)).toEqual(hashes({ ...rest, ...change }));
  expect(commands().at(-1)).toBe('fetch 2');

  // Simulates a force push: the new branch has no history in common with the old one.
  await server.git('checkout', '-q', '--orphan', 'other');
  await server.git('rm', '-rfq', '.');
  await server.commit({ 'only.md': 'Another history.' });
  await server.git('branch', '-f', 'main', 'other');
  expect(await runSource(service, id)).toMatchObject({ added: 1, removed: 0, heldRemovals: 60 });
  expect(await runSource(service, id, { confirmRemovals: true })).toMatchObject({
    ...{ added: 0, removed: 60, unchanged: 1, error: null },
  });
  expect(await sourceDocuments(service, id)).toEqual(hashes({ 'only.md': 'Another history.' }));
});

test('large files, deltas and a server that cannot leave out contents are read', async () => {
  await server.close();
  server = await startGitServer({ hasFilter: false });
  const long = Array.from({ length: 3_000 }, (_, n) => `Room ${n} costs ${n * 7} euro.`).join('\n');
  const files = { 'a.md': long, 'b.md': `${long}\nOne more.`, 'c.md': long.replace('21', '22') };
  await server.commit(files);
  await server.git('gc', '-q', '--aggressive');
  const { id } = await add();
  expect(await runSource(service, id)).toMatchObject({ added: 3, error: null });
  expect(await sourceDocuments(service, id)).toEqual(hashes(files));
  expect(commands()).toEqual(['info/refs 0', 'ls-refs 0', 'fetch 1']);
});

test('branch, path and patterns select the files', async () => {
  await server.commit({ 'main.md': 'Main.' });
  await server.git('checkout', '-q', '-b', 'release/2');
  await server.commit({ 'docs/a.md': 'A', 'docs/old/b.md': 'B', 'docs/c.txt': 'C' });
  const config = { branch: 'release/2', path: '/docs/', include: ['*.md'], exclude: ['*/old/*'] };
  const { id } = await add(config);
  await runSource(service, id);
  expect(Object.keys(await sourceDocuments(service, id))).toEqual(['docs/a.md']);
  await updateSource(service.system, { id, config: { branch: 'gone' } });
  expect(await runSource(service, id)).toMatchObject({ error: 'The branch does not exist' });
  await updateSource(service.system, { id, config: { branch: 'release/2', path: 'gone' } });
  expect(await runSource(service, id)).toMatchObject({
    ...{ error: 'The path does not exist in the branch', removed: 0 },
  });
  expect(Object.keys(await sourceDocuments(service, id))).toEqual(['docs/a.md']);
});

test('files that cannot be documents are refused, and read again only after a change', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n';
  const large = Buffer.alloc(21 * 2 ** 20, 'large file ');
  await server.commit({ 'a.md': 'A', 'lfs.pdf': pointer, 'false.pdf': 'no', 'large.md': large });
  const { id } = await add();
  const run = await runSource(service, id);
  expect(run).toMatchObject({ added: 1, refused: 3, error: null });
  expect(reasonsOf(run)).toMatchObject({
    'lfs.pdf': 'The file is in Git LFS, which is not read',
    'false.pdf': expect.stringContaining('damaged or incomplete'),
    'large.md': 'The file is too large',
  });
  server.takeRequests();
  const again = await runSource(service, id);
  expect(again).toMatchObject({ unchanged: 1, refused: 3, fetched: 0 });
  expect(reasonsOf(again)).toEqual(reasonsOf(run));
  expect(commands()).toHaveLength(3);
});

test('a token is sent, stored encrypted, and not sent to another host', async () => {
  await server.commit({ 'a.md': 'A' });
  server.authorization = `Basic ${Buffer.from('git:top-secret').toString('base64')}`;
  const { id } = await add();
  expect(await runSource(service, id)).toMatchObject({
    error: 'The server refuses access: check the token',
  });
  await updateSource(service.system, { id, config: { token: 'top-secret' } });
  expect(await runSource(service, id)).toMatchObject({ added: 1, error: null });
  const row = await service.system.db.source.findUniqueOrThrow({ where: { id } });
  expect(row.secret).toMatch(/^v1\./);
  expect(JSON.stringify(row)).not.toContain('top-secret');
  const elsewhere = { url: 'https://attacker.example/docs.git' };
  await expect(updateSource(service.system, { id, config: elsewhere })).rejects.toThrow(
    'config.token is required when the address changes',
  );
  const removed = { ...elsewhere, token: '' };
  await updateSource(service.system, { id, config: removed });
  const { secret } = await service.system.db.source.findUniqueOrThrow({ where: { id } });
  expect(secret).toBeNull();
});

test('an address that is no repository fails with its reason', async () => {
  const { id } = await add({ url: server.url.replace('docs', 'nothing') });
  expect(await runSource(service, id)).toMatchObject({
    error: 'The repository does not exist, or the token may not read it',
  });
});

test('a process that dies is replaced by another one, which reads only what is missing', async () => {
  const files: Record<string, string> = {};
  for (let n = 0; n < 100; n += 1) files[`${n}.md`] = `Room ${n} is free.`;
  await server.commit(files);
  // Resolves when the service requests the third group of files. At that time, two groups are stored.
  const third = Promise.withResolvers<void>();
  server.beforeAnswer = async () => {
    if (server.fetchCount() >= 4) third.resolve();
  };
  const source = { kind: 'GIT', config: { url: server.url } };
  const { run, documents } = await killSourceRun(source, {
    halfway: third.promise,
    onKilled() {
      server.beforeAnswer = async () => {};
      server.takeRequests();
    },
  });
  expect(run).toMatchObject({ refused: 0, removed: 0, error: null });
  expect(documents).toEqual(hashes(files));
  const wants = server.takeRequests().map(({ wants }) => wants);
  // The second process requests the commit, and at most the half of the files that was not stored.
  expect(wants.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(1 + 51);
}, 400_000);

function add(config: SourceConfigInput = {}) {
  const { projectId } = tenant;
  return createSource(service.system, {
    ...{ projectId, kind: 'GIT', name: 'Repository' },
    config: { url: server.url, ...config },
  });
}

function commands(): string[] {
  return server.takeRequests().map(({ command, wants }) => `${command} ${wants}`);
}

/** Returns the expected fetches for `count` files. The service requests files in groups of 25. */
function fetches(count: number): string[] {
  const groups = Array.from({ length: Math.floor(count / 25) }, () => 'fetch 25');
  return count % 25 === 0 ? groups : [...groups, `fetch ${count % 25}`];
}

function hashes(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      createHash('sha256').update(content).digest('hex'),
    ]),
  );
}
