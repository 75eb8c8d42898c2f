import { constants } from 'node:fs';
import { access, copyFile, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DomainError, notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import type { DocumentStorage } from './storage.ts';

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
        await rm(partial, { force: true });
        throw unavailable(error);
      }
    },

    async localCopy(key) {
      const path = pathOf(directory, key);
      try {
        await access(path, constants.R_OK);
      } catch (error) {
        if (isNodeError(error) && error.code === 'ENOENT') throw notFound('File');
        throw unavailable(error);
      }
      return { path, [Symbol.asyncDispose]: async () => {} };
    },

    async remove(key) {
      try {
        await rm(pathOf(directory, key), { force: true });
      } catch (error) {
        throw unavailable(error);
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
  if (!/^[0-9a-f-]+(\/[0-9a-f-]+)*$/.test(key)) throw new Error('Not a storage key');
  return join(directory, ...key.split('/'));
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

function unavailable(cause: unknown): DomainError {
  return new DomainError('UNAVAILABLE', 'The document storage is not available', {
    cause,
    retryable: true,
  });
}

function isNodeError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}
