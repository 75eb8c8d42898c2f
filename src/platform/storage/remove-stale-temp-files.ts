import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isUploadDirectory } from './uploaded-file.ts';

/** Files that are older than this are stale. One hour, because no request may take that long. */
const staleAfterMs = 60 * 60 * 1000;

/**
 * Deletes the temporary files of uploads and downloads that were not deleted because their process was killed.
 * @param filesDirectory directory of the local document storage, or null if documents are stored elsewhere.
 */
export async function removeStaleTempFiles(filesDirectory: string | null): Promise<void> {
  const incoming = (await readdir(tmpdir()))
    .filter(isUploadDirectory)
    .map((name) => join(tmpdir(), name));
  const partial = filesDirectory === null ? [] : await listPartialFiles(filesDirectory);
  for (const path of [...incoming, ...partial]) {
    if (await isStale(path)) await rm(path, { recursive: true, force: true });
  }
}

async function listPartialFiles(directory: string): Promise<string[]> {
  return (await readdir(directory, { recursive: true }))
    .filter((name) => name.endsWith('.partial'))
    .map((name) => join(directory, name));
}

/** Whether the file is old enough to delete. False if it was deleted in the meantime or belongs to another user. */
async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  const isOurs = found !== null && (process.getuid === undefined || found.uid === process.getuid());
  return isOurs && Date.now() - found.mtimeMs > staleAfterMs;
}
