import { randomFillSync } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Files that reserve disk space. When the disk is almost full, the service deletes some of them, so that Postgres can
 * continue.
 */
export interface DiskReserve {
  readonly fileBytes: number;
  count(): number;
  releaseOne(): void;
  /** Writes one more file, up to `maxFiles`. Does nothing while another file is being written. */
  addOne(): Promise<void>;
}

const maxFiles = 2;
const fileBytes = 32 * 1_048_576;
const blockBytes = 1_048_576;
const fileName = /^disk-reserve-\d$/;

/** Creates a reserve in a directory. The new reserve has no files. */
export function createDiskReserve(directory: string): DiskReserve {
  let isWriting = false;
  const list = () =>
    readdirSync(directory)
      .filter((name) => fileName.test(name))
      .sort();
  return {
    fileBytes,
    count: () => list().length,
    releaseOne() {
      const last = list().at(-1);
      if (last !== undefined) rmSync(join(directory, last), { force: true });
    },
    async addOne() {
      const names = list();
      const next = [1, 2].map((n) => `disk-reserve-${n}`).find((name) => !names.includes(name));
      if (isWriting || next === undefined || names.length >= maxFiles) return;
      isWriting = true;
      try {
        await writeReserveFile(join(directory, next));
      } finally {
        isWriting = false;
      }
    },
  };
}

/** Writes random bytes, because file systems can compress zeros. */
async function writeReserveFile(path: string): Promise<void> {
  const unfinished = `${path}.unfinished`;
  const block = randomFillSync(Buffer.alloc(blockBytes));
  try {
    const file = await open(unfinished, 'w', 0o600);
    try {
      for (let written = 0; written < fileBytes; written += blockBytes) await file.write(block);
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
