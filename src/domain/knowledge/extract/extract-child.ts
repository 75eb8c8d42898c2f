import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ExtractRequest, ExtractResponse } from './extract-message.ts';
import { ExtractError, type ExtractedText } from './extracted-text.ts';
import type { ExtractLimits } from './limits.ts';

const MEMORY_CHECK_MS = 50;
const HEAP_SHARE_OF_MEMORY = 0.6;

/** A process that reads one file after the other and holds nothing worth stealing: no environment. */
export interface ExtractChild {
  readonly filesRead: number;
  readonly isAlive: boolean;
  /** Throws `ExtractError`; the process is dead after a limit, a crash or an abort, and may be after any. */
  read(request: Omit<ExtractRequest, 'limits'>, signal?: AbortSignal): Promise<ExtractedText>;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

/** Starts the process. Limits hold for each file it reads. */
export function spawnExtractChild(limits: ExtractLimits): ExtractChild {
  const child = forkWorker(limits);
  let filesRead = 0;
  let isAlive = true;
  const gone = new Promise<void>((resolve) => {
    const leave = () => {
      isAlive = false;
      resolve();
    };
    child.once('exit', leave);
    child.once('error', leave);
  });
  holdParent(child, false);
  return {
    get filesRead() {
      return filesRead;
    },
    get isAlive() {
      return isAlive;
    },
    async read(request, signal) {
      signal?.throwIfAborted();
      filesRead += 1;
      holdParent(child, true);
      try {
        return await readInChild(child, { ...request, limits }, signal);
      } finally {
        holdParent(child, false);
      }
    },
    kill() {
      if (isAlive) holdParent(child, true);
      child.kill('SIGKILL');
      return gone;
    },
  };
}

/** An idle child must not keep the service from ending. */
function holdParent(child: ChildProcess, isHeld: boolean): void {
  if (isHeld) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function forkWorker(limits: ExtractLimits): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = new URL(isSource ? './extract-worker.ts' : './extract-worker.js', import.meta.url);
  const heapMegabytes = Math.floor((limits.memoryBytes * HEAP_SHARE_OF_MEMORY) / 1024 / 1024);
  return fork(fileURLToPath(entry), [], {
    env: {},
    execArgv: [
      `--max-old-space-size=${heapMegabytes}`,
      // May read files, but not write any, start processes or load native code.
      '--permission',
      '--allow-fs-read=*',
      ...(isSource ? ['--experimental-strip-types'] : []),
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function readInChild(
  child: ChildProcess,
  request: ExtractRequest,
  signal: AbortSignal | undefined,
): Promise<ExtractedText> {
  const { timeoutMs, memoryBytes } = request.limits;
  return new Promise((resolve, reject) => {
    let reason: unknown;
    const killFor = (error: unknown) => {
      reason ??= error;
      child.kill('SIGKILL');
    };
    const onMessage = (response: ExtractResponse) => {
      stopWatching();
      if (response.outcome === 'text') resolve(response.extracted);
      else reject(errorOf(response));
    };
    const onExit = (code: number | null, exitSignal: NodeJS.Signals | null) => {
      stopWatching();
      reject(reason ?? crashError(code, exitSignal));
    };
    const onError = (error: Error) => {
      stopWatching();
      reject(error);
    };
    const onAbort = () => killFor(signal?.reason);
    const timer = setTimeout(() => killFor(timeError(timeoutMs)), timeoutMs);
    const memoryWatch = setInterval(async () => {
      if ((await residentBytes(child)) > memoryBytes) killFor(memoryError());
    }, MEMORY_CHECK_MS);
    const stopWatching = () => {
      clearTimeout(timer);
      clearInterval(memoryWatch);
      signal?.removeEventListener('abort', onAbort);
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    child.on('message', onMessage).once('exit', onExit).once('error', onError);
    child.send(request, (error) => {
      if (error !== null) killFor(error);
    });
  });
}

/** Zero where the system does not tell; there the heap limit and the time limit remain. */
async function residentBytes({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

function errorOf(response: Exclude<ExtractResponse, { outcome: 'text' }>): Error {
  if (response.outcome === 'unavailable') return new Error(response.message);
  return new ExtractError(response.code, response.message);
}

function timeError(timeoutMs: number): ExtractError {
  return new ExtractError('TOO_LARGE', `Reading the file took longer than ${timeoutMs / 1000} s.`);
}

function memoryError(): ExtractError {
  return new ExtractError('TOO_LARGE', 'Reading the file takes more memory than allowed.');
}

/** V8 aborts when its heap is full; the system kills when its memory is. */
function crashError(code: number | null, signal: NodeJS.Signals | null): Error {
  if (signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134) return memoryError();
  return new ExtractError('CORRUPT_FILE', 'The file made its reader crash.');
}
