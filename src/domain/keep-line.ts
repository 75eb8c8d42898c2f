import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A connection by which something is heard. */
export interface Line {
  /** Rejects when it is lost, or nothing is heard by it any more; ends when the signal aborts. */
  untilLost(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface KeptLine {
  stop(): Promise<void>;
}

/**
 * Keeps a line open for the whole node: one that is lost is opened anew for ever. Rejects when the first one cannot be
 * opened, unless the service may start without.
 */
export async function keepLine({
  open,
  onOpen,
  mayStartWithout = false,
  log,
}: {
  open(): Promise<Line>;
  /** Anything may have been missed: called each time that a line is open. */
  onOpen(): void;
  readonly mayStartWithout?: boolean;
  readonly log: Logger;
}): Promise<KeptLine> {
  const stopping = new AbortController();
  const { signal } = stopping;

  const warn = (error: unknown) => {
    if (!signal.aborted) log.warn({ err: error }, 'live events interrupted, listening again');
  };
  const keep = async (first: Line | null) => {
    let line = first;
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        line ??= await open();
        onOpen();
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
  const first = await open().catch((error) => {
    if (!mayStartWithout) throw error;
    warn(error);
    return null;
  });
  const kept = keep(first);
  return {
    async stop() {
      stopping.abort();
      await within(2 * farewellMs, kept);
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
