import { setTimeout } from 'node:timers/promises';

/**
 * `read` for those who ask again and again: one call at a time, shared by all who ask meanwhile, each of whom waits
 * `timeoutMs` at most. So a dependency that hangs holds up nobody and is not asked ever more often.
 */
export function boundedRead<T>(read: () => Promise<T>, timeoutMs: number): () => Promise<T> {
  let running: { readonly result: Promise<T>; readonly startedAt: number } | null = null;

  const start = () => {
    const call = { result: read(), startedAt: performance.now() };
    const end = () => {
      if (running === call) running = null;
    };
    call.result.then(end, end);
    return call;
  };

  return () => {
    if (running === null || performance.now() - running.startedAt > lostAfterMs) running = start();
    return within(running.result, timeoutMs);
  };
}

/** A call that takes longer may never come back, for instance over a connection that is dead. */
const lostAfterMs = 30_000;

async function within<T>(result: Promise<T>, timeoutMs: number): Promise<T> {
  const settled = new AbortController();
  try {
    return await Promise.race([result, timeOut(timeoutMs, settled.signal)]);
  } finally {
    settled.abort();
  }
}

async function timeOut(timeoutMs: number, signal: AbortSignal): Promise<never> {
  await setTimeout(timeoutMs, undefined, { signal });
  throw new Error(`No answer within ${timeoutMs} ms`);
}
