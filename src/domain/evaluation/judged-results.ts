import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { EvaluationRun } from './evaluation-runs.ts';
import type { JudgedResult } from './figures.ts';

/** How the answer to a question of a run was judged, without its texts. */
export interface RunResult extends JudgedResult {
  readonly position: number;
  /** Id of the wording of the question. */
  readonly questionRow: string;
}

const batchSize = 2_000;

/** Returns the judgements of the questions that were answered, in their order. Reads them in batches. */
export async function readJudgedResults(
  { pool, signal }: Pick<Context, 'pool' | 'signal'>,
  { id, projectId }: Pick<EvaluationRun, 'id' | 'projectId'>,
): Promise<RunResult[]> {
  const results: RunResult[] = [];
  for (let last = 0; ; ) {
    signal.throwIfAborted();
    const batch = await runSql<RunResult>(pool, readSql, [id, projectId, last, batchSize]);
    for (const result of batch) results.push(result);
    last = batch.at(-1)?.position ?? last;
    if (batch.length < batchSize) return results;
  }
}

/**
 * Parameters: $1 run, $2 project, $3 last position, $4 number of results. The first citation is judged for exactly those
 * questions whose document is searched for.
 */
const readSql = `
  select result.position, result.question_row as "questionRow", result.must_refuse as "mustRefuse",
    result.first_citation_right is not null as "isDocumentJudged", result.rank,
    result.first_citation_right as "firstCitationRight", result.contains_expected as "containsExpected",
    coalesce(result.refused, false) as refused, result.model_verdict::text as "modelVerdict",
    coalesce(result.confidence, 0) as confidence, coalesce(result.latency_ms, 0) as "latencyMs",
    result.input_tokens + result.output_tokens + result.embedding_tokens as tokens
  from grounded.evaluation_results result
  where result.run_id = $1::uuid and result.project_id = $2::uuid and result.error is null and result.position > $3::int
  order by result.position limit $4::int`;
