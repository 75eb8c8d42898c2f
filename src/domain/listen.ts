import { once } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import { keepBeating } from './beats.ts';
import { type KeptLine, keepLine, type Line } from './keep-line.ts';

export interface ListenSettings {
  /** Of a session of one's own: behind a pooler for transactions nothing is heard. */
  readonly connectionString: string;
  readonly name: string;
  readonly channel: string;
  readonly log: Logger;
  readonly onNotification: (payload: string) => void;
  /** Anything may have been missed: called each time that a connection listens. */
  readonly onListening: () => void;
  /** How often it is tried whether notifications arrive: in some poolers they get lost. */
  readonly beatMs?: number | undefined;
}

/**
 * Hears the notifications of a channel over one connection of its own. A connection that is lost, or by which nothing
 * is heard, is made anew for ever. Rejects when the first one cannot be made.
 */
export function startListening(settings: ListenSettings): Promise<KeptLine> {
  const { log, onListening } = settings;
  return keepLine({ open: () => listen(settings), onOpen: onListening, log });
}

/** A large document that is being stored holds the embedded database for seconds. */
const timeoutMs = 30_000;
/** How the beats of all nodes begin. */
const beatTopic = '{"topic":"beat"';

async function listen({
  connectionString,
  name,
  channel,
  onNotification,
  beatMs = 15_000,
}: ListenSettings): Promise<Line> {
  const client = new pg.Client({
    connectionString,
    application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // Told by `untilLost`; without a listener it would end the process.
  client.on('error', () => {});
  const beat = `${beatTopic},"node":"${crypto.randomUUID()}"}`;
  let isHeard = true;
  client.on('notification', ({ payload = '' }) => {
    if (payload === beat) isHeard = true;
    else if (!payload.startsWith(beatTopic)) onNotification(payload);
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
    untilLost: (signal) =>
      keepBeating({
        everyMs: beatMs,
        signal,
        ended: ended(client, signal),
        isHeard: () => isHeard,
        send() {
          isHeard = false;
          // Not awaited: what is not heard by the next beat is as good as lost.
          client.query('select pg_notify($1, $2)', [channel, beat]).catch(() => {});
        },
      }),
  };
}

async function ended(client: pg.Client, signal: AbortSignal): Promise<never> {
  await once(client, 'end', { signal });
  throw new Error('The connection has ended');
}
