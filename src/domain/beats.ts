import { setTimeout as delay } from 'node:timers/promises';

/**
 * Sends a beat every `everyMs`. Rejects when one has not been heard by the time of the next, or when `ended` does;
 * ends when the signal aborts.
 */
export async function keepBeating({
  send,
  isHeard,
  ended,
  everyMs,
  signal,
}: {
  send(): void;
  /** Whether the last beat has been heard. */
  isHeard(): boolean;
  readonly ended: Promise<never>;
  readonly everyMs: number;
  readonly signal: AbortSignal;
}): Promise<void> {
  const lost = new AbortController();
  const stop = () => lost.abort();
  const beating = async () => {
    for (;;) {
      await delay(everyMs, undefined, { signal: lost.signal });
      if (!isHeard()) throw new Error('Notifications do not arrive');
      send();
    }
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await Promise.race([ended, beating()]);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}
