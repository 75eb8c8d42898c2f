import { createFairSlots } from '../platform/fair-slots.ts';
import type { Chunk } from './chunk-text.ts';
import { defaultExtractLimits, type ExtractLimits } from './extract-limits.ts';
import type { FileType } from './extracted-text.ts';
import { type ExtractorProcess, spawnExtractorProcess } from './extractor-process.ts';

/** After this many files a process is replaced, which bounds the effect of memory leaks. */
const maxFilesPerProcess = 100;
const idleTimeoutMs = 60_000;
const defaultProcesses = 3;

/** Extracts the chunks of untrusted files in separate processes with resource limits. */
export interface Extractor {
  /**
   * Waits for a free process, extracts the text and splits it into chunks. Throws the signal's reason when the signal aborts. Throws an error
   * other than ExtractError when a retry may succeed.
   * @throws ExtractError when the file cannot be read.
   */
  extract(
    file: { readonly path: string; readonly type: FileType },
    options?: {
      readonly signal?: AbortSignal;
      /** Files of one group leave a process free for other groups, if there are several processes. */
      readonly group?: string;
    },
  ): Promise<readonly Chunk[]>;
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
  const stopController = new AbortController();
  const slots = createFairSlots(options.processes ?? defaultProcesses);

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
    async extract(file, { signal, group = '' } = {}) {
      const combinedSignal = AbortSignal.any(
        signal === undefined ? [stopController.signal] : [stopController.signal, signal],
      );
      combinedSignal.throwIfAborted();
      using _slot = await slots.acquire(group, combinedSignal);
      combinedSignal.throwIfAborted();
      const child = acquireProcess();
      try {
        return await child.extract({ path: file.path, type: file.type }, combinedSignal);
      } finally {
        releaseProcess(child);
      }
    },
    async stop() {
      stopController.abort(new Error('The extractor was stopped'));
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...children].map(killProcess));
    },
  };
}
