import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { removeStaleTempFiles } from '../../src/platform/storage/remove-stale-temp-files.ts';

test('temporary files of a killed process are removed, and files in use are kept', async () => {
  const root = await mkdtemp(join(tmpdir(), 'leftovers-test-'));
  const files = join(root, 'files');
  vi.stubEnv('TMPDIR', root);
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
  try {
    await mkdir(join(files, 'project'), { recursive: true });
    for (const name of ['grounded-chat-aB3_x9', 'grounded-chat-inuse1', 'grounded-chat-testing']) {
      await mkdir(join(root, name));
    }
    for (const name of ['document', 'document.1.partial', 'document.2.partial']) {
      await writeFile(join(files, 'project', name), '');
    }
    await utimes(join(root, 'grounded-chat-aB3_x9'), old, old);
    await utimes(join(root, 'grounded-chat-testing'), old, old);
    await utimes(join(files, 'project', 'document'), old, old);
    await utimes(join(files, 'project', 'document.1.partial'), old, old);

    await removeStaleTempFiles(files);

    expect((await readdir(root)).sort()).toEqual([
      'files',
      'grounded-chat-inuse1',
      'grounded-chat-testing',
    ]);
    expect(await readdir(join(files, 'project'))).toEqual(['document', 'document.2.partial']);
  } finally {
    vi.unstubAllEnvs();
    await rm(root, { recursive: true });
  }
});
