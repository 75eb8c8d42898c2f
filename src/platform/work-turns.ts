import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum length of a turn. After it, other work of the process runs. */
const turnMs = 20;

/** Divides long work into turns, so that other work of the process waits for one turn at most. */
export interface WorkTurns {
  /** Whether the turn is over. If it is, call `next`. */
  isOver(): boolean;
  /**
   * Lets other work of the process run.
   * @throws the reason of the signal when the signal has aborted
   */
  next(): Promise<void>;
}

export function createWorkTurns(signal: AbortSignal): WorkTurns {
  let startedAt = performance.now();
  return {
    isOver: () => performance.now() - startedAt > turnMs,
    async next() {
      await nextTurn();
      signal.throwIfAborted();
      startedAt = performance.now();
    },
  };
}

/** Work that can pause after each step. Returns the result at its end. */
export type Steps<Result> = Generator<void, Result>;

/** Runs all steps without a pause. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs the steps in turns. */
export async function runInTurns<Result>(steps: Steps<Result>, turns: WorkTurns): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (turns.isOver()) await turns.next();
  }
}
