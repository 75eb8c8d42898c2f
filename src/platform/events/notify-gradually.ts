/** All listeners are notified within this time: revoked access must be noticed within five seconds. */
const maxMs = 4_000;
const intervalMs = 100;
const minBatchSize = 50;

/**
 * Notifies listeners in batches over at most four seconds, the first batch at once. Each listener reads the database, so
 * that thousands at the same time would use up its connections.
 */
export function notifyGradually<Listener>(
  listeners: readonly Listener[],
  notify: (listener: Listener) => void,
): void {
  const size = Math.max(minBatchSize, Math.ceil((listeners.length * intervalMs) / maxMs));
  const notifyFrom = (from: number) => {
    for (const listener of listeners.slice(from, from + size)) notify(listener);
    const next = from + size;
    if (next < listeners.length) setTimeout(notifyFrom, intervalMs, next).unref();
  };
  notifyFrom(0);
}
