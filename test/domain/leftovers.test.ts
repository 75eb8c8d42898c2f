import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeLeftovers } from '../../src/domain/storage/remove-leftovers.ts';

test('what a killed process left of an upload is removed, and nothing that is in use', async () => {
  const root = await mkdtemp(join(tmpdir(), 'leftovers-test-'));
  const files = join(root, 'files');
  process.env.TMPDIR = root;
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

    await removeLeftovers(files);

    expect((await readdir(root)).sort()).toEqual([
      'files',
      'grounded-chat-inuse1',
      'grounded-chat-testing',
    ]);
    expect(await readdir(join(files, 'project'))).toEqual(['document', 'document.2.partial']);
  } finally {
    await rm(root, { recursive: true });
  }
});
