/**
 * Runs `load` and, where it is asked for meanwhile, once more behind it: an answer that is on its way may not know yet
 * of what has just happened, and urql does not ask the same twice at a time.
 */
export function createRefresh(load: () => Promise<unknown>): () => void {
  let isRunning = false;
  let isDue = false;
  return async () => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isDue) {
        isDue = false;
        await load();
      }
    } finally {
      isRunning = false;
    }
  };
}
