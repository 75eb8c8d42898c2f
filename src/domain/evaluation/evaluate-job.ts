import { DomainError, toStorageExceeded } from '../../platform/errors.ts';
import { implementJob, type JobAttempt } from '../../platform/jobs/job.ts';
import { type Adapters, type Context, createSystemContext, transaction } from '../context.ts';
import { findProject, type Project } from '../organizations/find-project.ts';
import { questionQuotaExceeded, withConsumedQuestion } from '../usage/question-quota.ts';
import { askQuestion, type TriedAssistant } from './ask-question.ts';
import { candidateSchema } from './candidate.ts';
import { failRun, finishRun } from './end-run.ts';
import {
  type EvaluatePayload,
  evaluateJob as evaluateJobType,
  failEvaluationJob as failEvaluationJobType,
} from './evaluate-job-type.ts';
import type { EvaluationRun } from './evaluation-runs.ts';
import { storedExpectation } from './expectation.ts';
import { type EmbeddingPreparation, prepareEmbedding } from './prepare-embedding.ts';
import type { SetQuestion } from './question-rows.ts';
import { type Outcome, storeResult } from './store-result.ts';
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
    const storageExceeded = toStorageExceeded(error);
    if (storageExceeded !== null) return failRun(context, run, storageExceeded.message);
    if (!(error instanceof EmbeddingUnavailable) || !isLast) throw error;
    await failRun(context, run, error.message);
  }
}

async function continueRun(context: Context, run: EvaluationRun, project: Project): Promise<void> {
  const { signal } = context;
  const candidate = candidateSchema.parse(run.candidate);
  const endsAt = Date.now() + turnMs;
  if (isTooOld(run)) return failRun(context, run, tooOldMessage);
  const prepared = await prepare(context, run, project, endsAt);
  if (prepared === null) return;
  if (prepared.state === 'UNFINISHED') return enqueueNext(context, run, project, prepared);
  const { judgeModel } = run;
  const assistant = { project, candidate, embedding: prepared.embedding, judgeModel };
  let failures = 0;
  let lastPosition = await lastAskedPosition(context, run);
  for (;;) {
    signal.throwIfAborted();
    if (isTooOld(run)) return failRun(context, run, tooOldMessage);
    const next = await findQuestion(context, run, lastPosition);
    if (next === null) return finishRun(context, run);
    lastPosition = next.position;
    const result = await ask(context, assistant, next);
    if (result === null) return failRun(context, run, questionQuotaExceeded('evaluated').message);
    failures = 'error' in result ? failures + 1 : 0;
    if (!(await storeResult(context, run, next, result))) return;
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

async function lastAskedPosition(
  { db }: Context,
  { id: runId, projectId }: EvaluationRun,
): Promise<number> {
  const { _max } = await db.evaluationResult.aggregate({
    where: { runId, projectId },
    _max: { position: true },
  });
  return _max.position ?? 0;
}

/** Returns the next question of the version of the set that the run asks. Returns null after the last one. */
function findQuestion(
  { db }: Context,
  { setId, projectId, setVersion }: EvaluationRun,
  lastPosition: number,
): Promise<SetQuestion | null> {
  return db.setQuestion.findFirst({
    where: {
      ...{ setId, projectId, position: { gt: lastPosition }, addedIn: { lte: setVersion } },
      OR: [{ removedIn: null }, { removedIn: { gt: setVersion } }],
    },
    orderBy: { position: 'asc' },
  });
}

const tooOldMessage = 'The run took longer than 24 hours';

function isTooOld({ startedAt, createdAt }: EvaluationRun): boolean {
  return Date.now() - (startedAt ?? createdAt).getTime() > maxRunMs;
}

/** Embeds the chunks with the model of the candidate. Returns null if the run has finished. */
async function prepare(
  context: Context,
  run: EvaluationRun,
  { organizationId }: Project,
  endsAt: number,
): Promise<Exclude<EmbeddingPreparation, { readonly state: 'ENDED' }> | null> {
  try {
    const prepared = await prepareEmbedding(context, { run, organizationId }, endsAt);
    return prepared.state === 'ENDED' ? null : prepared;
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof DomainError)) throw error;
    await failRun(context, run, error.message);
    return null;
  }
}

/** Returns null, without asking, if the allowance is used up. A question that fails is given back. */
function ask(
  context: Context,
  assistant: TriedAssistant,
  asked: SetQuestion,
): Promise<Outcome | null> {
  const { organizationId } = assistant.project;
  return withConsumedQuestion(
    context,
    { organizationId, kind: 'evaluated' },
    () => askOnce(context, assistant, asked),
    (outcome) => 'error' in outcome,
  );
}

async function askOnce(
  context: Context,
  assistant: TriedAssistant,
  asked: SetQuestion,
): Promise<Outcome> {
  try {
    return await askQuestion(context, assistant, {
      question: asked.question,
      expectation: storedExpectation(asked),
    });
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof DomainError) return { error: error.message };
    if (error instanceof DOMException) return { error: 'The answer took too long' };
    throw error;
  }
}

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
