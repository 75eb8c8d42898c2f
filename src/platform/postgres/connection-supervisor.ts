import type { Logger } from 'pino';
import { sleep, waitWithTimeout } from '../wait.ts';

/** A long-lived database connection that receives notifications. */
export interface Connection {
  /** Watches the connection. Rejects when it is lost or its heartbeat fails. Settles when the signal aborts. */
  monitor(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectionSupervisor {
  stop(): Promise<void>;
}

/**
 * Keeps one connection open. Reconnects with backoff as often as needed. Rejects if the very first connection fails.
 */
export async function superviseConnection({
  open,
  onOpen,
  log,
}: {
  open(): Promise<Connection>;
  /** Called each time a connection is open. Notifications sent before that may have been missed. */
  onOpen(): void;
  readonly log: Logger;
}): Promise<ConnectionSupervisor> {
  const stopping = new AbortController();
  const { signal } = stopping;

  const supervise = async (first: Connection) => {
    let connection: Connection | null = first;
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        connection ??= await open();
        onOpen();
        failures = 0;
        await connection.monitor(signal);
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'notification connection lost, reconnecting');
      }
      // Do not wait for `close` without a limit: on a dead connection it may never resolve.
      if (connection !== null) {
        await waitWithTimeout(closeTimeoutMs, connection.close()).catch(() => {});
      }
      connection = null;
      await sleep(backoffMs(failures), signal);
    }
  };
  const supervision = supervise(await open());
  return {
    async stop() {
      stopping.abort();
      await waitWithTimeout(2 * closeTimeoutMs, supervision);
    },
  };
}

const closeTimeoutMs = 1_000;

/**
 * Returns the delay before the next attempt: exponential backoff from 100 ms to 5 s. The random part keeps processes
 * from reconnecting at the same time.
 */
function backoffMs(failures: number): number {
  return Math.min(100 * 2 ** failures, 5_000) * (0.5 + Math.random() / 2);
}
