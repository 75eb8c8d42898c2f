import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;
let tenant: Tenant;
let folder: string;
let access: string[];

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  tenant = await service.createTenant();
  folder = await mkdtemp(join(tmpdir(), 'grounded-chat-sync-'));
  access = ['--url', service.url, '--key', await tenant.key(), '--name', 'docs'];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('the project equals the folder after each sync, and only changes are sent', {
  timeout: 120_000,
}, async () => {
  for (let n = 0; n < 130; n += 1) await write(`part-${n % 7}/${n}.md`, `Room ${n} is free.`);
  expect(await sync()).toMatchObject({ code: 0, json: { unchanged: 0, refused: [] } });
  const first = await documents();
  expect(Object.keys(first)).toHaveLength(130);

  expect((await sync()).json).toEqual({
    ...{ added: [], changed: [], removed: [], refused: [] },
    unchanged: 130,
  });
  expect(await documents()).toEqual(first);

  await write('part-1/1.md', 'Room 1 is closed.');
  await write('part-1/new.md', 'A new room.');
  await rm(join(folder, 'part-2'), { recursive: true });
  await write('damaged.pdf', 'no PDF');
  const gone = Object.keys(first).filter((id) => id.startsWith('sync:docs/part-2/'));
  const planned = (await sync(['--dry-run'])).json;
  expect(await documents()).toEqual(first);
  const third = await sync();
  expect(third).toMatchObject({
    code: 1,
    json: {
      added: ['part-1/new.md'],
      changed: ['part-1/1.md'],
      unchanged: 129 - gone.length,
      refused: [{ path: 'damaged.pdf' }],
    },
  });
  expect(third.json.removed).toHaveLength(gone.length);
  expect(third.json).toEqual(planned);
  const now = await documents();
  const kept = Object.entries(first).filter(([id]) => !gone.includes(id));
  expect(now).toEqual({
    ...Object.fromEntries(kept),
    'sync:docs/part-1/new.md': 1,
    'sync:docs/part-1/1.md': 2,
  });
});

test('folders with other names and other documents are left alone, and an empty folder deletes nothing', {
  timeout: 60_000,
}, async () => {
  await write('a.md', 'One.');
  await write('b.md', 'Two.');
  await sync();
  await sync(['--name', 'other', '--exclude', 'b.md']);
  expect(Object.keys(await documents()).sort()).toEqual([
    'sync:docs/a.md',
    'sync:docs/b.md',
    'sync:other/a.md',
  ]);
  await rm(folder, { recursive: true });
  expect(await sync()).toMatchObject({ code: 2 });
  await mkdir(folder);
  expect(await sync()).toMatchObject({
    code: 1,
    error: expect.stringMatching(/2 of 2 documents would be deleted/),
  });
  expect(Object.keys(await documents())).toHaveLength(3);
  expect(await sync(['--force'])).toMatchObject({ code: 0, json: { removed: ['a.md', 'b.md'] } });
  expect(Object.keys(await documents())).toEqual(['sync:other/a.md']);
});

test('a second folder of the same name is refused, until it takes the documents over', {
  timeout: 240_000,
}, async () => {
  await write('a.md', 'One.');
  await sync();
  const before = await documents();
  const first = folder;
  folder = await mkdtemp(join(tmpdir(), 'grounded-chat-sync-'));
  try {
    await write('b.md', 'Two.');
    const refusal = { code: 1, error: expect.stringMatching(/sent from another folder/) };
    expect(await sync(['--force'])).toMatchObject(refusal);
    expect(await documents()).toEqual(before);
    const taken = await sync(['--force', '--take-over']);
    expect(taken).toMatchObject({ code: 0, json: { added: ['b.md'], removed: ['a.md'] } });
  } finally {
    await rm(folder, { recursive: true });
    folder = first;
  }
  expect(await sync(['--force'])).toMatchObject({ code: 1 });
  expect(await sync(['--force', '--take-over', '--origin', 'ci'])).toMatchObject({ code: 0 });
  expect(await sync(['--origin', 'ci'])).toMatchObject({ code: 0, json: { unchanged: 1 } });
  expect(await sync(['--origin', 'a b'])).toMatchObject({ code: 2 });
});

test('without a key, writes to the database of the settings', { timeout: 240_000 }, async () => {
  await write('a.md', 'One.');
  const dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-sync-data-'));
  try {
    access = ['--name', 'docs'];
    const settings = { DATA_DIR: dataDir, HOST: '::' };
    expect((await cli(['seed'], settings)).code).toBe(0);
    expect(await sync([], settings)).toMatchObject({ code: 0, json: { added: ['a.md'] } });
    expect(await sync([], settings)).toMatchObject({ code: 0, json: { unchanged: 1, added: [] } });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('a wrong key fails with its reason', { timeout: 60_000 }, async () => {
  await write('a.md', 'One.');
  access = ['--url', service.url, '--key', 'sk_wrong'];
  expect(await sync()).toMatchObject({ code: 1, error: expect.stringMatching(/UNAUTHENTICATED/) });
});

test('with --watch, changes arrive while it runs', { timeout: 90_000 }, async () => {
  await write('a.md', 'One.');
  const child = start(['sync', folder, ...access, '--watch', '--force'], {});
  try {
    const expectDocuments = (expected: Record<string, number>) =>
      vi.waitFor(async () => expect(await documents()).toEqual(expected), {
        timeout: 30_000,
        interval: 100,
      });
    await expectDocuments({ 'sync:docs/a.md': 1 });
    await write('deep/er/b.md', 'Two.');
    await expectDocuments({ 'sync:docs/a.md': 1, 'sync:docs/deep/er/b.md': 1 });
    await write('a.md', 'Three.');
    await expectDocuments({ 'sync:docs/a.md': 2, 'sync:docs/deep/er/b.md': 1 });
    await rm(join(folder, 'deep'), { recursive: true });
    await expectDocuments({ 'sync:docs/a.md': 2 });
  } finally {
    child.kill('SIGTERM');
  }
  expect((await child.finished).code).toBe(0);
});

/** Returns the versions of the project's documents by external id. */
async function documents(): Promise<Record<string, number>> {
  const { projectId } = tenant;
  const rows = await service.system.db.document.findMany({ where: { projectId, deletedAt: null } });
  return Object.fromEntries(rows.map(({ externalId, version }) => [externalId ?? '', version]));
}

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

async function sync(options: readonly string[] = [], settings = {}) {
  const { code, stdout, stderr } = await cli(['sync', folder, ...access, ...options], settings);
  return { code, json: stdout === '' ? null : JSON.parse(stdout), error: stderr };
}

function cli(args: readonly string[], settings: Readonly<Record<string, string>>) {
  return start(args, settings).finished;
}

function start(args: readonly string[], settings: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['dist/src/cli/cli.js', ...args, '--json'], {
    env: { PATH: process.env.PATH, ...settings },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (part) => {
    output.stdout += part;
  });
  child.stderr.on('data', (part) => {
    output.stderr += part;
  });
  const finished = new Promise<typeof output & { code: number | null }>((resolve) => {
    child.on('close', (code) => resolve({ ...output, code }));
  });
  return { finished, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}
