import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchFolder } from '../../src/cli/sync/watch-folder.ts';

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
  const busy = (async () => {
    for (let n = 0; syncs.length < 3 && n < 300; n += 1) {
      await writeFile(join(folder, 'docs', 'log.md'), `${n}`);
      await sleep(50);
    }
  })();
  await busy;
  expect(syncs.length).toBeGreaterThanOrEqual(3);
  await stopped();
});

test('changes below a symbolic link to a folder are seen', async () => {
  await symlink(join(folder, 'docs'), join(folder, 'link'));
  const { syncs, stopped } = watchIn('link');
  await vi.waitUntil(() => syncs.length === 1, { timeout: 10_000 });
  await writeFile(join(folder, 'docs', 'new.md'), 'New.');
  await vi.waitUntil(() => syncs.length === 2, { timeout: 10_000 });
  await stopped();
});

function watchIn(name: string) {
  const syncs: number[] = [];
  const sync = async () => {
    syncs.push(Date.now());
    return true;
  };
  const watching = watchFolder(join(folder, name), sync, stop.signal, { onError() {}, times });
  const stopped = () => {
    stop.abort();
    return watching;
  };
  return { syncs, stopped };
}
