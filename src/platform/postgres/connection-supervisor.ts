import type { Logger } from 'pino';
import { sleep, waitWithTimeout } from '../wait.ts';

/** A long-lived database connection that receives notifications. */
export interface Connection {
  /**
   * Watches the connection until `signal` aborts. Rejects when the connection is lost or its heartbeat fails. The
   * promise settles when the signal aborts.
   */
  monitor(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectionSupervisor {
  stop(): Promise<void>;
}

/**
 * Keeps one connection open. Reconnects with backoff, without a limit on the number of attempts. Rejects only if the
 * first connection fails.
 */
export async function superviseConnection({
  open,
  onOpen,
  log,
}: {
  open(): Promise<Connection>;
  /** Called each time a connection has been opened. Earlier notifications may have been missed. */
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
      // Waits for `close` with a time limit, because `close` may never resolve on a dead connection.
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
 * Returns the delay before the next attempt: exponential backoff from 100 ms to 5 s. A random part prevents all
 * processes from reconnecting at the same time.
 */
function backoffMs(failures: number): number {
  return Math.min(100 * 2 ** failures, 5_000) * (0.5 + Math.random() / 2);
}
