import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Events } from './events.ts';
import { createWatches } from './watches.ts';

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
export async function startPostgresEvents({
  connectionString,
  log,
  beatMs = 15_000,
  patienceMs = 30_000,
}: PostgresEventsSettings): Promise<Events> {
  const watches = createWatches({ patienceMs });
  const stopping = new AbortController();
  const { signal } = stopping;

  const hear = (payload: string) => {
    const hint = readHint(payload);
    if (hint !== null && hint.topic !== 'beat') watches.tell(hint);
  };
  const keepListening = async (first: pg.Client) => {
    let client: pg.Client | null = first;
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        client ??= await listen(connectionString, hear);
        watches.tellAll();
        tries = 0;
        await untilLost(client, beatMs, signal);
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'live events interrupted, listening again');
      }
      if (client !== null) await close(client);
      client = null;
      await delay(pauseMs(tries), undefined, { signal }).catch(() => {});
    }
  };
  const listening = keepListening(await listen(connectionString, hear));

  return {
    watch: watches.open,
    get watchCount() {
      return watches.count;
    },
    async stop() {
      watches.end();
      stopping.abort();
      await within(farewellMs, listening);
    },
  };
}

const channel = 'grounded_events';
const beat = JSON.stringify({ topic: 'beat' });
/** A large document that is being stored holds the embedded database for seconds. */
const timeoutMs = 30_000;
const farewellMs = 1_000;

async function listen(
  connectionString: string,
  hear: (payload: string) => void,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: 'grounded-chat events',
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // Told by `untilLost`; without a listener it would end the process.
  client.on('error', () => {});
  client.on('notification', ({ payload }) => hear(payload ?? ''));
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    return client;
  } catch (error) {
    await close(client);
    throw error;
  }
}

/** Rejects when the connection ends or says nothing more, or its notifications get lost, as they do in some poolers. */
async function untilLost(client: pg.Client, beatMs: number, signal: AbortSignal): Promise<void> {
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

const hintSchema = z.union([
  z.object({ topic: z.literal('beat') }),
  z.object({
    topic: z.enum(['inbox', 'conversations', 'documents']),
    projectId: z.string(),
    id: z.string(),
  }),
]);

/** Null for what newer code may have sent. */
function readHint(payload: string): z.infer<typeof hintSchema> | null {
  try {
    return hintSchema.safeParse(JSON.parse(payload)).data ?? null;
  } catch {
    return null;
  }
}
