import { DomainError, notFound } from '../../platform/errors.ts';
import type { AnswerVerdict } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import { type EvaluationResult, withQuestion } from './evaluation-results.ts';
import { getEvaluation } from './evaluation-runs.ts';

/**
 * Stores what a person thinks of an answer of a run. A mark of null removes it.
 * @throws DomainError NOT_FOUND when the run, or the question in it, is unknown
 * @throws DomainError CONFLICT when the question has no answer
 */
export async function markEvaluationResult(
  context: Context,
  input: {
    readonly projectId?: string | null;
    readonly runId: string;
    readonly questionId: string;
    readonly mark?: AnswerVerdict | null;
  },
): Promise<EvaluationResult> {
  const { questionId, mark = null } = input;
  const target = { id: input.runId, projectId: input.projectId ?? null };
  const { id: runId, projectId } = await getEvaluation(context, target, 'evaluation:write');
  const where = { runId, projectId, questionId };
  const [marked] = await context.db.evaluationResult.updateManyAndReturn({
    ...withQuestion,
    where: { ...where, answer: { not: null } },
    data: { mark },
  });
  if (marked !== undefined) return marked;
  if ((await context.db.evaluationResult.count({ where })) === 0) throw notFound('Question');
  throw new DomainError('CONFLICT', 'The question has no answer. Mark it when it was answered');
}
