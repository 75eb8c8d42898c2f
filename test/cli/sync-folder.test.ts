import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../../src/cli/command.ts';
import { planSync, prefixOf } from '../../src/cli/sync/plan-sync.ts';
import { createRestTarget } from '../../src/cli/sync/rest-target.ts';
import { type SyncOptions, syncFolder } from '../../src/cli/sync/sync-folder.ts';
import type { SyncTarget, TargetDocument } from '../../src/cli/sync/sync-target.ts';
import { syncCommands } from '../../src/cli/sync-command.ts';
import type { Config } from '../../src/config/config.ts';
import { DomainError } from '../../src/platform/errors.ts';

const prefix = prefixOf('docs');
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'grounded-chat-sync-'));
  for (const name of ['a.md', 'b.md', 'c.md']) await writeFile(join(root, name), name);
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('a file that grows or vanishes before it is sent is refused, and the others are sent', async () => {
  const target = fakeTarget(['gone.md'], async () => {
    await appendFile(join(root, 'a.md'), 'x'.repeat(1_000));
    await rm(join(root, 'b.md'));
  });
  const plan = await sync(target);
  expect(plan.added).toEqual(['c.md']);
  const refused = plan.refused.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  expect(refused).toEqual([
    { path: 'a.md', reason: 'It is larger than 100 bytes' },
    { path: 'b.md', reason: 'It does not exist, or its name cannot be read' },
  ]);
  expect(target.removed).toEqual(['gone.md']);
});

test('a new document has the path of its file and its origin as metadata', async () => {
  const target = fakeTarget([]);
  const metadata: unknown[] = [];
  target.put = async (file) => void metadata.push(file.metadata);
  await sync(target);
  expect(metadata).toContainEqual({ 'sync.origin': 'here', path: 'a.md' });
});

test('the sync and the number of deletions are printed before anything is deleted', async () => {
  const target = fakeTarget(['gone.md', 'old.md']);
  const lines: string[] = [];
  await sync(target, (line) => {
    expect(target.removed).toEqual([]);
    lines.push(line);
  });
  expect(lines).toEqual(['Deleting 2 of 2 documents whose external id starts with sync:docs/']);
  expect(target.removed).toHaveLength(2);
});

test.each(['ENOSPC', 'ECONNRESET', 'EMFILE'])(
  '%s ends the sync before anything is deleted',
  async (code) => {
    const target = fakeTarget(['gone.md']);
    const error = Object.assign(new Error(code), { code, syscall: 'write' });
    target.put = () => Promise.reject(error);
    await expect(sync(target)).rejects.toBe(error);
    expect(target.removed).toEqual([]);
  },
);

test('a folder that vanishes during the sync deletes nothing', async () => {
  const target = fakeTarget(['gone.md'], () => rm(root, { recursive: true }));
  await expect(sync(target)).rejects.toThrow('does not exist');
  expect(target.removed).toEqual([]);
});

test('documents of another folder are changed only when they are taken over', async () => {
  const [own, unmarked] = [documentOf('a.md'), documentOf('b.md')];
  const full = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key${n}`, n]));
  const target = fakeTarget([]);
  target.list = async () => [
    { ...own, metadata: { 'sync.origin': 'there', region: 'eu' } },
    unmarked,
    { ...documentOf('c.md'), metadata: full },
    documentOf('gone.md'),
  ];
  const sent: string[] = [];
  target.put = async ({ name }) => void sent.push(name);
  const marked: Record<string, object> = {};
  target.setMetadata = async (id, metadata) => {
    expect(target.removed).toEqual([]);
    marked[id] = metadata;
  };
  for (const isDryRun of [false, true]) {
    await expect(sync(target, () => {}, { isDryRun })).rejects.toThrow(
      /1 of 4 documents .* sent from another folder or machine .*origin there.* has here/,
    );
  }
  expect([sent, marked, target.removed]).toEqual([[], {}, []]);

  await sync(target, () => {}, { takesOver: true });
  expect(sent.sort()).toEqual(['a.md', 'b.md', 'c.md']);
  expect(marked).toEqual({
    'a.md': { 'sync.origin': 'here', region: 'eu' },
    'b.md': { 'sync.origin': 'here' },
  });
  expect(target.removed).toEqual(['gone.md']);
});

test('metadata that others change during the sync stays', async () => {
  const target = fakeTarget(['a.md', 'gone.md']);
  target.readMetadata = async (id) => {
    if (id === 'gone.md') throw new DomainError('NOT_FOUND', 'Document not found');
    return { region: 'eu' };
  };
  const calls: unknown[] = [];
  target.put = async ({ name }) => void calls.push(name);
  target.setMetadata = async (_, metadata) => void calls.push(metadata);
  await sync(target);
  expect(calls[0]).toEqual({ region: 'eu', 'sync.origin': 'here' });
  expect(calls.slice(1).sort()).toEqual(['a.md', 'b.md', 'c.md']);
});

test('a document whose metadata is too long for the origin is synchronized without it', async () => {
  const target = fakeTarget(['a.md', 'gone.md']);
  target.setMetadata = () => Promise.reject(new DomainError('VALIDATION_FAILED', 'too long'));
  expect(await sync(target)).toMatchObject({ changed: ['a.md'], refused: [] });
  expect(target.removed).toEqual(['gone.md']);
  target.setMetadata = () => Promise.reject(new DomainError('FORBIDDEN', 'no scope'));
  await expect(sync(target)).rejects.toThrow('no scope');
});

test('of two files with one normal form, the second is refused', () => {
  const files = ['\u00e9.md', 'e\u0301.md'].map((path) => ({ path, sha256: path }));
  const naming = { prefix, linkBase: null };
  expect(planSync({ files, refused: [] }, [], naming)).toMatchObject({
    added: ['\u00e9.md'],
    refused: [
      { path: 'e\u0301.md', reason: 'Another file has the same name in Unicode normal form' },
    ],
  });
});

test.each(['Pr\u00fcfung', 'a b', '\u6587\u66f8'])(
  'a folder named %s needs --name',
  async (name) => {
    const call = {
      argument: join(root, name),
      option: () => undefined,
      options: () => [],
      flag: () => false,
      print: async () => {},
      printResult: async () => {},
      logProgress: () => {},
    };
    const run = syncCommands.sync?.run({} as Config, call);
    await expect(run).rejects.toThrow('--name is required');
  },
);

test.each(['gc_first\ngc_second', 'gc_\u00fc', 'gc_ x', '', 'gc_\u0000'])(
  'the key %j is refused without being printed',
  (key) => {
    const open = () => createRestTarget({ url: 'http://127.0.0.1:9', key, projectId: null });
    expect(open).toThrow(UsageError);
    expect(open).toThrow(/^The key must be one line/);
  },
);

function sync(
  target: SyncTarget,
  onProgress: (line: string) => void = () => {},
  changes: Partial<SyncOptions> = {},
) {
  const options = {
    ...{ root, prefix, include: [], exclude: [], linkBase: null, maxBytes: 100 },
    ...{ isForced: true, isDryRun: false, origin: 'here', takesOver: false },
    ...changes,
  };
  return syncFolder(target, options, { cache: new Map(), onProgress });
}

function fakeTarget(
  paths: readonly string[],
  onList: () => Promise<void> = async () => {},
): SyncTarget & { readonly removed: string[] } {
  const removed: string[] = [];
  return {
    removed,
    async list() {
      await onList();
      return paths.map(documentOf);
    },
    put: async () => {},
    async readMetadata(id) {
      const document = (await this.list(prefix)).find((candidate) => candidate.id === id);
      if (document === undefined) throw new DomainError('NOT_FOUND', 'Document not found');
      return document.metadata;
    },
    setMetadata: async () => {},
    async remove(ids) {
      removed.push(...ids);
    },
  };
}

function documentOf(path: string): TargetDocument {
  return {
    ...{ id: path, externalId: `${prefix}${path}`, contentHash: path },
    ...{ sourceUrl: null, failure: null, metadata: {} },
  };
}
