import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { DomainError, serviceStops } from '../errors.ts';
import type { EventSpan } from './answer-events.ts';
import { createAnswerPulse } from './answer-pulse.ts';
import { type AnswerRun, startAnswerRun } from './answer-run.ts';
import type { ChatEvent } from './chat-event.ts';
import { createEventWriter } from './event-writer.ts';

/** The answers that this process generates. */
export interface RunningAnswers {
  /**
   * Starts an answer. Of resumable ones, which go on without their reader, there is room for a thousand; one more
   * throws `UNAVAILABLE`. There are never more of the others than there are readers.
   */
  start(isResumable: boolean, generate: (run: AnswerRun) => AsyncIterable<ChatEvent>): AnswerRun;
  /** Says where an answer stands. From now on it is kept alive, and can be found and stopped from anywhere. */
  place(run: AnswerRun, place: AnswerPlace): void;
  /** Which events of an answer are left to be stored with its end. */
  release(run: AnswerRun): Promise<EventSpan>;
  find(place: AnswerPlace): AnswerRun | null;
  /** Resolves when all that run now have ended, or after this time. */
  settle(timeoutMs: number): Promise<void>;
  /** Ends all as failed, and waits for a while until that is stored. */
  stop(): Promise<void>;
}

/** The message of an answer. */
export interface AnswerPlace {
  readonly projectId: string;
  readonly messageId: string;
}

const maxResumable = 1_000;
const farewellMs = 5_000;

export function createRunningAnswers(adapters: Pick<Context, 'pool' | 'log'>): RunningAnswers {
  const runs = new Set<AnswerRun>();
  const placed = new Map<string, { readonly run: AnswerRun; readonly projectId: string }>();
  const writer = createEventWriter(adapters);
  const pulse = createAnswerPulse(adapters, placed);

  const settle = async (timeoutMs: number) => {
    const timeout = new AbortController();
    const timer = delay(timeoutMs, undefined, { signal: timeout.signal }).catch(() => {});
    await Promise.race([Promise.all([...runs].map(({ ended }) => ended)), timer]);
    timeout.abort();
  };

  return {
    start(isResumable, generate) {
      if (isResumable && countResumable(runs) >= maxResumable) throw tooMany();
      const run = startAnswerRun(isResumable, generate, writer.notice);
      runs.add(run);
      void run.ended.then(() => runs.delete(run));
      return run;
    },
    place(run, { projectId, messageId }) {
      placed.set(messageId, { run, projectId });
      if (run.isResumable) writer.add(run, messageId);
      pulse.start();
      void run.ended.then(() => placed.delete(messageId));
    },
    release: writer.release,
    find({ projectId, messageId }) {
      const found = placed.get(messageId.toLowerCase());
      return found?.projectId === projectId ? found.run : null;
    },
    settle,
    async stop() {
      for (const run of runs) run.abort(serviceStops());
      await settle(farewellMs);
    },
  };
}

function countResumable(runs: ReadonlySet<AnswerRun>): number {
  return [...runs].filter(({ isResumable }) => isResumable).length;
}

function tooMany(): DomainError {
  return new DomainError('UNAVAILABLE', 'Too many resumable answers are running. Try again soon', {
    retryable: true,
  });
}
