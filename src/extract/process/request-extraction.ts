import { type ChildProcess, execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { ExtractError } from '../extracted-text.ts';
import type { ExtractRequest, ExtractResponse } from './extract-protocol.ts';
import { startDeadline } from './extraction-deadline.ts';

const memoryCheckIntervalMs = 50;

const runFile = promisify(execFile);

/**
 * Sends one file to the child process and returns its result. Kills the child on abort, and when the child exceeds the
 * time or memory limit. If the child crashes, the file counts as unreadable. If the child could not start, or an
 * external signal stopped it, a retry may succeed.
 * @throws ExtractError when the file cannot be read.
 */
export function requestExtraction(
  child: ChildProcess,
  { path, ...request }: ExtractRequest & { readonly path: string },
  signal: AbortSignal | undefined,
): Promise<ExtractResult> {
  const { limits } = request;
  return new Promise((resolve, reject) => {
    let isPending = true;
    let hasStarted = false;
    let hasUsedOcr = false;
    let reason: unknown;
    const killWith = (error: unknown) => {
      // The file may have been finished while the memory was checked. The child may then already read the next file, so
      // it is not killed.
      if (!isPending) return;
      reason ??= error;
      child.kill('SIGKILL');
    };
    const onMessage = (response: ExtractResponse) => {
      if (response.outcome === 'started') hasStarted = true;
      else if (response.outcome === 'ocr') {
        hasUsedOcr = true;
        if (response.isRunning) deadline.startPage();
        else deadline.endPage();
      } else finish(response);
    };
    const finish = (response: ExtractResult | Unreadable) => {
      cleanUp();
      if (response.outcome === 'unreadable') reject(toError(response));
      else resolve(response);
    };
    const onExit = (code: number | null, exitSignal: NodeJS.Signals | null) => {
      cleanUp();
      const error = reason ?? (hasStarted ? crashError : startError)(code, exitSignal);
      reject(hasUsedOcr && error instanceof ExtractError ? new OcrLimitError(error) : error);
    };
    const onError = (error: Error) => {
      cleanUp();
      reject(error);
    };
    const onAbort = () => killWith(signal?.reason);
    const deadline = startDeadline(limits, (limitMs) => killWith(timeoutError(limitMs)));
    const memoryTimer = setInterval(async () => {
      if ((await residentMemoryBytes(child)) > limits.memoryBytes) killWith(memoryError());
    }, memoryCheckIntervalMs);
    const cleanUp = () => {
      isPending = false;
      deadline.clear();
      clearInterval(memoryTimer);
      signal?.removeEventListener('abort', onAbort);
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    child.on('message', onMessage).once('exit', onExit).once('error', onError);
    child.send(request, (error) => {
      if (error !== null) killWith(error);
    });
    sendFile(child, path, request.sizeBytes).catch((error) => killWith(unreadError(error)));
  });
}

/** Thrown when the child exceeded a limit or crashed after it had used OCR. The file may be readable without OCR. */
export class OcrLimitError extends ExtractError {
  constructor(cause: ExtractError) {
    super(cause.code, cause.message, { cause });
  }
}

/** Successful result of a child process. */
export type ExtractResult = Extract<
  ExtractResponse,
  { outcome: 'chunks' | 'page' | 'sitemap' | 'pack' }
>;

/** Writes the file to the child's stdin. stdin stays open for the next file. */
async function sendFile({ stdin }: ChildProcess, path: string, sizeBytes: number): Promise<void> {
  if (stdin === null) throw new Error('The extraction process has no stdin');
  if (sizeBytes === 0) return;
  const file = createReadStream(path, { end: sizeBytes - 1 });
  for await (const part of file) await write(stdin, part);
  if (file.bytesRead < sizeBytes) throw new Error('The file became shorter while it was read');
}

function write(stream: Writable, part: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(part, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Returns the resident memory of the child in bytes. Returns 0 if the platform does not report it. The heap limit and
 * the time limit then still apply.
 */
async function residentMemoryBytes({ pid }: ChildProcess): Promise<number> {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  }
  const listing = runFile('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return Number((await listing).stdout.trim()) * 1024;
}

type Unreadable = Extract<ExtractResponse, { outcome: 'unreadable' }>;

function toError(response: Unreadable): Error {
  return new ExtractError(response.code, response.message);
}

/** Returns the error for a file that could not be read from disk. A retry may succeed. */
export function unreadError(cause: unknown): Error {
  return new Error('The file could not be read for extraction', { cause });
}

function startError(code: number | null, signal: NodeJS.Signals | null): Error {
  return new Error(`The extraction process could not start: it exited with ${signal ?? code}`);
}

function timeoutError(timeoutMs: number): ExtractError {
  return new ExtractError('TOO_LARGE', `Text extraction took longer than ${timeoutMs / 1000} s.`);
}

function memoryError(): ExtractError {
  return new ExtractError('TOO_LARGE', 'Text extraction exceeded the memory limit.');
}

/**
 * Converts the exit of the child to an error. SIGABRT (exit code 134) means that the V8 heap is full. SIGKILL means
 * that the system ran out of memory. SIGINT, SIGTERM and SIGHUP mean a shutdown, so a retry may succeed.
 */
function crashError(code: number | null, signal: NodeJS.Signals | null): Error {
  if (signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134) return memoryError();
  if (signal === 'SIGINT' || signal === 'SIGTERM' || signal === 'SIGHUP') {
    return new Error(`The extraction process was stopped by ${signal}`);
  }
  return new ExtractError('CORRUPT_FILE', 'Text extraction crashed. The file is probably damaged.');
}
