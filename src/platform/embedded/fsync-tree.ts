import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Flushes all files and directory entries under `directory` to disk. */
export async function fsyncTree(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true });
  const paths = [...entries.map((entry) => join(directory, entry)), directory];
  const remainingPaths = paths.values(); // one iterator shared by all loops
  const syncRest = async () => {
    for (const path of remainingPaths) await fsyncFile(path);
  };
  await Promise.all(Array.from({ length: concurrency }, syncRest));
}

/** Number of files to sync at the same time. Syncing 1,000 files one after another takes 20 times as long. */
const concurrency = 32;

export async function fsyncFile(path: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot sync files opened for reading
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
