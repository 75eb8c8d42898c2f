/**
 * Returns a function that runs `load`. Calls during a run cause one more run after it: the response of the current run
 * may be older than the change that caused the call. Runs never overlap, because urql merges identical queries that run
 * at the same time.
 */
export function coalesceReloads(load: () => Promise<unknown>): () => void {
  let isRunning = false;
  let isQueued = false;
  return async () => {
    isQueued = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isQueued) {
        isQueued = false;
        await load();
      }
    } finally {
      isRunning = false;
    }
  };
}
