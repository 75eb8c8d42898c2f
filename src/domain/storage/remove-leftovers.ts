import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isIncomingDirectory } from '../knowledge/uploaded-file.ts';

/** Longer than any request may take. */
const leftAfterMs = 60 * 60 * 1000;

/**
 * Removes what files on their way in and out left on the disk when their process was killed; `filesDirectory` is
 * where originals are kept, or null where that is elsewhere.
 */
export async function removeLeftovers(filesDirectory: string | null): Promise<void> {
  const incoming = (await readdir(tmpdir()))
    .filter(isIncomingDirectory)
    .map((name) => join(tmpdir(), name));
  const partial = filesDirectory === null ? [] : await partialFiles(filesDirectory);
  for (const path of [...incoming, ...partial]) {
    if (await isOld(path)) await rm(path, { recursive: true, force: true });
  }
}

async function partialFiles(directory: string): Promise<string[]> {
  return (await readdir(directory, { recursive: true }))
    .filter((name) => name.endsWith('.partial'))
    .map((name) => join(directory, name));
}

/** What is gone meanwhile, or another user's, is not ours to remove. */
async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  const isOurs = found !== null && (process.getuid === undefined || found.uid === process.getuid());
  return isOurs && Date.now() - found.mtimeMs > leftAfterMs;
}
