import { createHash } from 'node:crypto';
import { constants, inflateSync } from 'node:zlib';
import { applyDelta } from './apply-delta.ts';
import { GitError, TooLarge } from './git-error.ts';

export type GitObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  readonly type: GitObjectType;
  readonly data: Buffer;
}

export interface PackLimits {
  readonly maxObjectBytes: number;
  /** Maximum memory of all objects together. */
  readonly maxTotalBytes: number;
  readonly maxObjects: number;
}

const types: Readonly<Record<number, GitObjectType>> = {
  1: 'commit',
  2: 'tree',
  3: 'blob',
  4: 'tag',
};
const offsetDelta = 6;
const referenceDelta = 7;
const headerBytes = 12;
const checksumBytes = 20;
/** Memory that an object needs in addition to its data: ids, buffers, entries of maps. */
const objectBytes = 300;
/** Limits for the size of the buffer into which zlib writes. A small object keeps this whole buffer in memory. */
const chunkBytes = { min: 64, max: 16_384 };

/** An object that is stored as its difference from another object, its base. The base may come later in the pack. */
interface Delta {
  readonly at: number;
  readonly data: Buffer;
}

/**
 * Reads a pack (https://git-scm.com/docs/gitformat-pack) and returns its objects by their ids. Computes the ids from
 * the content of the objects. Even a pack of a few kilobytes can take seconds, so packs are read in a separate process.
 * @throws GitError when the pack is damaged; TooLarge when it exceeds a limit
 */
export function readPack(pack: Buffer, limits: PackLimits): Map<string, GitObject> {
  const count = readHeader(pack, limits);
  const byId = new Map<string, GitObject>();
  const byOffset = new Map<number, GitObject>();
  /** Deltas whose base has not been read yet, by the id or the offset of the base. */
  const waiting = new Map<number | string, Delta[]>();
  const ready: { readonly base: GitObject; readonly delta: Delta }[] = [];
  let totalBytes = 0;
  const countBytes = ({ length }: Buffer) => {
    totalBytes += length + objectBytes;
    if (totalBytes > limits.maxTotalBytes) throw new TooLarge('The pack is too large');
  };
  const add = (at: number, object: GitObject) => {
    const id = objectId(object);
    byOffset.set(at, object);
    byId.set(id, object);
    for (const key of [at, id]) {
      for (const delta of waiting.get(key) ?? []) ready.push({ base: object, delta });
      waiting.delete(key);
    }
  };

  let at = headerBytes;
  for (let index = 0; index < count; index += 1) {
    const entry = readEntry(pack, at, limits);
    countBytes(entry.data);
    if ('base' in entry) {
      const { base, data } = entry;
      const object = typeof base === 'number' ? byOffset.get(base) : byId.get(base);
      const delta = { at, data };
      if (object !== undefined) ready.push({ base: object, delta });
      else {
        const others = waiting.get(base);
        if (others === undefined) waiting.set(base, [delta]);
        else others.push(delta);
      }
    } else add(at, { type: entry.type, data: entry.data });
    at = entry.end;
  }
  for (let index = 0; index < ready.length; index += 1) {
    const next = ready[index];
    if (next === undefined) break;
    const data = applyDelta(next.base.data, next.delta.data, limits.maxObjectBytes);
    if (data === null) throw new GitError('The pack is damaged');
    if (data === 'too large') throw new TooLarge('An object is too large');
    countBytes(data);
    add(next.delta.at, { type: next.base.type, data });
  }
  if (waiting.size > 0) throw new GitError('The pack lacks objects');
  return byId;
}

function readHeader(pack: Buffer, { maxObjects }: PackLimits): number {
  const isPack =
    pack.length >= headerBytes + checksumBytes && pack.toString('latin1', 0, 4) === 'PACK';
  if (!isPack || pack.readUInt32BE(4) !== 2) throw new GitError('The pack is damaged');
  const checksum = createHash('sha1').update(pack.subarray(0, -checksumBytes)).digest();
  if (!checksum.equals(pack.subarray(-checksumBytes))) throw new GitError('The pack is damaged');
  const count = pack.readUInt32BE(8);
  if (count > maxObjects) throw new TooLarge(`The pack has more than ${maxObjects} objects`);
  return count;
}

type Entry = { readonly data: Buffer; readonly end: number } & (
  | { readonly type: GitObjectType }
  | { readonly base: number | string }
);

function readEntry(pack: Buffer, start: number, limits: PackLimits): Entry {
  let at = start;
  const next = () => {
    const byte = pack[at];
    if (byte === undefined) throw new GitError('The pack is damaged');
    at += 1;
    return byte;
  };
  let byte = next();
  const kind = (byte >> 4) & 7;
  let size = byte & 15;
  for (let scale = 16; byte & 128; scale *= 128) {
    byte = next();
    size += (byte & 127) * scale;
  }
  if (size > limits.maxObjectBytes) throw new TooLarge('An object is too large');
  let base: number | string | null = null;
  if (kind === offsetDelta) {
    byte = next();
    let distance = byte & 127;
    while (byte & 128) {
      byte = next();
      distance = (distance + 1) * 128 + (byte & 127);
    }
    base = start - distance;
  } else if (kind === referenceDelta) {
    base = pack.toString('hex', at, at + 20);
    at += 20;
  }
  const { data, end } = inflate(pack, at, size);
  if (base !== null) return { base, data, end };
  const type = types[kind];
  if (type === undefined) throw new GitError('The pack is damaged');
  return { type, data, end };
}

/**
 * Inflates `size` bytes that start at `at`. Only the decompressor knows where the compressed bytes end, so the end is
 * returned.
 */
function inflate(pack: Buffer, at: number, size: number): { data: Buffer; end: number } {
  try {
    const { buffer, engine } = inflateSync(pack.subarray(at), {
      info: true,
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: Math.max(1, size),
      chunkSize: Math.min(chunkBytes.max, Math.max(chunkBytes.min, size + 1)),
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    if (buffer.length !== size) throw new GitError('The pack is damaged');
    return { data: buffer, end: at + engine.bytesWritten };
  } catch (error) {
    if (error instanceof GitError) throw error;
    throw new GitError('The pack is damaged', { cause: error });
  }
}

function objectId({ type, data }: GitObject): string {
  return createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex');
}
