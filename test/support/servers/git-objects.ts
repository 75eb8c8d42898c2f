import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { GitObject } from '../../../src/platform/git/pack-file.ts';

/** Adds a tree to `objects`. Each entry has a mode, a name and an id. Returns the id of the tree. */
export function addTree(
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

/** Returns a pack that contains encoded objects. */
export function packOf(entries: readonly Buffer[]): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  head.writeUInt32BE(entries.length, 8);
  const content = Buffer.concat([head, ...entries]);
  return Buffer.concat([content, createHash('sha1').update(content).digest()]);
}

/** Encodes an object with its type, the size that it claims to have, and the id of its base. */
export function entry(
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

/** Returns a delta that copies the base and appends a text. */
export function delta(base: Buffer, added: string): Buffer {
  const copy = [0x80 | 0x10, base.length];
  const head = [base.length, base.length + added.length, ...copy, added.length];
  return Buffer.concat([Buffer.from(head), Buffer.from(added)]);
}

/** Returns the id of a blob as bytes. */
export function idBytes(content: string | Buffer): Buffer {
  return Buffer.from(idOf('blob', Buffer.from(content)), 'hex');
}

export function idOf(type: string, data: Buffer): string {
  return createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex');
}
