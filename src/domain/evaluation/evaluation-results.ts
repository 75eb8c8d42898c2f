import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { type Page, type PageInput, readPage } from '../offset-pagination.ts';
import { getEvaluation, type RunTarget } from './evaluation-runs.ts';

/** `asked`: the question as it was when the run started. */
export const withQuestion = {
  include: { asked: true },
} as const satisfies Prisma.EvaluationResultDefaultArgs;

/** The answer to a question of a run, and its judgement. */
export type EvaluationResult = Prisma.EvaluationResultGetPayload<typeof withQuestion>;

/** Returns one page of the results that a run has so far, in the order of the questions. */
export async function listEvaluationResults(
  context: Context,
  input: PageInput & RunTarget,
): Promise<Page<EvaluationResult>> {
  const { id: runId, projectId } = await getEvaluation(context, input);
  const { db } = context;
  const where = { runId, projectId };
  return readPage(
    input,
    (part) =>
      db.evaluationResult.findMany({
        ...withQuestion,
        ...part,
        where,
        orderBy: { position: 'asc' },
      }),
    () => db.evaluationResult.count({ where }),
  );
}
