import { setTimeout as delay } from 'node:timers/promises';

/**
 * Sends a heartbeat every `intervalMs`. Rejects when `connectionLost` rejects, when a heartbeat was not received before
 * the next one is due, or when the signal aborts.
 */
export async function runHeartbeat({
  send,
  isReceived,
  connectionLost,
  intervalMs,
  signal,
}: {
  send(): void;
  /** Whether the last heartbeat was received. */
  isReceived(): boolean;
  readonly connectionLost: Promise<never>;
  readonly intervalMs: number;
  readonly signal: AbortSignal;
}): Promise<void> {
  const stopController = new AbortController();
  const stop = () => stopController.abort();
  const heartbeatLoop = async () => {
    for (;;) {
      await delay(intervalMs, undefined, { signal: stopController.signal });
      if (!isReceived()) throw new Error('No heartbeat received within the heartbeat interval');
      send();
    }
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await Promise.race([connectionLost, heartbeatLoop()]);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}
