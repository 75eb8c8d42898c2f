import { DomainError, serviceStoppingError } from '../../../platform/errors.ts';
import { waitWithTimeout } from '../../../platform/wait.ts';
import type { Context } from '../../context.ts';
import type { EventBatch } from './answer-events.ts';
import { createAnswerLeaseRenewer, type RegisteredAnswer } from './answer-lease-renewer.ts';
import { type AnswerRun, type GenerateEvents, startAnswerRun } from './answer-run.ts';
import { createEventWriter } from './event-writer.ts';

/** The answers that this process is generating. */
export interface RunningAnswers {
  /**
   * Starts an answer. At most 1,000 resumable answers run at once in a process. Other answers need no limit, because
   * they stop when their reader disconnects.
   *
   * @throws DomainError UNAVAILABLE when too many resumable answers are running.
   */
  start(isResumable: boolean, generate: GenerateEvents): AnswerRun;
  /**
   * Makes an answer findable by its message id and keeps its lease alive, so that any process can stop or resume it.
   * Stores the state of `draft` about once a second.
   */
  register(run: AnswerRun, answerRef: AnswerRef, draft: RegisteredAnswer['draft']): void;
  /** Stops writing an answer's events and returns those that must be stored with the final status. */
  detach(run: AnswerRun): Promise<EventBatch>;
  find(answerRef: AnswerRef): AnswerRun | null;
  /** Resolves when all current answers have finished, or after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
  /** Aborts all answers as failed and waits up to `shutdownTimeoutMs` until they are stored. */
  stop(): Promise<void>;
}

/** Identifies the message of an answer. */
export interface AnswerRef {
  readonly projectId: string;
  readonly messageId: string;
}

interface RegisteredRun extends RegisteredAnswer {
  readonly run: AnswerRun;
  readonly projectId: string;
}

const maxResumableAnswers = 1_000;
const shutdownTimeoutMs = 5_000;

export function createRunningAnswerRegistry(
  adapters: Pick<Context, 'pool' | 'log'>,
): RunningAnswers {
  const runs = new Set<AnswerRun>();
  const registered = new Map<string, RegisteredRun>();
  const writer = createEventWriter(adapters);
  const leaseRenewer = createAnswerLeaseRenewer(adapters, registered);

  const drain = (timeoutMs: number) =>
    waitWithTimeout(timeoutMs, Promise.all([...runs].map(({ finished }) => finished)));

  return {
    start(isResumable, generate) {
      if (isResumable && countResumable(runs) >= maxResumableAnswers) throw tooManyAnswersError();
      const run = startAnswerRun(isResumable, generate, writer.scheduleWrite);
      runs.add(run);
      void run.finished.then(() => runs.delete(run));
      return run;
    },
    register(run, { projectId, messageId }, draft) {
      registered.set(messageId, { run, projectId, draft });
      if (run.isResumable) writer.add(run, messageId);
      leaseRenewer.start();
      void run.finished.then(() => registered.delete(messageId));
    },
    detach: writer.detach,
    find({ projectId, messageId }) {
      const found = registered.get(messageId.toLowerCase());
      return found?.projectId === projectId ? found.run : null;
    },
    drain,
    async stop() {
      for (const run of runs) run.abort(serviceStoppingError());
      await drain(shutdownTimeoutMs);
    },
  };
}

function countResumable(runs: ReadonlySet<AnswerRun>): number {
  return [...runs].filter(({ isResumable }) => isResumable).length;
}

function tooManyAnswersError(): DomainError {
  return new DomainError('UNAVAILABLE', 'Too many resumable answers are running. Try again soon', {
    retryable: true,
  });
}
