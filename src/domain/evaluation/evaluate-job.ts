import { DomainError } from '../../platform/errors.ts';
import { implementJob, type JobAttempt } from '../../platform/jobs/job.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { type Adapters, type Context, createSystemContext, transaction } from '../context.ts';
import { findProject, type Project } from '../organizations/find-project.ts';
import { type AskedResult, askQuestion, type TriedAssistant } from './ask-question.ts';
import { candidateSchema } from './candidate.ts';
import { failRun, finishRun } from './end-run.ts';
import {
  type EvaluatePayload,
  evaluateJob as evaluateJobType,
  failEvaluationJob as failEvaluationJobType,
} from './evaluate-job-type.ts';
import type { EvaluationResult, EvaluationRun } from './evaluation-runs.ts';
import { storedExpectation } from './expectation.ts';
import { type EmbeddingPreparation, prepareEmbedding } from './prepare-embedding.ts';
import { EmbeddingUnavailable } from './tried-embedding.ts';

/** After this time a job enqueues the next one, so that the runs of other organizations continue. */
const turnMs = 30_000;
/** A run that takes longer fails. */
const maxRunMs = 24 * 3600_000;
/** After this many failed questions in a row, the run fails. The model server is probably down. */
const maxFailuresInARow = 10;

export const failEvaluationJob = implementJob(
  failEvaluationJobType,
  async (adapters: Adapters, { projectId, runId }, { signal, requestId }) => {
    const context = createSystemContext(adapters, signal, requestId);
    const run = { id: runId, projectId };
    await failRun(context, run, 'The run stopped because of an internal error. Start it again');
  },
);

export const evaluateJob = implementJob(evaluateJobType, evaluate);

/**
 * Asks the questions of a run that were not asked yet. If the process dies, the job is retried and continues: only the
 * question that was being asked is asked again.
 */
async function evaluate(
  adapters: Adapters,
  { projectId, runId }: EvaluatePayload,
  { signal, requestId, isLast }: JobAttempt,
): Promise<void> {
  const context = createSystemContext(adapters, signal, requestId);
  const run = await claimRun(context, { id: runId, projectId });
  const project = await findProject(context, projectId, null);
  if (run === null || project === null) return;
  try {
    await continueRun(context, run, project);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EmbeddingUnavailable) || !isLast) throw error;
    await failRun(context, run, error.message);
  }
}

async function continueRun(context: Context, run: EvaluationRun, project: Project): Promise<void> {
  const { signal } = context;
  const { id: runId, projectId } = run;
  const candidate = candidateSchema.parse(run.candidate);
  const endsAt = Date.now() + turnMs;
  if (isTooOld(run)) return failRun(context, run, tooOldMessage);
  const prepared = await prepare(context, run, endsAt);
  if (prepared === null) return;
  if (prepared.state === 'UNFINISHED') return enqueueNext(context, run, project, prepared);
  const { judgeModel } = run;
  const assistant = { project, candidate, embedding: prepared.embedding, judgeModel };
  let failures = 0;
  let lastPosition = 0;
  for (;;) {
    signal.throwIfAborted();
    if (isTooOld(run)) return failRun(context, run, tooOldMessage);
    const next = await context.db.evaluationResult.findFirst({
      where: { runId, projectId, askedAt: null, position: { gt: lastPosition } },
      orderBy: { position: 'asc' },
    });
    if (next === null) return finishRun(context, run);
    lastPosition = next.position;
    const result = await ask(context, assistant, next);
    failures = 'error' in result ? failures + 1 : 0;
    if (!(await storeResult(context, next, result))) return;
    if ('error' in result && failures >= maxFailuresInARow) {
      return failRun(
        context,
        run,
        `${maxFailuresInARow} questions failed in a row: ${result.error}`,
      );
    }
    if (Date.now() > endsAt) return enqueueNext(context, run, project);
  }
}

/** Returns the run, which is running from now on. Returns null if it has finished. */
async function claimRun(
  { db }: Context,
  { id, projectId }: Pick<EvaluationRun, 'id' | 'projectId'>,
): Promise<EvaluationRun | null> {
  const where = { id, projectId, finishedAt: null };
  await db.evaluationRun.updateMany({
    where: { ...where, startedAt: null },
    data: { status: 'RUNNING', startedAt: new Date() },
  });
  return db.evaluationRun.findFirst({ where });
}

const tooOldMessage = 'The run took longer than 24 hours';

function isTooOld({ startedAt, createdAt }: EvaluationRun): boolean {
  return Date.now() - (startedAt ?? createdAt).getTime() > maxRunMs;
}

/** Embeds the chunks with the model of the candidate. Returns null if the run has finished. */
async function prepare(
  context: Context,
  run: EvaluationRun,
  endsAt: number,
): Promise<Exclude<EmbeddingPreparation, { readonly state: 'ENDED' }> | null> {
  try {
    const prepared = await prepareEmbedding(context, run, endsAt);
    return prepared.state === 'ENDED' ? null : prepared;
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof DomainError)) throw error;
    await failRun(context, run, error.message);
    return null;
  }
}

type Outcome = AskedResult | { readonly error: string };

async function ask(
  context: Context,
  assistant: TriedAssistant,
  { question, ...row }: EvaluationResult,
): Promise<Outcome> {
  try {
    return await askQuestion(context, assistant, {
      question,
      expectation: storedExpectation(row),
    });
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof DomainError) return { error: error.message };
    if (error instanceof DOMException) return { error: 'The answer took too long' };
    throw error;
  }
}

/** Stores a result, and counts it in the progress of the run. Returns false if the run has finished in the meantime. */
async function storeResult(
  { pool }: Context,
  { runId, position, projectId }: EvaluationResult,
  outcome: Outcome,
): Promise<boolean> {
  const stored = await runSql(pool, storeSql, [
    runId,
    projectId,
    position,
    JSON.stringify(outcome),
  ]);
  return stored.length > 0;
}

/** Parameters: $1 run, $2 project, $3 position, $4 the result as JSON. */
const storeSql = {
  name: 'store-evaluation-result',
  text: `
  with run as (
    update grounded.evaluation_runs set done = done + 1
    where id = $1::uuid and project_id = $2::uuid and finished_at is null
      and exists (select from grounded.evaluation_results r
        where r.run_id = $1::uuid and r.project_id = $2::uuid and r.position = $3::int and r.asked_at is null)
    returning id
  )
  update grounded.evaluation_results result set
    asked_at = now(), answer = o.answer, citations = coalesce(o.citations, '[]'), confidence = o.confidence,
    retrieval_confidence = o."retrievalConfidence",
    is_document_missing = coalesce(o."isDocumentMissing", false), rank = o.rank,
    first_citation_right = o."firstCitationRight", contains_expected = o."containsExpected", refused = o.refused,
    latency_ms = o."latencyMs", input_tokens = coalesce(o."inputTokens", 0),
    output_tokens = coalesce(o."outputTokens", 0), embedding_tokens = coalesce(o."embeddingTokens", 0),
    model_verdict = o."modelVerdict", model_reason = o."modelReason",
    judge_input_tokens = coalesce(o."judgeInputTokens", 0),
    judge_output_tokens = coalesce(o."judgeOutputTokens", 0),
    error = o.error
  from run, jsonb_to_record($4::text::jsonb) as o (answer text, citations jsonb, confidence double precision,
    "retrievalConfidence" double precision,
    "isDocumentMissing" boolean, rank integer, "firstCitationRight" boolean, "containsExpected" boolean,
    refused boolean, "latencyMs" integer, "inputTokens" integer, "outputTokens" integer, "embeddingTokens" integer,
    "modelVerdict" grounded.answer_verdict, "modelReason" text, "judgeInputTokens" integer,
    "judgeOutputTokens" integer, error text)
  where result.run_id = run.id and result.project_id = $2::uuid and result.position = $3::int
  returning result.position`,
};

async function enqueueNext(
  context: Context,
  { id: runId, projectId }: EvaluationRun,
  { organizationId: group }: Project,
  { delaySeconds }: { readonly delaySeconds?: number } = {},
): Promise<void> {
  const options = { group, ...(delaySeconds !== undefined && { delaySeconds }) };
  await transaction(context, ({ db, queue }) =>
    queue.enqueue(db, evaluateJobType, { projectId, runId }, options),
  );
}
