import { setTimeout as delay } from 'node:timers/promises';
import type { RealtimeChannel } from '@supabase/supabase-js';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { keepBeating } from '../beats.ts';
import { keepLine, type Line } from '../keep-line.ts';
import { type SupabaseProject, supabaseClient } from '../supabase-client.ts';
import type { Events } from './events.ts';
import { type HeardNumbers, heardNumbers } from './heard-numbers.ts';
import { readHint } from './hints.ts';
import { lineEvents } from './line-events.ts';
import type { Watches } from './watches.ts';

export interface SupabaseEventsSettings extends SupabaseProject {
  /** Sends the beats; a transaction pooler will do. */
  readonly pool: Pool;
  readonly log: Logger;
  /** How often it is tried whether hints arrive. */
  readonly beatMs?: number;
  /** How long a watch waits for a hint before it says that there is none. */
  readonly patienceMs?: number;
}

/**
 * Hints by Supabase Realtime, on a private topic that only the secret key may join; for databases that are reached
 * through a transaction pooler alone. The triggers send them through the database, and so does the node's beat: it
 * proves the whole way. A line that is lost, or by which no beat comes, is made anew for ever; then, and when a hint
 * is missing, whatever is watched is looked at. Starts without Realtime when it cannot be reached at first.
 */
export function startSupabaseEvents({
  pool,
  log,
  beatMs = 15_000,
  patienceMs = 30_000,
  ...project
}: SupabaseEventsSettings): Promise<Events> {
  return lineEvents(patienceMs, (watches) =>
    keepLine({
      open: () => listen(project, { pool, beatMs }, watches),
      onOpen: () => watches.tellAll(),
      mayStartWithout: true,
      log,
    }),
  );
}

const topic = 'grounded:hints';
const timeoutMs = 15_000;
/** The longest transactions: those that began before hints were wanted give none. */
const settleMs = 300_000;

async function listen(
  project: SupabaseProject,
  { pool, beatMs }: { readonly pool: Pool; readonly beatMs: number },
  watches: Watches,
): Promise<Line> {
  const { realtime } = supabaseClient(project);
  const channel = realtime.channel(topic, { config: { private: true } });
  const close = async () => {
    channel.teardown();
    await realtime.disconnect();
  };
  const node = crypto.randomUUID();
  let isHeard = false;
  let numbers: HeardNumbers | null = null;
  channel.on('broadcast', { event: 'hint' }, ({ payload }) => {
    const hint = readHint(payload);
    if (hint?.topic === 'beat') isHeard ||= hint.node === node;
    else if (hint !== null) {
      watches.tell(hint);
      if (hint.number !== undefined) numbers?.hear(hint.number);
    }
  });
  try {
    // Before the first join, which would go without a token otherwise.
    await realtime.setAuth();
    const { lost } = await join(channel);
    const { lastHint, wereWanted } = await sendBeat(pool, node);
    numbers = heardNumbers(lastHint);
    await heardSoon(pool, node, () => isHeard);
    const settled = wereWanted ? 0 : Date.now() + settleMs;
    const beat = async () => {
      isHeard = false;
      const { lastHint } = await sendBeat(pool, node);
      if (numbers?.isOneMissing(lastHint) || Date.now() < settled) watches.tellAll();
    };
    return {
      close,
      untilLost: (signal) =>
        keepBeating({
          everyMs: beatMs,
          signal,
          ended: lost,
          isHeard: () => isHeard,
          // Not awaited: what is not heard by the next beat is as good as lost.
          send: () => void beat().catch(() => {}),
        }),
    };
  } catch (error) {
    close().catch(() => {});
    throw error;
  }
}

/** Resolves once the channel is joined; `lost` rejects when that has ended, for whatever reason. */
async function join(channel: RealtimeChannel): Promise<{ readonly lost: Promise<never> }> {
  const joined = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<never>();
  // Nobody may be waiting for it yet, or any more.
  lost.promise.catch(() => {});
  channel.subscribe((status, error) => {
    if (status === 'SUBSCRIBED') return joined.resolve();
    const reason = new Error(`Realtime says ${status}`, { cause: error });
    joined.reject(reason);
    lost.reject(reason);
  }, timeoutMs);
  await joined.promise;
  return { lost: lost.promise };
}

/** The first messages may be lost: Realtime begins to read the database when somebody listens. */
async function heardSoon(pool: Pool, node: string, isHeard: () => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += 50) {
    if (isHeard()) return;
    await delay(50);
    if (waitedMs % 1_000 === 950) await sendBeat(pool, node);
  }
  throw new Error('Hints do not arrive');
}

async function sendBeat(pool: Pool, node: string) {
  const { rows } = await pool.query<{ lastHint: number; wereWanted: boolean }>({
    ...beatByRealtime,
    values: [node],
  });
  return rows[0] ?? { lastHint: 0, wereWanted: false };
}

const beatByRealtime = {
  name: 'beat-by-realtime',
  text: `
    select last_hint::float8 as "lastHint", were_wanted as "wereWanted"
    from grounded.beat_by_realtime($1)`,
};
