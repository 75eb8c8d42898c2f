import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';

export interface ListenSettings {
  /** Of a session of one's own: behind a pooler for transactions nothing is heard. */
  readonly connectionString: string;
  readonly name: string;
  readonly channel: string;
  readonly log: Logger;
  readonly onNotification: (payload: string) => void;
  /** Anything may have been missed: called each time that a connection listens. */
  readonly onListening: () => void;
  /** How often it is tried whether notifications arrive. */
  readonly beatMs?: number | undefined;
}

export interface Listening {
  stop(): Promise<void>;
}

/**
 * Hears the notifications of a channel over one connection of its own. A connection that is lost, or by which nothing
 * is heard, is made anew for ever. Rejects when the first one cannot be made.
 */
export async function startListening(settings: ListenSettings): Promise<Listening> {
  const { channel, log, onListening, beatMs = 15_000 } = settings;
  const stopping = new AbortController();
  const { signal } = stopping;
  // That of another process says nothing of our own connection.
  const beat = `${beatMark}${Math.random()}`;

  const hear = (payload: string) => {
    if (!payload.startsWith(beatMark)) settings.onNotification(payload);
  };
  const keepListening = async (first: pg.Client) => {
    let client: pg.Client | null = first;
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        client ??= await listen(settings, hear);
        onListening();
        tries = 0;
        await untilLost(client, { channel, beat, beatMs }, signal);
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error, channel }, 'interrupted, listening again');
      }
      if (client !== null) await close(client);
      client = null;
      await delay(pauseMs(tries), undefined, { signal }).catch(() => {});
    }
  };
  const listening = keepListening(await listen(settings, hear));
  return {
    async stop() {
      stopping.abort();
      await within(farewellMs, listening);
    },
  };
}

const beatMark = 'beat ';
/** A large document that is being stored holds the embedded database for seconds. */
const timeoutMs = 30_000;
const farewellMs = 1_000;

async function listen(
  { connectionString, name, channel }: ListenSettings,
  hear: (payload: string) => void,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // Told by `untilLost`; without a listener it would end the process.
  client.on('error', () => {});
  client.on('notification', ({ payload }) => hear(payload ?? ''));
  try {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    return client;
  } catch (error) {
    await close(client);
    throw error;
  }
}

/** Rejects when the connection ends or says nothing more, or its notifications get lost, as they do in some poolers. */
async function untilLost(
  client: pg.Client,
  { channel, beat, beatMs }: { channel: string; beat: string; beatMs: number },
  signal: AbortSignal,
): Promise<void> {
  let isHeard = true;
  client.on('notification', ({ payload }) => {
    if (payload === beat) isHeard = true;
  });
  const lost = new AbortController();
  const ended = once(client, 'end', { signal: lost.signal }).then(() => {
    throw new Error('The connection has ended');
  });
  const beating = async () => {
    for (;;) {
      await delay(beatMs, undefined, { signal: lost.signal });
      if (!isHeard) throw new Error('Notifications do not arrive');
      isHeard = false;
      // Not awaited: what is not heard by the next beat is as good as lost.
      client.query('select pg_notify($1, $2)', [channel, beat]).catch(() => {});
    }
  };
  const stop = () => lost.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await Promise.race([ended, beating()]);
  } finally {
    signal.removeEventListener('abort', stop);
    lost.abort();
  }
}

/** A dead connection does not take leave. */
function close(client: pg.Client): Promise<void> {
  return within(
    farewellMs,
    client.end().catch(() => {}),
  );
}

/** Waits for `work`, but no longer than that. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, delay(ms, undefined, timer).catch(() => {})]);
  timer.abort();
}

/** Doubles up to some seconds; at random, so that nodes do not come back all at once. */
function pauseMs(tries: number): number {
  return Math.min(100 * 2 ** tries, 5_000) * (0.5 + Math.random() / 2);
}
