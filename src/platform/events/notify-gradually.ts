/** All listeners are notified within this time: revoked access must be noticed within five seconds. */
const maxMs = 4_000;
const intervalMs = 100;
const minBatchSize = 50;

/**
 * Returns a function that notifies the current listeners in batches over at most four seconds, the first batch at once.
 * Each listener reads the database, so that thousands at the same time would use up its connections. Listeners that
 * are removed meanwhile are left out. A new round replaces the running one.
 */
export function createGradualNotifier<Listener>(
  current: () => Iterable<Listener>,
  notify: (listener: Listener) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    const listeners = [...new Set(current())];
    const size = Math.max(minBatchSize, Math.ceil((listeners.length * intervalMs) / maxMs));
    const notifyFrom = (from: number) => {
      const next = from + size;
      if (next < listeners.length) timer = setTimeout(notifyFrom, intervalMs, next).unref();
      const open = new Set(current());
      for (const listener of listeners.slice(from, next)) if (open.has(listener)) notify(listener);
    };
    notifyFrom(0);
  };
}
