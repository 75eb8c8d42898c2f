import { createDataLoader } from '../../platform/data-loader.ts';
import { nameHits, type ReadAnswerTrace } from '../chat/traces/get-answer-trace.ts';
import { decodeTrace } from '../chat/traces/trace-format.ts';
import type { Context } from '../context.ts';
import { requireProjectId } from '../organizations/require-project.ts';
import type { EvaluationResult } from './evaluation-results.ts';

/**
 * Returns the trace of an answer of a run, with at most 15 hits. Null if none is stored. If several traces are requested
 * together, the same statements read all of them. The caller must already have access to the result.
 *
 * @throws DomainError from `requireProjectId`.
 */
export function findResultTrace(
  context: Context,
  { runId, projectId, position }: Pick<EvaluationResult, 'runId' | 'projectId' | 'position'>,
): Promise<ReadAnswerTrace | null> {
  return loadTrace(context, `${projectId} ${runId}`, position, async (positions) => {
    await requireProjectId(context, projectId, 'answer-traces:read');
    const rows = await context.db.evaluationTrace.findMany({
      where: { projectId, runId, position: { in: [...positions] } },
    });
    const stored = rows.map(({ trace }) => decodeTrace(trace));
    const named = await nameHits(context, projectId, stored);
    const traces = new Map(rows.map((row, index) => [row.position, named[index]]));
    return positions.map((position) => traces.get(position) ?? null);
  });
}

const loadTrace = createDataLoader<number, ReadAnswerTrace | null>();
