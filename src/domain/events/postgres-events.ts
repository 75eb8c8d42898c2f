import { once } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import { keepBeating } from './beats.ts';
import type { Events } from './events.ts';
import { type Hint, readHint } from './hints.ts';
import { keepListening, type Line } from './keep-listening.ts';

export interface PostgresEventsSettings {
  readonly connectionString: string;
  readonly log: Logger;
  /** How often it is tried whether notifications arrive. */
  readonly beatMs?: number;
  /** How long a watch waits for a hint before it says that there is none. */
  readonly patienceMs?: number;
}

/**
 * Hints by LISTEN and NOTIFY, over one connection of its own for the whole node. A connection that is lost, or by
 * which nothing is heard, is made anew for ever; whatever is watched is looked at then. Rejects when the first one
 * cannot be made.
 */
export function startPostgresEvents({
  connectionString,
  log,
  beatMs = 15_000,
  patienceMs = 30_000,
}: PostgresEventsSettings): Promise<Events> {
  return keepListening({
    patienceMs,
    log,
    open: (watches) =>
      listen(connectionString, beatMs, (hint) => {
        if (hint.topic !== 'beat') watches.tell(hint);
      }),
  });
}

const channel = 'grounded_events';
/** A large document that is being stored holds the embedded database for seconds. */
const timeoutMs = 30_000;

async function listen(
  connectionString: string,
  beatMs: number,
  hear: (hint: Hint) => void,
): Promise<Line> {
  const client = new pg.Client({
    connectionString,
    application_name: 'grounded-chat events',
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // Told by `untilLost`; without a listener it would end the process.
  client.on('error', () => {});
  const node = String(Math.random());
  let isHeard = true;
  client.on('notification', ({ payload = '' }) => {
    const hint = readHint(asJson(payload));
    if (hint?.topic === 'beat') isHeard ||= hint.node === node;
    else if (hint !== null) hear(hint);
  });
  const close = () => client.end().catch(() => {});
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
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
          const beat = JSON.stringify({ topic: 'beat', node });
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

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
