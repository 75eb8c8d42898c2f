import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { createWorkTurns, runInTurns } from '../../platform/work-turns.ts';
import { type Context, transaction } from '../context.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';
import { deleteOldRuns } from './delete-old-runs.ts';
import { type EvaluationRun, storedFailedBounds } from './evaluation-runs.ts';
import { findFailedBounds } from './figure-bounds.ts';
import { figureSteps } from './figures.ts';
import { readJudgedResults } from './judged-results.ts';
import { enqueueVectorRemoval } from './remove-candidate-vectors.ts';
import { storedBounds } from './set-schedule.ts';

/** Stores that a run has failed. Has no effect if it has finished. */
export async function failRun(
  context: Context,
  run: Pick<EvaluationRun, 'id' | 'projectId'>,
  error: string,
): Promise<void> {
  await endRun(context, run, { status: 'FAILED', error });
}

/** Stores the figures of the questions that were answered. Has no effect if the run has finished. */
export async function finishRun(context: Context, run: EvaluationRun): Promise<void> {
  const results = await readJudgedResults(context, run);
  const figures = await runInTurns(figureSteps(results), createWorkTurns(context.signal));
  await endRun(context, run, {
    status: 'DONE',
    figures: figures as unknown as Prisma.InputJsonObject,
    failedBounds: findFailedBounds(storedBounds(run), figures),
  });
}

/**
 * Ends a run and removes old runs of its set. If the run is scheduled and has failed or fails a bound, publishes that in
 * the same transaction.
 */
async function endRun(
  context: Context,
  { id, projectId }: Pick<EvaluationRun, 'id' | 'projectId'>,
  data: Prisma.EvaluationRunUpdateManyMutationInput,
): Promise<void> {
  const finishedAt = new Date();
  await transaction(context, async (context) => {
    const [ended] = await context.db.evaluationRun.updateManyAndReturn({
      where: { id, projectId, finishedAt: null },
      data: { ...data, finishedAt },
    });
    if (ended === undefined) return;
    await enqueueVectorRemoval(context, ended);
    await deleteOldRuns(context, ended);
    if (!ended.isScheduled) return;
    const failedBounds = storedFailedBounds(ended) ?? [];
    if (ended.status === 'DONE' && failedBounds.length === 0) return;
    await publishRegression(context, ended, finishedAt);
  });
}

async function publishRegression(
  context: Context,
  run: EvaluationRun,
  finishedAt: Date,
): Promise<void> {
  const { id: runId, projectId, setId, setVersion, error } = run;
  const { name: setName, project } = await context.db.questionSet.findFirstOrThrow({
    where: { id: setId, projectId },
    select: { name: true, project: { select: { organizationId: true } } },
  });
  const data = {
    ...{ organizationId: project.organizationId, projectId, setId, setName, setVersion, runId },
    failedBounds: storedFailedBounds(run) ?? [],
    ...{ error, finishedAt: finishedAt.toISOString() },
  };
  await publishWebhookEvent(context, { projectId, type: 'evaluation.regressed', data });
}
