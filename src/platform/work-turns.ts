import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time after which other work of the process gets its turn. */
const turnMs = 20;

/** Divides long work into turns, so that it delays other work of the process by one turn at most. */
export interface WorkTurns {
  /** Whether the turn is over. Call `next` then. */
  isOver(): boolean;
  /**
   * Lets other work have its turn.
   * @throws the reason of the signal when it has aborted
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
