import { setTimeout } from 'node:timers/promises';

/**
 * Wraps `read` so that concurrent callers share one call. So if a dependency hangs, no caller waits longer than `timeoutMs`,
 * and calls to the dependency do not pile up.
 */
export function singleFlight<T>(read: () => Promise<T>, timeoutMs: number): () => Promise<T> {
  let running: { readonly result: Promise<T>; readonly startedAt: number } | null = null;

  const start = () => {
    const call = { result: read(), startedAt: performance.now() };
    const clear = () => {
      if (running === call) running = null;
    };
    call.result.then(clear, clear);
    return call;
  };

  return () => {
    if (running === null || performance.now() - running.startedAt > abandonAfterMs)
      running = start();
    return withTimeout(running.result, timeoutMs);
  };
}

/**
 * After this time a call no longer counts, because it may never return, for example on a dead connection. The next
 * caller starts a new call.
 */
const abandonAfterMs = 30_000;

async function withTimeout<T>(result: Promise<T>, timeoutMs: number): Promise<T> {
  const settled = new AbortController();
  try {
    return await Promise.race([result, rejectAfter(timeoutMs, settled.signal)]);
  } finally {
    settled.abort();
  }
}

async function rejectAfter(timeoutMs: number, signal: AbortSignal): Promise<never> {
  await setTimeout(timeoutMs, undefined, { signal });
  throw new Error(`No response within ${timeoutMs} ms`);
}
