import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a directory that only this user can access, and its missing parents. Does nothing if the directory exists.
 *
 * Does not use Node's recursive `mkdir`, which never returns if a parent such as /proc refuses new folders with ENOENT.
 */
export async function createDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EEXIST' && (await isDirectory(path))) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || (await isDirectory(parent))) throw error;
    await createDirectory(parent);
    await createDirectory(path);
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
