import { type ChildProcess, execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { ExtractRequest, ExtractResponse } from './extract-message.ts';
import { ExtractError, type ExtractedText } from './extracted-text.ts';

const MEMORY_CHECK_MS = 50;

const runFile = promisify(execFile);

/**
 * Asks the child for one file and kills it for taking too long or too much memory, or on abort. A child
 * that dies by itself counts as a file that cannot be read, unless somebody else has ended it.
 */
export function readInChild(
  child: ChildProcess,
  request: ExtractRequest,
  signal: AbortSignal | undefined,
): Promise<ExtractedText> {
  const { timeoutMs, memoryBytes } = request.limits;
  return new Promise((resolve, reject) => {
    let isWatching = true;
    let reason: unknown;
    const killFor = (error: unknown) => {
      // A late measurement must not hit the file that the child reads next.
      if (!isWatching) return;
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
      isWatching = false;
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
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  }
  const listing = runFile('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return Number((await listing).stdout.trim()) * 1024;
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

/** V8 aborts when its heap is full; the system kills when its memory is; others may ask to stop. */
function crashError(code: number | null, signal: NodeJS.Signals | null): Error {
  if (signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134) return memoryError();
  if (signal === 'SIGINT' || signal === 'SIGTERM' || signal === 'SIGHUP') {
    return new Error(`The process that read the file was ended by ${signal}`);
  }
  return new ExtractError('CORRUPT_FILE', 'The file made its reader crash.');
}
