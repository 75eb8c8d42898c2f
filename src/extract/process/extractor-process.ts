import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { PackLimits } from '../../platform/git/pack-file.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError } from '../extracted-text.ts';
import { defaultOcrSettings, type OcrSettings } from '../ocr/ocr-settings.ts';
import type { ExtractType } from './extract-protocol.ts';
import { forkSandbox } from './fork-sandbox.ts';
import { type ExtractResult, requestExtraction, unreadError } from './request-extraction.ts';

const heapMemoryShare = 0.6;

/** A sandboxed child process (see `forkSandbox`) that extracts one file at a time. */
export interface ExtractorProcess {
  readonly filesRead: number;
  readonly isAlive: boolean;
  /**
   * Extracts a file and splits its text into chunks, or reads a web page. After a limit violation, a crash or an abort,
   * the process has exited.
   * @throws ExtractError when the file cannot be read.
   */
  extract(file: ExtractFile, signal?: AbortSignal): Promise<ExtractResult>;
  /** Kills the process. Resolves when it has exited. */
  kill(): Promise<void>;
}

export interface ExtractFile {
  readonly path: string;
  readonly type: ExtractType;
  /** Encoding of a web page that the HTTP response declared. */
  readonly charset?: string;
  /** Default: `defaultOcrSettings`. */
  readonly ocr?: OcrSettings;
  /** Limits for the type `pack`. */
  readonly packLimits?: PackLimits;
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
    async extract(file, signal) {
      filesRead += 1;
      setReferenced(child, true);
      try {
        const sizeBytes = await readSize(file.path, limits);
        signal?.throwIfAborted();
        return await requestExtraction(
          child,
          { ocr: defaultOcrSettings, ...file, sizeBytes, limits },
          signal,
        );
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

/**
 * Sets whether the child process keeps this process running. An idle child must not prevent the service from exiting.
 */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  if (isReferenced) {
    child.ref();
    child.channel?.ref();
    if (child.stdin instanceof Socket) child.stdin.ref();
  } else {
    child.unref();
    child.channel?.unref();
    if (child.stdin instanceof Socket) child.stdin.unref();
  }
}

/**
 * Lowers the priority of the child, so that requests have precedence over extraction. Some platforms do not allow this.
 */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The platform refused the change. The limits on time and memory still apply.
  }
}

function forkWorker(limits: ExtractLimits): ChildProcess {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const entry = new URL(`./extract-worker.${extension}`, import.meta.url);
  const heapMegabytes = Math.floor((limits.memoryBytes * heapMemoryShare) / 1024 / 1024);
  const child = forkSandbox(fileURLToPath(entry), { heapMegabytes });
  // The error is ignored, because the exit of the child is reported.
  child.stdin?.on('error', () => {});
  return child;
}

/**
 * Returns the size of the file.
 * @throws ExtractError TOO_LARGE when the file exceeds the limit.
 */
async function readSize(path: string, { fileBytes }: ExtractLimits): Promise<number> {
  const { size } = await stat(path).catch((error: unknown) => {
    throw unreadError(error);
  });
  if (size <= fileBytes) return size;
  throw new ExtractError('TOO_LARGE', `The file is larger than ${fileBytes} bytes.`);
}
