import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { findEntry, listFiles, treeOfCommit } from '../../src/platform/git/git-tree.ts';
import { type GitObject, PackError, readPack } from '../../src/platform/git/pack-file.ts';
import { parsePktLines, pktLine, textOf } from '../../src/platform/git/pkt-line.ts';

const limits = { maxObjectBytes: 10_000, maxTotalBytes: 100_000, maxObjects: 200_000 };

describe('a pack', () => {
  test('has its objects by id, deltas before and after their base included', async () => {
    const base = Buffer.from('Rooms are free from 10 to 12.');
    const pack = packOf([
      entry(7, delta(base, 'B'), Buffer.from(idOf('blob', base), 'hex')),
      entry(3, base),
      entry(7, delta(Buffer.concat([base, Buffer.from('B')]), 'C'), idBytes(`${base}B`)),
    ]);
    const objects = await readPack(pack, limits);
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
    for (const pack of bytes) await expect(readPack(pack, limits)).rejects.toThrow(PackError);
  });

  test('that unpacks to more than the limits is refused', async () => {
    const large = entry(3, Buffer.alloc(limits.maxObjectBytes + 1));
    const many = Array.from({ length: 11 }, () => entry(3, Buffer.alloc(limits.maxObjectBytes)));
    const lying = entry(3, Buffer.alloc(5_000_000), Buffer.alloc(0), 10);
    const deltas = Array.from({ length: 11 }, () =>
      entry(7, Buffer.alloc(limits.maxObjectBytes), Buffer.alloc(20, 1)),
    );
    for (const entries of [[large], many, [lying], deltas]) {
      await expect(readPack(packOf(entries), limits)).rejects.toThrow(PackError);
    }
    const few = { ...limits, maxObjects: 10 };
    await expect(readPack(packOf(many), few)).rejects.toThrow('more than 10 objects');
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
    const cpuOf = async (pack: Buffer) => {
      const start = process.cpuUsage();
      await readPack(pack, { ...limits, maxTotalBytes: 10_000_000 });
      return process.cpuUsage(start).user;
    };
    const [short, long] = [chain(1_000), chain(10_000)];
    await cpuOf(short);
    expect(await cpuOf(long)).toBeLessThan(40 * (await cpuOf(short)) + 200_000);
  });
});

test('files of a commit are found by path, and links and submodules are left out', () => {
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
  expect([...listFiles(objects, root, fail)]).toEqual([
    { path: 'docs/a b.md', blob: '1'.repeat(40) },
    { path: 'run', blob: '4'.repeat(40) },
  ]);
  expect(findEntry(objects, root, 'docs')).toEqual({ isTree: true, id: inner });
  expect(findEntry(objects, root, 'docs/a b.md')).toMatchObject({ isTree: false });
  expect(findEntry(objects, root, 'none/x')).toBeNull();
});

test('trees that contain each other many times are refused', () => {
  const objects = new Map<string, GitObject>();
  let tree = addTree(objects, []);
  for (let level = 0; level < 20; level += 1) {
    tree = addTree(
      objects,
      Array.from({ length: 10 }, (_, n) => ['40000', `${n}`, tree]),
    );
  }
  expect(() => [...listFiles(objects, tree, fail)]).toThrow('incomplete');
});

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

function fail(): never {
  throw new Error('incomplete');
}

function addTree(
  objects: Map<string, GitObject>,
  entries: readonly (readonly [string, string, string])[],
): string {
  const data = Buffer.concat(
    entries.map(([mode, name, id]) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
    ),
  );
  const id = idOf('tree', data);
  objects.set(id, { type: 'tree', data });
  return id;
}

function packOf(entries: readonly Buffer[]): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  head.writeUInt32BE(entries.length, 8);
  const content = Buffer.concat([head, ...entries]);
  return Buffer.concat([content, createHash('sha1').update(content).digest()]);
}

/** An object with its type, the size that it claims, and the id of its base. */
function entry(
  type: number,
  data: Buffer,
  base: Buffer = Buffer.alloc(0),
  size = data.length,
): Buffer {
  const head = [(type << 4) | (size & 15)];
  for (let rest = size >> 4; rest > 0; rest >>= 7) {
    head.push(rest & 127);
    head[head.length - 2] = (head[head.length - 2] ?? 0) | 128;
  }
  return Buffer.concat([Buffer.from(head), base, deflateSync(data)]);
}

/** A delta that copies the base and appends a text. */
function delta(base: Buffer, added: string): Buffer {
  const copy = [0x80 | 0x10, base.length];
  const head = [base.length, base.length + added.length, ...copy, added.length];
  return Buffer.concat([Buffer.from(head), Buffer.from(added)]);
}

function idBytes(content: string | Buffer): Buffer {
  return Buffer.from(idOf('blob', Buffer.from(content)), 'hex');
}

function idOf(type: string, data: Buffer): string {
  return createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex');
}
