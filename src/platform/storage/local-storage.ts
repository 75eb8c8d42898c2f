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
import {
  type DocumentStorage,
  type FileContent,
  maxPageSize,
  type StoredFile,
  unavailableMessage,
} from './document-storage.ts';

/** Creates a storage that keeps files below `directory`. */
export function createLocalStorage(directory: string): DocumentStorage {
  return {
    async putFile(key, content) {
      const target = pathOf(directory, key);
      const partial = `${target}.${newId()}.partial`;
      try {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await writeDurably(partial, content);
        await rename(partial, target);
      } catch (error) {
        await rm(partial, { force: true }).catch(() => {});
        throw unavailable(error);
      }
    },

    async getLocalCopy({ key, sizeBytes }) {
      const path = pathOf(directory, key);
      const size = await sizeOf(path);
      if (size !== sizeBytes) throw new Error('The stored file has an unexpected size');
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
      for (const folder of await listNames(directory)) {
        const names = await listNames(join(directory, folder));
        for (let from = 0; from < names.length; from += maxPageSize) {
          signal?.throwIfAborted();
          const keys = names.slice(from, from + maxPageSize).map((name) => `${folder}/${name}`);
          const found = await Promise.all(keys.map((key) => findStoredFile(directory, key)));
          yield found.filter((file) => file !== null);
        }
      }
    },

    // Checks by writing a file, because only a write detects a full or read-only disk.
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

/**
 * Returns the path of a key's file. Throws if the key contains anything except ids and slashes, because other
 * characters could lead out of the directory.
 */
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
    if (isFileMissing(error)) throw notFound('File');
    throw unavailable(error);
  }
}

/** Writes a file and flushes it to disk. A database row may refer to it only after its bytes are durable. */
async function writeDurably(path: string, content: FileContent): Promise<void> {
  if (typeof content === 'string') await copyFile(content, path);
  const file = await open(path, typeof content === 'string' ? 'r+' : 'wx');
  try {
    if (typeof content !== 'string') await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Returns the names in the folder that can be part of a key. Returns an empty list if the folder was deleted or is not
 * a folder.
 */
async function listNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(isKey);
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw unavailable(error);
  }
}

/** Returns the stored file. Returns null if it was deleted in the meantime or is not a regular file. */
async function findStoredFile(directory: string, key: string): Promise<StoredFile | null> {
  try {
    const found = await stat(pathOf(directory, key));
    return found.isFile() ? { key, storedAt: found.mtime } : null;
  } catch (error) {
    if (isFileMissing(error)) return null;
    throw unavailable(error);
  }
}

function unavailable(cause: unknown): DomainError {
  return new DomainError('UNAVAILABLE', unavailableMessage, { cause, retryable: true });
}

function isFileMissing(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))
  );
}
