import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Chunk } from './chunk-text.ts';
import type { ExtractLimits } from './extract-limits.ts';
import type { ExtractRequest } from './extract-protocol.ts';
import { requestExtraction } from './request-extraction.ts';

const heapMemoryShare = 0.6;

/** A child process that extracts one file at a time. It gets no environment variables, so that it knows no secrets. */
export interface ExtractorProcess {
  readonly filesRead: number;
  readonly isAlive: boolean;
  /**
   * Extracts a file and splits its text into chunks. The process has exited after a limit violation, crash or abort.
   * @throws ExtractError when the file cannot be read.
   */
  extract(request: Omit<ExtractRequest, 'limits'>, signal?: AbortSignal): Promise<readonly Chunk[]>;
  /** Kills the process. Resolves when it has exited. */
  kill(): Promise<void>;
}

/** Starts a child process. The limits apply to each file separately. */
export function spawnExtractorProcess(limits: ExtractLimits): ExtractorProcess {
  const child = forkWorker(limits);
  lowerPriority(child);
  let filesRead = 0;
  let isAlive = true;
  const exited = new Promise<void>((resolve) => {
    const onExit = () => {
      isAlive = false;
      resolve();
    };
    child.once('exit', onExit);
    child.once('error', onExit);
  });
  setReferenced(child, false);
  return {
    get filesRead() {
      return filesRead;
    },
    get isAlive() {
      return isAlive;
    },
    async extract(request, signal) {
      filesRead += 1;
      setReferenced(child, true);
      try {
        return await requestExtraction(child, { ...request, limits }, signal);
      } finally {
        setReferenced(child, false);
      }
    },
    kill() {
      if (isAlive) setReferenced(child, true);
      child.kill('SIGKILL');
      return exited;
    },
  };
}

/** Sets whether the child keeps this process alive. An idle child must not prevent the service from exiting. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  if (isReferenced) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/** Gives requests precedence over the extraction, where the platform allows it. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The limits on time and memory apply in any case.
  }
}

function forkWorker(limits: ExtractLimits): ChildProcess {
  const isTypeScript = import.meta.url.endsWith('.ts');
  const entry = new URL(
    isTypeScript ? './extract-worker.ts' : './extract-worker.js',
    import.meta.url,
  );
  const heapMegabytes = Math.floor((limits.memoryBytes * heapMemoryShare) / 1024 / 1024);
  return fork(fileURLToPath(entry), [], {
    env: {},
    execArgv: [
      `--max-old-space-size=${heapMegabytes}`,
      // The child may read files. It may not write files, start processes or load native code.
      '--permission',
      '--allow-fs-read=*',
      ...(isTypeScript ? typeStrippingFlags() : []),
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Returns the flag for TypeScript support if this Node.js version accepts it. Later versions have removed the flag. */
function typeStrippingFlags(): string[] {
  const flag = '--experimental-strip-types';
  return process.allowedNodeEnvironmentFlags.has(flag) ? [flag] : [];
}
