import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../platform/errors.ts';
import type { EvaluationRunRecord } from '../../rest/evaluation/evaluation-run-record.ts';
import type { EvaluationTarget } from './evaluation-target.ts';

const firstPollMs = 100;
const maxPollMs = 2_000;
const progressMs = 5_000;

/** Waits until a run has finished, and returns it. If the signal aborts, cancels the run. */
export async function followRun(
  target: Pick<EvaluationTarget, 'readRun' | 'cancelRun'>,
  started: EvaluationRunRecord,
  { signal, onProgress }: { readonly signal: AbortSignal; onProgress(message: string): void },
): Promise<EvaluationRunRecord> {
  let run = started;
  let reportedAt = Date.now();
  for (let pollMs = firstPollMs; isRunning(run); pollMs = Math.min(maxPollMs, pollMs * 1.5)) {
    if (signal.aborted) return cancel(target, run);
    await sleep(pollMs, undefined, { signal }).catch(() => {});
    run = await target.readRun(run.id);
    const { done, total } = run.progress;
    if (Date.now() - reportedAt < progressMs) continue;
    reportedAt = Date.now();
    onProgress(`${done} of ${total} questions asked`);
  }
  return run;
}

function isRunning({ status }: EvaluationRunRecord): boolean {
  return status === 'QUEUED' || status === 'RUNNING';
}

async function cancel(
  target: Pick<EvaluationTarget, 'readRun' | 'cancelRun'>,
  { id }: EvaluationRunRecord,
): Promise<EvaluationRunRecord> {
  try {
    return await target.cancelRun(id);
  } catch (error) {
    const hasFinished = error instanceof DomainError && error.code === 'CONFLICT';
    if (!hasFinished) throw error;
    return target.readRun(id);
  }
}
