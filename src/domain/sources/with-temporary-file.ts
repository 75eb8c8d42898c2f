import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createUploadDirectory } from '../../platform/storage/uploaded-file.ts';

/** Calls `use` with the path of a file with these bytes, for the extraction processes, and deletes the file. */
export async function withTemporaryFile<Result>(
  bytes: Uint8Array,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const directory = await createUploadDirectory();
  try {
    const path = join(directory, 'content');
    await writeFile(path, bytes);
    return await use(path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
