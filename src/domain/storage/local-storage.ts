import { constants } from 'node:fs';
import {
  access,
  copyFile,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DomainError, notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import { type DocumentStorage, maxPage, type StoredFile, unavailableMessage } from './storage.ts';

/** Keeps originals as files below `directory`. */
export function localStorage(directory: string): DocumentStorage {
  return {
    async putFile(key, path) {
      const target = pathOf(directory, key);
      const partial = `${target}.${newId()}.partial`;
      try {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await copyFile(path, partial);
        await flush(partial);
        await rename(partial, target);
      } catch (error) {
        await rm(partial, { force: true }).catch(() => {});
        throw unavailable(error);
      }
    },

    async localCopy({ key, sizeBytes }) {
      const path = pathOf(directory, key);
      const size = await sizeOf(path);
      if (size !== sizeBytes) throw new Error('A stored original has another size than it had');
      return { path, [Symbol.asyncDispose]: async () => {} };
    },

    async remove(keys) {
      try {
        for (const key of keys) await rm(pathOf(directory, key), { force: true });
      } catch (error) {
        throw unavailable(error);
      }
    },

    async *list(signal) {
      for (const folder of await namesIn(directory)) {
        const names = await namesIn(join(directory, folder));
        for (let from = 0; from < names.length; from += maxPage) {
          signal?.throwIfAborted();
          const keys = names.slice(from, from + maxPage).map((name) => `${folder}/${name}`);
          const found = await Promise.all(keys.map((key) => findStored(directory, key)));
          yield found.filter((file) => file !== null);
        }
      }
    },

    // Really writes: a disk that is full or read-only says so only then.
    async check() {
      const path = join(directory, `${newId()}.partial`);
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await writeFile(path, 'x', { mode: 0o600 }).finally(() => rm(path, { force: true }));
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}

/** Keys are ids and slashes; anything else would be a bug that reaches out of the directory. */
function pathOf(directory: string, key: string): string {
  if (!isKey(key)) throw new Error('Not a storage key');
  return join(directory, ...key.split('/'));
}

function isKey(text: string): boolean {
  return /^[0-9a-f-]+(\/[0-9a-f-]+)*$/.test(text);
}

async function sizeOf(path: string): Promise<number> {
  try {
    await access(path, constants.R_OK);
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) throw notFound('File');
    throw unavailable(error);
  }
}

/** The bytes are on disk before the row that speaks of them is. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The names that are parts of keys; none in a folder that is gone, or in what is no folder. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(isKey);
  } catch (error) {
    if (isMissing(error)) return [];
    throw unavailable(error);
  }
}

/** Null for what is gone meanwhile, and for what is no file. */
async function findStored(directory: string, key: string): Promise<StoredFile | null> {
  try {
    const found = await stat(pathOf(directory, key));
    return found.isFile() ? { key, storedAt: found.mtime } : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw unavailable(error);
  }
}

function unavailable(cause: unknown): DomainError {
  return new DomainError('UNAVAILABLE', unavailableMessage, { cause, retryable: true });
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))
  );
}
