import { statfsSync } from 'node:fs';
import type { Logger } from 'pino';
import { createDiskReserve } from './disk-reserve.ts';
import { diskFullError } from './errors.ts';

/** The free space of the disk that contains the data. */
export interface DiskSpace {
  /**
   * Checks that there is room to store something. Call it before work that a caller requests. Small writes of the
   * service itself, such as counters, go on.
   * @throws DomainError UNAVAILABLE when the disk is full.
   */
  requireSpace(): void;
  stop(): void;
}

/** For a database on another machine, which reports a full disk itself. */
export const unlimitedDiskSpace: DiskSpace = { requireSpace: () => {}, stop: () => {} };

const mebibyte = 1_048_576;
/**
 * Below this free space, the service stores nothing for callers. Large enough for the WAL: Postgres grows it to 64 MB,
 * and exits if it cannot.
 */
const minFreeBytes = 64 * mebibyte;
/** Below this free space, a file of the reserve is deleted: one segment of the WAL has 16 MiB. */
const criticalFreeBytes = 24 * mebibyte;
const intervalMs = 1_000;

/** Watches the disk of `directory`. `readFreeBytes` returns its free space. */
export function watchDiskSpace({
  directory,
  log,
  readFreeBytes = () => freeBytesOf(directory),
}: {
  readonly directory: string;
  readonly log: Logger;
  readonly readFreeBytes?: () => number;
}): DiskSpace {
  const reserve = createDiskReserve(directory);
  let isFull = false;
  const readDisk = () => {
    const freeBytes = readFreeBytes();
    const wasFull = isFull;
    isFull = freeBytes < minFreeBytes;
    if (isFull !== wasFull)
      log.warn({ freeBytes }, isFull ? 'the disk is full' : 'the disk has room');
    // The last file is left for the next start, which writes to the WAL.
    if (freeBytes < criticalFreeBytes && reserve.count() > 1) reserve.releaseOne();
    return freeBytes;
  };
  /** If the free space cannot be read, the last known state applies. */
  const check = () => {
    try {
      readDisk();
    } catch (error) {
      log.warn({ err: error }, 'cannot read the free disk space');
    }
    return isFull;
  };
  const fillReserve = async () => {
    try {
      if (readDisk() >= minFreeBytes + reserve.fileBytes) await reserve.addOne();
    } catch (error) {
      log.warn({ err: error }, 'cannot reserve disk space');
    }
  };
  const timer = setInterval(() => void fillReserve(), intervalMs);
  timer.unref();
  return {
    requireSpace() {
      if (check()) throw diskFullError();
    },
    stop: () => clearInterval(timer),
  };
}

/** Deletes files of the reserve until Postgres has room to recover and to start. */
export function releaseReserveForStart(
  directory: string,
  readFreeBytes: () => number = () => freeBytesOf(directory),
): void {
  const reserve = createDiskReserve(directory);
  while (readFreeBytes() < criticalFreeBytes && reserve.count() > 0) reserve.releaseOne();
}

function freeBytesOf(directory: string): number {
  const { bavail, blocks, bsize } = statfsSync(directory);
  // Some file systems have no size.
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}
