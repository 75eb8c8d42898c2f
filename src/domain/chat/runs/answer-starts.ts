import { DomainError } from '../../../platform/errors.ts';
import { createFairSlots } from '../../../platform/fair-slots.ts';
import type { Metrics } from '../../../platform/metrics.ts';

/**
 * Limits the number of answers that start in this process at the same time. A start is everything from the request to
 * the call of the chat model: storing the turn, the search, the prompt. Starts need processor time. Without a limit,
 * all answers of a burst would start late. With the limit, answers start one after the other, and organizations take
 * turns.
 */
export interface AnswerStarts {
  /** Number of answers that are starting now. */
  readonly starting: number;
  /** Number of answers that wait until they may start. */
  readonly waiting: number;
  /**
   * Waits until the organization may start an answer. Dispose the result after the start. `receivedAt` is the time at
   * which the request arrived, on the clock of `performance.now()`.
   * @throws DomainError UNAVAILABLE when too many answers wait, or this one has not started `maxWaitMs` after its
   *   arrival
   * @throws the signal's reason when the signal aborts
   */
  admit(organization: string, signal: AbortSignal, receivedAt?: number): Promise<StartSlot>;
}

/** The slot of an answer that is starting. Disposing it more than once has no effect. */
export interface StartSlot extends Disposable {
  /**
   * Releases the slot while `work` waits for a language model, so that other answers can start in the meantime. Then
   * waits for a slot again, also if `work` fails. This wait has no time limit, because the question is already stored.
   * @throws the signal's reason when the signal aborts while it waits
   */
  whileReleased<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export interface AnswerStartLimits {
  readonly maxStarting: number;
  readonly maxWaitMs: number;
  /** Maximum number of waiting answers. If several organizations wait, they share this number equally. */
  readonly maxWaiting?: number;
}

const defaultLimits = { maxStarting: 100, maxWaitMs: 10_000, maxWaiting: 1_000 };

export function createAnswerStarts(
  metrics: Pick<Metrics, 'recordRefusedAnswer'>,
  limits: AnswerStartLimits = defaultLimits,
): AnswerStarts {
  const { maxStarting, maxWaitMs, maxWaiting = defaultLimits.maxWaiting } = limits;
  const slots = createFairSlots(maxStarting, { keepsHalfFree: true });
  const waitingOf = new Map<string, number>();
  let starting = 0;
  let waiting = 0;

  const startSlot = (admitted: Disposable, organization: string): StartSlot => {
    let slot: Disposable | null = admitted;
    starting += 1;
    const release = () => {
      if (slot === null) return;
      starting -= 1;
      slot[Symbol.dispose]();
      slot = null;
    };
    return {
      [Symbol.dispose]: release,
      async whileReleased(signal, work) {
        if (slot === null) return work();
        release();
        try {
          return await work();
        } finally {
          slot = await slots.acquire(organization, signal, { isResumed: true });
          starting += 1;
        }
      },
    };
  };
  const addWaiting = (organization: string, change: 1 | -1) => {
    waiting += change;
    const left = (waitingOf.get(organization) ?? 0) + change;
    if (left === 0) waitingOf.delete(organization);
    else waitingOf.set(organization, left);
  };
  const refuse = (): DomainError => {
    metrics.recordRefusedAnswer();
    return tooManyAnswersError(maxWaitMs);
  };

  return {
    get starting() {
      return starting;
    },
    get waiting() {
      return waiting;
    },
    async admit(organization, signal, receivedAt = performance.now()) {
      signal.throwIfAborted();
      const free = slots.tryAcquire(organization);
      if (free !== null) return startSlot(free, organization);
      const remainingMs = receivedAt + maxWaitMs - performance.now();
      if (remainingMs <= 0) throw refuse();
      const own = waitingOf.get(organization) ?? 0;
      const organizations = waitingOf.size + (own === 0 ? 1 : 0);
      if (own >= maxWaiting / organizations) throw refuse();
      addWaiting(organization, 1);
      const timeout = AbortSignal.timeout(Math.ceil(remainingMs));
      try {
        const waitSignal = AbortSignal.any([signal, timeout]);
        return startSlot(await slots.acquire(organization, waitSignal), organization);
      } catch (error) {
        throw timeout.aborted && !signal.aborted ? refuse() : error;
      } finally {
        addWaiting(organization, -1);
      }
    },
  };
}

function tooManyAnswersError(maxWaitMs: number): DomainError {
  return new DomainError('UNAVAILABLE', 'Too many answers are starting. Try again in a moment', {
    retryable: true,
    retryAfterSeconds: Math.max(1, Math.ceil(maxWaitMs / 1_000)),
  });
}
