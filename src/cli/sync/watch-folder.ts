import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { watch } from 'chokidar';
import { ruleFiles } from './ignore-rules.ts';

export interface WatchTimes {
  /** All changes within this time cause only one sync. */
  readonly debounceMs: number;
  /** A change is synced after this time at the latest, even if further changes follow. */
  readonly maxWaitMs: number;
  /**
   * Time until the next sync after a failed sync. If changes cannot be watched, the folder is synced at this interval.
   */
  readonly retryMs: number;
}

const defaultTimes: WatchTimes = { debounceMs: 500, maxWaitMs: 5_000, retryMs: 30_000 };

/**
 * Calls `sync` after each change of the folder, one call at a time, until the signal aborts. If `sync` returns false,
 * `sync` is called again later.
 */
export async function watchFolder(
  root: string,
  sync: () => Promise<boolean>,
  signal: AbortSignal,
  {
    onError,
    times = defaultTimes,
  }: { onError(message: string): void; readonly times?: WatchTimes },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let firstChangeAt: number | null = null;
  let running: Promise<void> = Promise.resolve();
  let isQueued = false;
  let isReady = false;
  let isBlind = false;
  const schedule = (at: number) => {
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(start, Math.max(0, at - Date.now()));
  };
  const retryLater = () => schedule(Math.min(dueAt, Date.now() + times.retryMs));
  const start = () => {
    clearTimeout(timer);
    dueAt = Number.POSITIVE_INFINITY;
    firstChangeAt = null;
    if (isQueued) return;
    isQueued = true;
    running = running.then(async () => {
      isQueued = false;
      if (signal.aborted) return;
      const isDone = await sync();
      if ((!isDone || isBlind) && !signal.aborted) retryLater();
    });
  };
  // The watcher follows no symbolic links. So if the root is a link, resolve it here.
  const realRoot = await realpath(root).catch(() => root);
  const watcher = watch(realRoot, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => path !== realRoot && isNeverRead(basename(path)),
  });
  watcher.on('all', () => {
    // Ignore changes until the watcher is ready: the first sync finds them.
    if (!isReady) return;
    const now = Date.now();
    firstChangeAt ??= now;
    schedule(Math.min(now + times.debounceMs, firstChangeAt + times.maxWaitMs));
  });
  watcher.on('error', (error) => {
    if (!isBlind) onError(`Changes cannot be watched: ${messageOf(error)}`);
    isBlind = true;
    retryLater();
  });
  // This sync finds changes that were made before the watcher was ready.
  watcher.on('ready', () => {
    isReady = true;
    start();
  });
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
  clearTimeout(timer);
  await watcher.close();
  await running;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Files with ignore rules are watched, because their changes may add and remove files. */
function isNeverRead(name: string): boolean {
  return name === 'node_modules' || (name.startsWith('.') && !ruleFiles.includes(name));
}
