import { statfsSync } from 'node:fs';
import type { Logger } from 'pino';
import { createDiskReserve } from './disk-reserve.ts';
import { diskFullError } from './errors.ts';

/** The free space of the disk that contains the data. */
export interface DiskSpace {
  /**
   * Checks that the disk has space for new data. Call it before work that a caller requests. Small writes of the
   * service itself, such as counters, do not need this check.
   * @throws DomainError UNAVAILABLE when the disk is full.
   */
  requireSpace(): void;
  stop(): void;
}

/** Never refuses. Used for a database on another machine, which reports a full disk itself. */
export const unlimitedDiskSpace: DiskSpace = { requireSpace: () => {}, stop: () => {} };

const mebibyte = 1_048_576;
/**
 * Below this free space, the service stores nothing for callers. The limit leaves space for the WAL: Postgres lets the
 * WAL grow to 64 MB, and exits if the WAL cannot grow.
 */
const minFreeBytes = 64 * mebibyte;
/** Below this free space, the service deletes one file of the reserve. One segment of the WAL has 16 MiB. */
const criticalFreeBytes = 24 * mebibyte;
const intervalMs = 1_000;

/** Watches the free space of the disk that contains `directory`. `readFreeBytes` returns the free space. */
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
    // Keeps the last file for the next start, because Postgres writes to the WAL when it starts.
    if (freeBytes < criticalFreeBytes && reserve.count() > 1) reserve.releaseOne();
    return freeBytes;
  };
  /** Returns whether the disk is full. If the free space cannot be read, returns the last known state. */
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
  // Some file systems report no size.
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}
