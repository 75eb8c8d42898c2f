import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after `ms` milliseconds, or earlier when the signal aborts. Never rejects. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}

/**
 * Resolves when `work` resolves, or after `timeoutMs` if `work` takes longer. Rejects if `work` rejects before that.
 */
export async function waitWithTimeout(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  try {
    await Promise.race([work, sleep(timeoutMs, timer.signal)]);
  } finally {
    timer.abort();
  }
}
