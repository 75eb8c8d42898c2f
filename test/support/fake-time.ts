import { vi } from 'vitest';

/** Advances fake timers until the promise of `run` is settled. */
export async function withFakeTime<Value>(run: () => Promise<Value>): Promise<Value> {
  vi.useFakeTimers();
  try {
    const promise = run();
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    promise.then(settle, settle);
    while (!isSettled) await vi.advanceTimersByTimeAsync(1_000);
    return await promise;
  } finally {
    vi.useRealTimers();
  }
}
