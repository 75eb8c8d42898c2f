import { describe, expect, test } from 'vitest';
import { GitError, TooLarge } from '../../src/platform/git/git-error.ts';
import {
  findEntry,
  type GitFile,
  listFiles,
  treeOfCommit,
} from '../../src/platform/git/git-tree.ts';
import { type GitObject, readPack } from '../../src/platform/git/pack-file.ts';
import { parsePktLines, pktLine, textOf } from '../../src/platform/git/pkt-line.ts';
import { addTree, delta, entry, idBytes, idOf, packOf } from '../support/servers/git-objects.ts';

const limits = { maxObjectBytes: 10_000, maxTotalBytes: 100_000, maxObjects: 200_000 };

describe('a pack', () => {
  test('has its objects by id, deltas before and after their base included', async () => {
    const base = Buffer.from('Rooms are free from 10 to 12.');
    const pack = packOf([
      entry(7, delta(base, 'B'), Buffer.from(idOf('blob', base), 'hex')),
      entry(3, base),
      entry(7, delta(Buffer.concat([base, Buffer.from('B')]), 'C'), idBytes(`${base}B`)),
    ]);
    const objects = readPack(pack, limits);
    const texts = [...objects.values()].map(({ type, data }) => `${type} ${data}`);
    expect(texts.sort()).toEqual([`blob ${base}`, `blob ${base}B`, `blob ${base}BC`]);
    for (const [id, { data }] of objects) expect(id).toBe(idOf('blob', data));
  });

  test('that is damaged, cut off or lacks a base is refused', async () => {
    const good = packOf([entry(3, Buffer.from('text'))]);
    const lost = packOf([entry(7, delta(Buffer.from('x'), 'y'), Buffer.alloc(20, 1))]);
    const bytes = [good.subarray(0, -1), Buffer.alloc(0), Buffer.from('PACK'), lost];
    for (let at = 0; at < good.length; at += 1) {
      const changed = Buffer.from(good);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      bytes.push(changed);
    }
    for (const pack of bytes) {
      expect(() => readPack(pack, limits)).toThrow(GitError);
      expect(() => readPack(pack, limits)).not.toThrow(TooLarge);
    }
  });

  test('that unpacks to more than the limits is refused', async () => {
    const large = entry(3, Buffer.alloc(limits.maxObjectBytes + 1));
    const many = Array.from({ length: 11 }, () => entry(3, Buffer.alloc(limits.maxObjectBytes)));
    const lying = entry(3, Buffer.alloc(5_000_000), Buffer.alloc(0), 10);
    const deltas = Array.from({ length: 11 }, () =>
      entry(7, Buffer.alloc(limits.maxObjectBytes), Buffer.alloc(20, 1)),
    );
    for (const entries of [[large], many, [lying], deltas]) {
      expect(() => readPack(packOf(entries), limits)).toThrow(GitError);
    }
    const few = { ...limits, maxObjects: 10 };
    expect(() => readPack(packOf(many), few)).toThrow('more than 10 objects');
  });

  test('of many tiny objects keeps little memory, which counts in the limit', async () => {
    const pack = packOf(Array.from({ length: 5_000 }, (_, n) => entry(3, Buffer.from(`${n}`))));
    const objects = readPack(pack, { ...limits, maxTotalBytes: 10_000_000 });
    const memories = new Set([...objects.values()].map(({ data }) => data.buffer));
    const total = [...memories].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(objects.size).toBe(5_000);
    expect(total).toBeLessThan(2_000_000);
    expect(() => readPack(pack, { ...limits, maxTotalBytes: 100_000 })).toThrow(TooLarge);
  });

  test('with a long chain of deltas in reverse order takes linear time', async () => {
    const chain = (length: number) => {
      const texts = [Buffer.from('x')];
      for (let n = 1; n <= length; n += 1) texts.push(Buffer.from(`x${n}`));
      const deltas = texts.slice(1).map((text, index) => {
        const base = texts[index] ?? Buffer.alloc(0);
        const size = Buffer.from([base.length, text.length]);
        return entry(7, Buffer.concat([size, Buffer.from([text.length]), text]), idBytes(base));
      });
      return packOf([...deltas.reverse(), entry(3, texts[0] ?? Buffer.alloc(0))]);
    };
    const cpuOf = (pack: Buffer) => {
      const start = process.cpuUsage();
      readPack(pack, { ...limits, maxTotalBytes: 10_000_000 });
      return process.cpuUsage(start).user;
    };
    const [short, long] = [chain(1_000), chain(10_000)];
    cpuOf(short);
    expect(cpuOf(long)).toBeLessThan(40 * cpuOf(short) + 200_000);
  });
});

test('files of a commit are found by path, and links and submodules are left out', async () => {
  const objects = new Map<string, GitObject>();
  const inner = addTree(objects, [['100644', 'a b.md', '1'.repeat(40)]]);
  const root = addTree(objects, [
    ['40000', 'docs', inner],
    ['120000', 'link', '2'.repeat(40)],
    ['160000', 'module', '3'.repeat(40)],
    ['100755', 'run', '4'.repeat(40)],
  ]);
  const commit = { type: 'commit', data: Buffer.from(`tree ${root}\nauthor A\n\nText`) } as const;
  expect(treeOfCommit(commit)).toBe(root);
  expect(await list(objects, root)).toEqual([
    { path: 'docs/a b.md', blob: '1'.repeat(40) },
    { path: 'run', blob: '4'.repeat(40) },
  ]);
  expect(findEntry(objects, root, 'docs')).toEqual({ isTree: true, id: inner });
  expect(findEntry(objects, root, 'docs/a b.md')).toMatchObject({ isTree: false });
  for (const path of ['none/x', 'link', 'module', 'run/x', 'link/x']) {
    expect(findEntry(objects, root, path), path).toBeNull();
  }
});

test('trees that contain each other many times are refused', async () => {
  const { objects, tree } = manyPaths('');
  await expect(list(objects, tree)).rejects.toThrow('incomplete');
  // This tree has equally many paths, but their long names take more time to read.
  const long = manyPaths('x'.repeat(100_000));
  await expect(list(long.objects, long.tree)).rejects.toThrow('incomplete');
});

test('a long listing lets other work of the process run, and can be stopped', async () => {
  const { objects, tree } = manyPaths('');
  const stop = new AbortController();
  setImmediate(() => stop.abort());
  await expect(list(objects, tree, stop.signal)).rejects.toThrow(stop.signal.reason);
});

test('paths that are too long are neither listed nor entered', async () => {
  const objects = new Map<string, GitObject>();
  const name = 'ü'.repeat(250);
  const inner = addTree(objects, [
    ['100644', 'a.md', '1'.repeat(40)],
    ['100644', 'b'.repeat(25), '2'.repeat(40)],
    ['40000', 'c'.repeat(25), 'f'.repeat(40)],
  ]);
  const outer = addTree(objects, [['40000', name, inner]]);
  const root = addTree(objects, [['40000', name, outer]]);
  const paths = (await list(objects, root)).map(({ path }) => path);
  expect(paths).toEqual([`${name}/${name}/a.md`]);
});

/** Returns a tree that has far more paths than objects. */
function manyPaths(leaf: string): { objects: Map<string, GitObject>; tree: string } {
  const objects = new Map<string, GitObject>();
  let tree = addTree(objects, leaf === '' ? [] : [['120000', leaf, '1'.repeat(40)]]);
  for (let level = 0; level < 20; level += 1) {
    tree = addTree(
      objects,
      Array.from({ length: 10 }, (_, n) => ['40000', `${n}`, tree]),
    );
  }
  return { objects, tree };
}

async function list(
  objects: ReadonlyMap<string, GitObject>,
  tree: string,
  signal = new AbortController().signal,
): Promise<GitFile[]> {
  const files: GitFile[] = [];
  for await (const file of listFiles(objects, tree, { signal, onIncomplete })) files.push(file);
  return files;
}

function onIncomplete(): never {
  throw new Error('incomplete');
}

test('lines of the protocol are read, and other answers refused', () => {
  const message = Buffer.concat([pktLine('version 2\n'), Buffer.from('0001'), pktLine('ü')]);
  const lines = [...parsePktLines(message)];
  expect(lines.map((line) => (typeof line === 'string' ? line : textOf(line)))).toEqual([
    'version 2',
    'delimiter',
    'ü',
  ]);
  for (const text of ['<html>', '0003', 'ffff', '0009abc', '0004'.repeat(600_000)]) {
    expect(() => [...parsePktLines(Buffer.from(text))], text.slice(0, 9)).toThrow(/answer/);
  }
});
