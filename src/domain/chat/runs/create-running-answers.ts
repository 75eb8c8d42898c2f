import { DomainError, serviceStoppingError } from '../../../platform/errors.ts';
import { waitWithTimeout } from '../../../platform/wait.ts';
import type { Context } from '../../context.ts';
import { createAnswerLeaseRenewer } from './answer-lease-renewer.ts';
import { type AnswerRun, startAnswerRun } from './answer-run.ts';
import { createEventWriter } from './event-writer.ts';
import type { RegisteredAnswer, RunningAnswers } from './running-answers.ts';

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
    register(run, { projectId, messageId }, answer) {
      registered.set(messageId, { run, projectId, ...answer });
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
