import { basename } from 'node:path';
import { watch } from 'chokidar';

/** Changes within this time are one. */
const debounceMs = 500;
/** After a failure, the folder is synced again even if it does not change. */
const retryMs = 30_000;

/**
 * Calls `sync` after each change of the folder, one call at a time, until the signal aborts. `sync` returns false if it
 * should be repeated.
 */
export async function watchFolder(
  root: string,
  sync: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const schedule = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(async () => {
        if (!signal.aborted && !(await sync())) schedule(retryMs);
      });
    }, delayMs);
  };
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => path !== root && isNeverRead(basename(path)),
  });
  watcher.on('all', () => schedule(debounceMs));
  watcher.on('error', () => schedule(retryMs));
  // Finds changes that were made before the watcher was ready.
  watcher.on('ready', () => schedule(0));
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  clearTimeout(timer);
  await watcher.close();
  await running;
}

/** Rules in `.gitignore` and `.groundedignore` may change what is read. */
function isNeverRead(name: string): boolean {
  const isRuleFile = name === '.gitignore' || name === '.groundedignore';
  return name === 'node_modules' || (name.startsWith('.') && !isRuleFile);
}
