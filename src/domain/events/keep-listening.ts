import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Events } from './events.ts';
import { createWatches, type Watches } from './watches.ts';

/** A connection by which hints are heard. */
export interface Line {
  /** Rejects when it is lost, or nothing is heard by it any more; ends when the signal aborts. */
  untilLost(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * Keeps one line open for the whole node: one that is lost is opened anew for ever, and whatever is watched is looked
 * at then. Rejects when the first one cannot be opened, unless the service may start without.
 */
export async function keepListening({
  open,
  mayStartWithout = false,
  patienceMs,
  log,
}: {
  open(watches: Watches): Promise<Line>;
  readonly mayStartWithout?: boolean;
  /** How long a watch waits for a hint before it says that there is none. */
  readonly patienceMs: number;
  readonly log: Logger;
}): Promise<Events> {
  const watches = createWatches({ patienceMs });
  const stopping = new AbortController();
  const { signal } = stopping;

  const warn = (error: unknown) => {
    if (!signal.aborted) log.warn({ err: error }, 'live events interrupted, listening again');
  };
  const keep = async (first: Line | null) => {
    let line = first;
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        line ??= await open(watches);
        watches.tellAll();
        tries = 0;
        await line.untilLost(signal);
      } catch (error) {
        warn(error);
      }
      // A dead connection does not take leave.
      if (line !== null) await within(farewellMs, line.close());
      line = null;
      await delay(pauseMs(tries), undefined, { signal }).catch(() => {});
    }
  };
  const first = await open(watches).catch((error) => {
    if (!mayStartWithout) throw error;
    warn(error);
    return null;
  });
  const listening = keep(first);

  return {
    watch: watches.open,
    get watchCount() {
      return watches.count;
    },
    async stop() {
      watches.end();
      stopping.abort();
      await within(2 * farewellMs, listening);
    },
  };
}

const farewellMs = 1_000;

/** Waits for `work`, but no longer than that. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const late = delay(ms, undefined, { signal: timer.signal });
  await Promise.race([work, late].map((end) => end.catch(() => {})));
  timer.abort();
}

/** Doubles up to some seconds; at random, so that nodes do not come back all at once. */
function pauseMs(tries: number): number {
  return Math.min(100 * 2 ** tries, 5_000) * (0.5 + Math.random() / 2);
}
