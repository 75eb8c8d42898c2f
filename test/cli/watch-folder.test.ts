import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'vitest';
import { watchFolder } from '../../src/cli/sync/watch-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

const times = { debounceMs: 300, maxWaitMs: 1_000, retryMs: 60_000 };
let folder: string;
let stop: AbortController;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grounded-chat-watch-'));
  await mkdir(join(folder, 'docs'));
  stop = new AbortController();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a file that changes all the time does not postpone the first and the next sync', async () => {
  const { syncs, stopped } = watchIn('docs');
  let writes = 0;
  // Pauses between writes are always shorter than the pause that a sync waits for.
  const writeOnce = async () => {
    await writeFile(join(folder, 'docs', 'log.md'), `${writes}`);
    writes += 1;
    return syncs() >= 3;
  };
  await waitUntil(writeOnce, { timeoutMs: 15_000, intervalMs: 50 });
  await stopped();
});

test('changes below a symbolic link to a folder are seen', async () => {
  await symlink(join(folder, 'docs'), join(folder, 'link'));
  const { syncs, stopped } = watchIn('link');
  await waitUntil(() => syncs() === 1);
  await writeFile(join(folder, 'docs', 'new.md'), 'New.');
  await waitUntil(() => syncs() === 2);
  await stopped();
});

function watchIn(name: string) {
  let syncs = 0;
  const sync = async () => {
    syncs += 1;
    return true;
  };
  const watching = watchFolder(join(folder, name), sync, stop.signal, { onError() {}, times });
  const stopped = () => {
    stop.abort();
    return watching;
  };
  return { syncs: () => syncs, stopped };
}
