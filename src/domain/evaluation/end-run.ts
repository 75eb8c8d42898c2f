import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { type Context, transaction } from '../context.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';
import { type EvaluationRun, storedFailedBounds } from './evaluation-runs.ts';
import { storedExpectation } from './expectation.ts';
import { findFailedBounds } from './figure-bounds.ts';
import { computeFigures, type Figures } from './figures.ts';
import { isDocumentJudged } from './judge-answer.ts';
import { enqueueVectorRemoval } from './remove-candidate-vectors.ts';
import { storedBounds } from './set-schedule.ts';

/** Runs of a set that are kept. */
const keptRuns = 100;

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
  const figures = await readFigures(context, run);
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
    await runSql(context.db, removeOldRuns, [ended.setId, projectId, keptRuns]);
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

async function readFigures(
  { db }: Context,
  { id, projectId }: Pick<EvaluationRun, 'id' | 'projectId'>,
): Promise<Figures> {
  const results = await db.evaluationResult.findMany({
    where: { runId: id, projectId, error: null },
    orderBy: { position: 'asc' },
    omit: { answer: true, citations: true, question: true, modelReason: true },
  });
  return computeFigures(
    results.map((row) => ({
      ...row,
      isDocumentJudged: isDocumentJudged(storedExpectation(row)) && !row.isDocumentMissing,
      refused: row.refused ?? false,
      confidence: row.confidence ?? 0,
      latencyMs: row.latencyMs ?? 0,
      tokens: row.inputTokens + row.outputTokens + row.embeddingTokens,
    })),
  );
}

const removeOldRuns = `
  delete from grounded.evaluation_runs
  where set_id = $1::uuid and project_id = $2::uuid and finished_at is not null and id < (
    select id from grounded.evaluation_runs where set_id = $1::uuid and project_id = $2::uuid
    order by id desc offset $3 limit 1)`;
