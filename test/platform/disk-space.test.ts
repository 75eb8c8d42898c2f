import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { releaseReserveForStart, watchDiskSpace } from '../../src/platform/disk-space.ts';
import { isDiskFull, toUnavailable } from '../../src/platform/errors.ts';
import { createLog } from '../../src/server/log.ts';

const mebibyte = 1_048_576;
const log = createLog('silent', {});
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'grounded-chat-disk-space-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function reserveOf(...names: string[]): Promise<void> {
  for (const name of names) await writeFile(join(directory, name), '');
}

test('nothing is stored while less than 64 MiB are free, and the message names no path', () => {
  let free = 64 * mebibyte;
  const disk = watchDiskSpace({ directory, log, readFreeBytes: () => free });
  try {
    disk.requireSpace();
    free -= 1;
    expect(disk.requireSpace).toThrow(/^The disk of the service is full/);
    free += 1;
    disk.requireSpace();
  } finally {
    disk.stop();
  }
});

test('two files are reserved while there is room', async () => {
  const disk = watchDiskSpace({ directory, log, readFreeBytes: () => 96 * mebibyte });
  try {
    const reserve = ['disk-reserve-1', 'disk-reserve-2'];
    const read = async () => expect((await readdir(directory)).sort()).toEqual(reserve);
    await vi.waitFor(read, { timeout: 20_000, interval: 50 });
  } finally {
    disk.stop();
  }
});

test('one file of the reserve is for the running service, and the last one for the next start', async () => {
  await reserveOf('disk-reserve-1', 'disk-reserve-2');
  const disk = watchDiskSpace({ directory, log, readFreeBytes: () => 0 });
  for (let time = 0; time < 3; time += 1) expect(disk.requireSpace).toThrow('disk');
  disk.stop();
  expect(await readdir(directory)).toEqual(['disk-reserve-1']);
  releaseReserveForStart(directory, () => 25 * mebibyte);
  expect(await readdir(directory)).toEqual(['disk-reserve-1']);
  releaseReserveForStart(directory, () => 0);
  expect(await readdir(directory)).toEqual([]);
});

test.each(['ENOSPC', 'EDQUOT', '53100'])('%s of the disk or of Postgres is a full disk', (code) => {
  const error = Object.assign(new Error('no space left on device, write /data/x'), { code });
  expect(isDiskFull(error)).toBe(true);
  const unavailable = toUnavailable(new Error('outer', { cause: error }));
  expect(unavailable).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
  expect(unavailable?.message).not.toContain('/data');
});
