import { defaultExtractLimits, type ExtractLimits } from './extract-limits.ts';
import type { ExtractedText, FileType } from './extracted-text.ts';
import { type ExtractorProcess, spawnExtractorProcess } from './extractor-process.ts';

/** After this many files a process is replaced, which bounds the effect of memory leaks. */
const maxFilesPerProcess = 100;
const idleTimeoutMs = 60_000;

/** Extracts text from untrusted files in separate processes with resource limits. */
export interface Extractor {
  /**
   * Waits for a free process and extracts the text. Throws the signal's reason when the signal aborts. Throws an error
   * other than ExtractError when a retry may succeed.
   * @throws ExtractError when the file cannot be read.
   */
  extract(
    file: { readonly path: string; readonly type: FileType },
    options?: { readonly signal?: AbortSignal },
  ): Promise<ExtractedText>;
  /** Kills all processes. Extractions that are running fail. */
  stop(): Promise<void>;
}

/** Creates an extractor. It starts processes when needed and stops them after one minute without work. */
export function startExtractor(
  options: { readonly processes?: number; readonly limits?: Partial<ExtractLimits> } = {},
): Extractor {
  const limits = { ...defaultExtractLimits, ...options.limits };
  const idle: { child: ExtractorProcess; timer: NodeJS.Timeout }[] = [];
  const children = new Set<ExtractorProcess>();
  const waiters: (() => void)[] = [];
  const stopController = new AbortController();
  let freeSlots = options.processes ?? 2;

  const acquireProcess = (): ExtractorProcess => {
    for (let spare = idle.pop(); spare !== undefined; spare = idle.pop()) {
      clearTimeout(spare.timer);
      if (spare.child.isAlive) return spare.child;
      children.delete(spare.child);
    }
    const child = spawnExtractorProcess(limits);
    children.add(child);
    return child;
  };
  const killProcess = async (child: ExtractorProcess): Promise<void> => {
    await child.kill();
    children.delete(child);
  };
  const releaseProcess = (child: ExtractorProcess): void => {
    if (!child.isAlive || child.filesRead >= maxFilesPerProcess) {
      void killProcess(child);
      return;
    }
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((spare) => spare.child === child),
        1,
      );
      void killProcess(child);
    }, idleTimeoutMs).unref();
    idle.push({ child, timer });
  };

  return {
    async extract(file, { signal } = {}) {
      const combinedSignal = AbortSignal.any(
        signal === undefined ? [stopController.signal] : [stopController.signal, signal],
      );
      combinedSignal.throwIfAborted();
      if (freeSlots > 0) freeSlots -= 1;
      else await waitForSlot(waiters, combinedSignal);
      try {
        const child = acquireProcess();
        try {
          return await child.extract({ path: file.path, type: file.type }, combinedSignal);
        } finally {
          releaseProcess(child);
        }
      } finally {
        const next = waiters.shift();
        if (next === undefined) freeSlots += 1;
        else next();
      }
    },
    async stop() {
      stopController.abort(new Error('The extractor was stopped'));
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...children].map(killProcess));
    },
  };
}

/** Waits until a process may be used. On abort, removes itself from `waiters` and rejects. */
function waitForSlot(waiters: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      waiters.splice(waiters.indexOf(onSlotFree), 1);
      reject(signal.reason);
    };
    const onSlotFree = () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    waiters.push(onSlotFree);
  });
}
