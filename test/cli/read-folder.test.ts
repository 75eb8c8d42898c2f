import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HashCache, readFolder } from '../../src/cli/sync/folder-files.ts';
import { externalIdOf, planSync, prefixOf, sourceUrlOf } from '../../src/cli/sync/plan-sync.ts';
import type { TargetDocument } from '../../src/cli/sync/sync-target.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'grounded-chat-folder-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('returns files of known formats, and neither hidden, empty nor binary ones', async () => {
  await write({
    'a.md': '# A',
    'deep/er/b.txt': 'B',
    LICENSE: 'Free',
    tool: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]),
    'picture.png': 'no',
    'empty.md': '',
    '.hidden.md': 'no',
    '.git/config.txt': 'no',
    'node_modules/x/readme.md': 'no',
  });
  expect(await read()).toEqual({ paths: ['LICENSE', 'a.md', 'deep/er/b.txt'], refused: {} });
});

test('respects .gitignore and .groundedignore of each folder, and include and exclude', async () => {
  await write({
    '.gitignore': 'drafts/\n*.log\n!keep.log\n',
    '.groundedignore': '/private.md\n',
    'a.md': 'A',
    'private.md': 'no',
    'sub/private.md': 'yes',
    'x.log': 'no',
    'keep.log': 'yes',
    'drafts/b.md': 'no',
    'sub/.gitignore': '!x.log\nlocal.md\n',
    'sub/x.log': 'yes',
    'sub/local.md': 'no',
    'sub/deeper/local.md': 'no',
  });
  const all = ['a.md', 'keep.log', 'sub/private.md', 'sub/x.log'];
  expect(await read()).toEqual({ paths: all, refused: {} });
  expect((await read({ include: ['*.md'] })).paths).toEqual(['a.md', 'sub/private.md']);
  expect((await read({ exclude: ['sub/'] })).paths).toEqual(['a.md', 'keep.log']);
});

test('refuses files that are too large, of a false format, or links out of the folder', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'grounded-chat-outside-'));
  await writeFile(join(outside, 'secret.md'), 'secret');
  await write({ 'a.md': 'A', 'large.md': 'x'.repeat(2_000), 'false.pdf': 'no PDF' });
  await symlink(join(outside, 'secret.md'), join(root, 'link.md'));
  await symlink(outside, join(root, 'folder'));
  await symlink(join(root, 'a.md'), join(root, 'own.md'));
  await symlink(root, join(root, 'cycle'));
  try {
    expect(await read({ maxBytes: 1_000 })).toEqual({
      paths: ['a.md', 'own.md'],
      refused: {
        'false.pdf': 'Its content is not that of its extension',
        folder: 'It is a symbolic link to a place outside the folder',
        'large.md': 'It is larger than 1000 bytes',
        'link.md': 'It is a symbolic link to a place outside the folder',
      },
    });
  } finally {
    await rm(outside, { recursive: true });
  }
});

test('reads a file again only after a change', async () => {
  await write({ 'a.md': 'A' });
  const cache: HashCache = new Map();
  const [first] = (await readFolder(options(), cache)).files;
  expect(cache.size).toBe(0);
  // Moves the clock 10 s forward. The cache skips files that have just changed, because a second change at the same
  // time would not change the file times.
  const now = Date.now;
  Date.now = () => now() + 10_000;
  try {
    await readFolder(options(), cache);
    expect([...cache.keys()]).toEqual(['a.md']);
    cache.set('a.md', { stamp: cache.get('a.md')?.stamp ?? '', sha256: 'known' });
    expect((await readFolder(options(), cache)).files[0]?.sha256).toBe('known');
    await utimes(join(root, 'a.md'), 1, 1);
    expect((await readFolder(options(), cache)).files).toEqual([first]);
  } finally {
    Date.now = now;
  }
});

test('plans additions, changes and removals of its own documents only', () => {
  const naming = { prefix: prefixOf('docs'), linkBase: null };
  const files = ['new.md', 'same.md', 'other.md', 'bad.pdf'].map((path) => ({
    path,
    sha256: `hash of ${path}`,
  }));
  const refused = [
    { path: 'large.md', reason: 'too large' },
    { path: 'closed/', reason: 'denied' },
  ];
  const documents = [
    document('same.md'),
    document('other.md', { contentHash: 'old' }),
    document('bad.pdf', { failure: 'The file is damaged' }),
    document('large.md'),
    document('closed/x.md'),
    document('gone.md'),
  ];
  expect(planSync({ files, refused }, documents, naming)).toEqual({
    added: ['new.md'],
    changed: ['other.md'],
    unchanged: ['same.md'],
    removed: [{ id: 'gone.md', path: 'gone.md' }],
    refused: [...refused, { path: 'bad.pdf', reason: 'The file is damaged' }],
  });
  const linked = { ...naming, linkBase: 'https://example.com/help/' };
  expect(planSync({ files, refused }, documents, linked).changed).toContain('same.md');
  expect(sourceUrlOf(linked, 'a b/ü?.md')).toBe('https://example.com/help/a%20b/%C3%BC%3F.md');
});

test('external ids of long paths are short and differ', () => {
  const naming = { prefix: prefixOf('docs'), linkBase: null };
  const ids = ['1', '2'].map((end) => externalIdOf(naming, `${'ä'.repeat(400)}${end}`));
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id.length).toBe(255);
});

function document(path: string, change: Partial<TargetDocument> = {}): TargetDocument {
  return {
    id: path,
    externalId: `sync:docs/${path}`,
    contentHash: `hash of ${path}`,
    ...{ sourceUrl: null, metadata: {}, failure: null },
    ...change,
  };
}

function options() {
  return { root, include: [], exclude: [], maxBytes: 1_000_000 };
}

async function read(change: Partial<Parameters<typeof readFolder>[0]> = {}) {
  const { files, refused } = await readFolder({ ...options(), ...change }, new Map());
  return {
    paths: files.map(({ path }) => path),
    refused: Object.fromEntries(refused.map(({ path, reason }) => [path, reason])),
  };
}

async function write(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}
