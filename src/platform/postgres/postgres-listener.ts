import { once } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import {
  type Connection,
  type ConnectionSupervisor,
  superviseConnection,
} from './connection-supervisor.ts';
import { runHeartbeat } from './heartbeat.ts';

export interface PostgresListenerSettings {
  /** URL of a direct connection or a session pooler. Through a transaction pooler, LISTEN receives nothing. */
  readonly connectionString: string;
  readonly name: string;
  readonly channel: string;
  readonly log: Logger;
  readonly onNotification: (payload: string) => void;
  /** Called after each LISTEN. Notifications sent before that may have been missed. */
  readonly onListening: () => void;
  /**
   * Milliseconds between heartbeats, 15,000 by default. A missing heartbeat shows that a pooler drops notifications.
   */
  readonly heartbeatIntervalMs?: number | undefined;
}

/**
 * Listens to one notification channel over a dedicated connection. Reconnects, as often as needed, when the connection
 * is lost or its heartbeat fails. Rejects if the very first connection fails.
 */
export function startPostgresListener(
  settings: PostgresListenerSettings,
): Promise<ConnectionSupervisor> {
  const { log, onListening } = settings;
  return superviseConnection({ open: () => openListener(settings), onOpen: onListening, log });
}

/**
 * Timeout of connecting and of each query. Long, because storing a large document blocks the embedded database for
 * several seconds.
 */
const timeoutMs = 30_000;
/**
 * Common prefix of the heartbeat payloads of all processes. Each process waits for its own payload and ignores the
 * rest.
 */
const heartbeatPrefix = '{"topic":"beat"';

async function openListener({
  connectionString,
  name,
  channel,
  onNotification,
  heartbeatIntervalMs = 15_000,
}: PostgresListenerSettings): Promise<Connection> {
  const client = new pg.Client({
    connectionString,
    application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // Does nothing, because `rejectOnEnd` reports the lost connection. Without a listener, 'error' would crash the
  // process.
  client.on('error', () => {});
  const heartbeatPayload = `${heartbeatPrefix},"node":"${crypto.randomUUID()}"}`;
  let isHeartbeatReceived = true;
  client.on('notification', ({ payload = '' }) => {
    if (payload === heartbeatPayload) isHeartbeatReceived = true;
    else if (!payload.startsWith(heartbeatPrefix)) onNotification(payload);
  });
  const close = () => client.end().catch(() => {});
  try {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    close,
    monitor: (signal) =>
      runHeartbeat({
        intervalMs: heartbeatIntervalMs,
        signal,
        connectionLost: rejectOnEnd(client, signal),
        isReceived: () => isHeartbeatReceived,
        send() {
          isHeartbeatReceived = false;
          // Not awaited, because a failed query is detected as a heartbeat that is not received.
          client.query('select pg_notify($1, $2)', [channel, heartbeatPayload]).catch(() => {});
        },
      }),
  };
}

async function rejectOnEnd(client: pg.Client, signal: AbortSignal): Promise<never> {
  await once(client, 'end', { signal });
  throw new Error('Connection closed');
}
