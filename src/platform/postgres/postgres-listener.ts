import { once } from 'node:events';
import type pg from 'pg';
import type { Logger } from 'pino';
import { createClient } from './connection-options.ts';
import {
  type Connection,
  type ConnectionSupervisor,
  superviseConnection,
} from './connection-supervisor.ts';
import { runHeartbeat } from './heartbeat.ts';

export interface PostgresListenerSettings {
  /** URL of a direct connection or of a session pooler. A transaction pooler would deliver no notifications. */
  readonly connectionString: string;
  readonly name: string;
  readonly channel: string;
  readonly log: Logger;
  readonly onNotification: (payload: string) => void;
  /** Called after each LISTEN. Earlier notifications may have been missed. */
  readonly onListening: () => void;
  /** Milliseconds between heartbeats. Default 15,000. A missing heartbeat shows that a pooler drops notifications. */
  readonly heartbeatIntervalMs?: number | undefined;
}

/**
 * Listens to one notification channel over its own connection. Reconnects whenever the connection is lost or its
 * heartbeat fails, without a limit on the number of attempts. Rejects only if the first connection fails.
 */
export function startPostgresListener(
  settings: PostgresListenerSettings,
): Promise<ConnectionSupervisor> {
  const { log, onListening } = settings;
  return superviseConnection({ open: () => openListener(settings), onOpen: onListening, log });
}

/**
 * Timeout for connecting and for each query. Long, because storing a large document blocks the embedded database for
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
  const client = createClient(connectionString, {
    application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // This listener prevents an 'error' event from crashing the process. It does nothing, because `rejectOnEnd` reports
  // the lost connection.
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
          // The query is not awaited. If it fails, the heartbeat is not received, which is detected.
          client.query('select pg_notify($1, $2)', [channel, heartbeatPayload]).catch(() => {});
        },
      }),
  };
}

async function rejectOnEnd(client: pg.Client, signal: AbortSignal): Promise<never> {
  await once(client, 'end', { signal });
  throw new Error('Connection closed');
}
