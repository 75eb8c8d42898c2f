import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';

/** Questions with a confidence of at least `step / 100`, and below the next step. */
export interface AskedQuestions {
  /** -1 for those that no threshold answers, because the search found nothing or the model refused. */
  readonly step: number;
  readonly questions: number;
}

const maxQuestions = 50_000;

/**
 * Counts the questions since `since` that received an answer or the fallback text, at most the latest 50,000, by the
 * confidence that was compared with the threshold. Small talk does not count. The caller has checked the permission.
 */
export function countAskedQuestions(
  { db }: Context,
  projectId: string,
  since: Date,
): Promise<readonly AskedQuestions[]> {
  return runSql<AskedQuestions>(db, countBySteps, [projectId, since.toISOString(), maxQuestions]);
}

/** SQL for the step of a confidence. Rounds, so that .29 is the step 29 although .29 * 100 is below 29. */
export function stepOf(confidence: string): string {
  return `floor(round((${confidence})::numeric * 100, 6))::int`;
}

/**
 * The confidence before the answer was written. Older answers have only the confidence of the finished answer. If the
 * answer is the fallback text: the highest threshold at which the question would have been answered, or null if this is
 * not stored.
 */
const askedConfidence = `case
  when finish_reason = 'REFUSAL' then null
  when model is not null then coalesce(retrieval_confidence, confidence)
  else nullif(retrieval_confidence, 0) end`;

const countBySteps = `
  with asked as (
    select ${askedConfidence} as confidence from grounded.messages
    where project_id = $1::uuid and role = 'ASSISTANT' and status = 'COMPLETED'
      and intent is null and created_at >= $2::timestamptz
    order by created_at desc limit $3::int
  )
  select coalesce(${stepOf('confidence')}, -1) as step, count(*)::int as questions from asked group by 1`;
