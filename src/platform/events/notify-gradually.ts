/** Time within which all listeners are notified. Revoked access must take effect within five seconds. */
const maxMs = 4_000;
const intervalMs = 100;
const minBatchSize = 50;

/**
 * Returns a function that notifies the current listeners in batches, over at most four seconds. The first batch is
 * notified at once. Batches are needed because each listener reads the database: thousands of reads at the same time
 * would use up its connections. Listeners that are removed in the meantime are not notified. A new call cancels the
 * rest of the previous one and starts again.
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
