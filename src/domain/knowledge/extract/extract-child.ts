import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ExtractRequest } from './extract-message.ts';
import type { ExtractedText } from './extracted-text.ts';
import type { ExtractLimits } from './limits.ts';
import { readInChild } from './read-in-child.ts';

const HEAP_SHARE_OF_MEMORY = 0.6;

/** A process that reads one file after the other and holds nothing worth stealing: no environment. */
export interface ExtractChild {
  readonly filesRead: number;
  readonly isAlive: boolean;
  /** Throws `ExtractError`; after a limit, a crash or an abort the process is dead. */
  read(request: Omit<ExtractRequest, 'limits'>, signal?: AbortSignal): Promise<ExtractedText>;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

/** Starts the process. The limits hold for each file it reads. */
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
      ...(isSource ? sourceFlags() : []),
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Node strips types by itself; releases differ in whether they want, know or have dropped the flag. */
function sourceFlags(): string[] {
  const flag = '--experimental-strip-types';
  return process.allowedNodeEnvironmentFlags.has(flag) ? [flag] : [];
}
