import { type ExtractChild, spawnExtractChild } from './extract-child.ts';
import type { ExtractedText, FileType } from './extracted-text.ts';
import { DEFAULT_EXTRACT_LIMITS, type ExtractLimits } from './limits.ts';

/** After so many files a process is replaced, whatever it may have leaked. */
const FILES_PER_PROCESS = 100;
const IDLE_PROCESS_MS = 60_000;

/** Reads untrusted files in processes of their own, within limits. */
export interface Extractor {
  /**
   * Waits for a free process and reads the file. Throws `ExtractError` for a file that cannot be read,
   * the signal's reason when aborted, and any other error for trouble that may pass.
   */
  extract(
    file: { readonly path: string; readonly type: FileType },
    options?: { readonly signal?: AbortSignal },
  ): Promise<ExtractedText>;
  /** Ends all processes; reading in progress fails. */
  stop(): Promise<void>;
}

/** Makes an extractor. Its processes start when files come, and end again when none do for a minute. */
export function startExtractor(
  options: { readonly processes?: number; readonly limits?: Partial<ExtractLimits> } = {},
): Extractor {
  const limits = { ...DEFAULT_EXTRACT_LIMITS, ...options.limits };
  const idle: { child: ExtractChild; timer: NodeJS.Timeout }[] = [];
  const children = new Set<ExtractChild>();
  const waiting: (() => void)[] = [];
  const stopped = new AbortController();
  let free = options.processes ?? 2;

  const takeChild = (): ExtractChild => {
    for (let spare = idle.pop(); spare !== undefined; spare = idle.pop()) {
      clearTimeout(spare.timer);
      if (spare.child.isAlive) return spare.child;
      children.delete(spare.child);
    }
    const child = spawnExtractChild(limits);
    children.add(child);
    return child;
  };
  const endChild = async (child: ExtractChild): Promise<void> => {
    await child.kill();
    children.delete(child);
  };
  const returnChild = (child: ExtractChild): void => {
    if (!child.isAlive || child.filesRead >= FILES_PER_PROCESS) {
      void endChild(child);
      return;
    }
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((spare) => spare.child === child),
        1,
      );
      void endChild(child);
    }, IDLE_PROCESS_MS).unref();
    idle.push({ child, timer });
  };

  return {
    async extract(file, { signal } = {}) {
      const ended = AbortSignal.any(
        signal === undefined ? [stopped.signal] : [stopped.signal, signal],
      );
      ended.throwIfAborted();
      if (free > 0) free -= 1;
      else await turn(waiting, ended);
      try {
        const child = takeChild();
        try {
          return await child.read({ path: file.path, type: file.type }, ended);
        } finally {
          returnChild(child);
        }
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
    async stop() {
      stopped.abort(new Error('The extractor has been stopped'));
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...children].map(endChild));
    },
  };
}

/** Resolves when called out of the queue; an abort leaves the queue. */
function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      waiting.splice(waiting.indexOf(onTurn), 1);
      reject(signal.reason);
    };
    const onTurn = () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    waiting.push(onTurn);
  });
}
