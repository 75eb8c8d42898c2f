import { DomainError, isUniqueViolation, notFound } from '../../platform/errors.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordProjectAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import { type Page, type PageInput, readPage } from '../offset-pagination.ts';
import { requireProject } from '../organizations/require-project.ts';
import { requireProjectResource } from '../organizations/require-project-resource.ts';
import { hasQuestionLeft, questionQuotaExceeded } from '../usage/question-quota.ts';
import { type Candidate, requireUsable } from './candidate.ts';
import { deleteOldRuns } from './delete-old-runs.ts';
import type { FailedBound } from './figure-bounds.ts';
import type { Figures } from './figures.ts';
import { insertRun } from './insert-run.ts';
import { judgeModelOf } from './judge-with-model.ts';
import { getQuestionSet } from './question-sets.ts';
import { enqueueVectorRemoval } from './remove-candidate-vectors.ts';
import { requireUsableEmbedding } from './tried-embedding.ts';

export type EvaluationRun = Prisma.EvaluationRunGetPayload<object>;

/** Identifies a run. If `projectId` is set, the run must belong to that project. */
export interface RunTarget {
  readonly id: string;
  readonly projectId?: string | null;
}

/** Returns the figures of a run. Null unless the run is done. */
export function figuresOf({ figures }: EvaluationRun): Figures | null {
  const stored = figures as Figures | null;
  if (stored === null) return null;
  // Runs of earlier versions have no verdicts of a model.
  const { modelRight = null, n } = stored;
  return { ...stored, modelRight, n: { ...n, modelRight: n.modelRight ?? 0 } };
}

/** Returns the bounds of its schedule that a run fails. Null unless the run is done. */
export function storedFailedBounds({ status, failedBounds }: EvaluationRun): FailedBound[] | null {
  return status === 'DONE' ? ((failedBounds ?? []) as FailedBound[]) : null;
}

/**
 * Starts a run, which asks the questions that the set has now. A job asks them. Each uses one of the plan's evaluated
 * questions, and none uses a message. The run stores no conversation.
 * @throws DomainError NOT_FOUND when the set is unknown
 * @throws DomainError VALIDATION_FAILED when the set is empty, or the installation cannot try the candidate or
 * has no language model that judges
 * @throws DomainError MODEL_ERROR when the server of the embedding model to try does not respond
 * @throws DomainError QUOTA_EXCEEDED when no evaluated question is left
 * @throws DomainError CONFLICT when another run of the set has not finished
 */
export async function startEvaluation(
  context: Context,
  input: {
    readonly projectId?: string | null;
    readonly setId: string;
    readonly candidate?: Candidate | null;
    /** Whether the language model of the installation judges the answers, too. */
    readonly judgeByModel?: boolean | null;
  },
): Promise<EvaluationRun> {
  const { setId } = input;
  const target = { id: setId, projectId: input.projectId ?? null };
  const { projectId } = await getQuestionSet(context, target, 'evaluation:write');
  const { organizationId } = await requireProject(context, projectId, 'evaluation:write');
  const judgeModel = input.judgeByModel ? judgeModelOf(context.models.chat) : null;
  if (input.judgeByModel && judgeModel === null)
    throw new DomainError('VALIDATION_FAILED', ['judgeByModel needs a language model']);
  if (!(await hasQuestionLeft(context.pool, { organizationId, kind: 'evaluated' }))) {
    throw questionQuotaExceeded('evaluated');
  }
  const asked = input.candidate ?? {};
  await requireUsable(context.models.chat, asked, context.signal);
  const candidate = await requireUsableEmbedding(context, projectId, asked);
  const started = transaction(context, async (context) => {
    const { db } = context;
    await runSql(db, 'select id from grounded.question_sets where id = $1::uuid for share', [
      setId,
    ]);
    const set = await db.questionSet.findFirst({ where: { id: setId, projectId } });
    if (set === null) throw notFound('Question set');
    if (set.questionCount === 0)
      throw new DomainError('VALIDATION_FAILED', ['setId must name a set with questions']);
    return insertRun(context, set, { organizationId, candidate, judgeModel });
  });
  try {
    return await started;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new DomainError('CONFLICT', 'Another run of the set has not finished');
  }
}

/**
 * Returns a run of a project in which the caller has the permission.
 * @throws DomainError NOT_FOUND when the run is unknown
 */
export async function getEvaluation(
  context: Context,
  { id, projectId }: RunTarget,
  permission: 'evaluation:read' | 'evaluation:write' = 'evaluation:read',
): Promise<EvaluationRun> {
  const target = { what: 'Evaluation run', id, projectId: projectId ?? null };
  const { resource } = await requireProjectResource(context, permission, target, (id) =>
    context.db.evaluationRun.findFirst({ where: { id } }),
  );
  return resource;
}

/** Returns one page of the project's runs, newest first. With `setId`, only those of this set. */
export async function listEvaluations(
  context: Context,
  input: PageInput & { readonly projectId?: string | null; readonly setId?: string | null },
): Promise<Page<EvaluationRun>> {
  const { setId } = input;
  const { id: projectId } = await requireProject(context, input.projectId, 'evaluation:read');
  if (setId != null) await getQuestionSet(context, { id: setId, projectId });
  const where = { projectId, ...(setId != null && { setId }) };
  return readPage(
    input,
    (part) => context.db.evaluationRun.findMany({ ...part, where, orderBy: { id: 'desc' } }),
    () => context.db.evaluationRun.count({ where }),
  );
}

/**
 * Cancels a run that has not finished. Keeps the results that it has until another run of the set is cancelled.
 * @throws DomainError CONFLICT when the run has finished
 */
export async function cancelEvaluation(context: Context, input: RunTarget): Promise<EvaluationRun> {
  const { id, projectId } = await getEvaluation(context, input, 'evaluation:write');
  return transaction(context, async (context) => {
    const [run] = await context.db.evaluationRun.updateManyAndReturn({
      where: { id, projectId, finishedAt: null },
      data: { status: 'CANCELLED', finishedAt: new Date() },
    });
    if (run === undefined) throw new DomainError('CONFLICT', 'The run has finished');
    await enqueueVectorRemoval(context, run);
    await deleteOldRuns(context, run);
    await recordProjectAuditEntry(context, projectId, {
      action: 'EVALUATION_CANCELLED',
      target: { type: 'EVALUATION_RUN', id },
    });
    return run;
  });
}
