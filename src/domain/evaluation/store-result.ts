import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { AskedResult } from './ask-question.ts';
import type { SetQuestion } from './question-rows.ts';

/** Result of a question: an answer, or the reason why there is none. */
export type Outcome = AskedResult | { readonly error: string };

/** Stores a result, and counts it in the progress of the run. Returns false if the run has finished in the meantime. */
export async function storeResult(
  { pool }: Context,
  { id, projectId }: { readonly id: string; readonly projectId: string },
  question: SetQuestion,
  outcome: Outcome,
): Promise<boolean> {
  const stored = await runSql(pool, storeSql, [
    ...[id, projectId, question.rowId, JSON.stringify(outcome)],
  ]);
  return stored.length > 0;
}

/**
 * Parameters: $1 run, $2 project, $3 row of the question, $4 the result as JSON. A repeated result is ignored: the
 * question was asked twice because the first process died.
 */
const storeSql = {
  name: 'store-evaluation-result',
  text: `
  with question as (
    select row_id, id, position, must_refuse from grounded.set_questions
    where row_id = $3::uuid and project_id = $2::uuid
  ), run as (
    update grounded.evaluation_runs run set done = done + 1
    from question
    where run.id = $1::uuid and run.project_id = $2::uuid and run.finished_at is null
      and not exists (select from grounded.evaluation_results r
        where r.run_id = run.id and r.project_id = $2::uuid and r.position = question.position)
    returning run.id
  ), given as (
    select * from jsonb_to_record($4::text::jsonb) as o (answer text, citations jsonb, confidence double precision,
    "retrievalConfidence" double precision, "isDocumentMissing" boolean, rank integer, "firstCitationRight" boolean,
    "containsExpected" boolean, refused boolean, "latencyMs" integer, "inputTokens" integer, "outputTokens" integer,
    "embeddingTokens" integer, "modelVerdict" grounded.answer_verdict, "modelReason" text, "judgeInputTokens" integer,
    "judgeOutputTokens" integer, error text, trace text)
  ), stored_trace as (
    insert into grounded.evaluation_traces (run_id, position, project_id, trace)
    select run.id, question.position, $2::uuid, decode(o.trace, 'base64')
    from run, question, given o where o.trace is not null
  )
  insert into grounded.evaluation_results (run_id, project_id, question_row, question_id, position, must_refuse,
    answer, citations, confidence, retrieval_confidence, is_document_missing, rank, first_citation_right,
    contains_expected, refused, latency_ms, input_tokens, output_tokens, embedding_tokens, model_verdict, model_reason,
    judge_input_tokens, judge_output_tokens, error)
  select run.id, $2::uuid, question.row_id, question.id, question.position, question.must_refuse,
    o.answer, coalesce(o.citations, '[]'), o.confidence, o."retrievalConfidence",
    coalesce(o."isDocumentMissing", false), o.rank, o."firstCitationRight", o."containsExpected", o.refused,
    o."latencyMs", coalesce(o."inputTokens", 0), coalesce(o."outputTokens", 0), coalesce(o."embeddingTokens", 0),
    o."modelVerdict", o."modelReason", coalesce(o."judgeInputTokens", 0), coalesce(o."judgeOutputTokens", 0), o.error
  from run, question, given o
  returning position`,
};
