import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { stepOf } from './asked-questions.ts';
import { type FoldCount, folds } from './confidence-map.ts';
import type { StepCount } from './promised-threshold.ts';

/** Counts of the answers of a project that a person rated or a question set judged. */
export interface JudgedAnswers {
  /** Answers by their confidence. */
  readonly byConfidence: readonly FoldCount[];
  /** The same answers by the confidence that was compared with the threshold. */
  readonly byStep: readonly StepCount[];
  /** Questions of the sets that the documents answer, by the same. The step is -1 for those that were refused. */
  readonly answerable: readonly { readonly step: number; readonly questions: number }[];
  readonly fromRatings: number;
  readonly fromQuestionSets: number;
}

const maxRatings = 10_000;

/** Source of the judgements: the ratings of end users, the question sets, or both. */
export type Basis = 'ALL' | 'RATINGS' | 'QUESTION_SETS';

/**
 * Counts the answers of a project that were rated or judged since `since`: the latest 10,000 ratings, and of each question
 * set the latest run of the project as it is, or with the threshold 0. An answer is accepted if it was rated UP, or if
 * it contains the expected texts. Without expected texts, the first citation decides. An answer to a question that must
 * be refused is not accepted. Fallback texts and refusals are no answers. The caller has checked the permission.
 */
export async function readJudgedAnswers(
  { db }: Context,
  projectId: string,
  { basis, since }: { readonly basis: Basis; readonly since: Date },
): Promise<JudgedAnswers> {
  const values = [projectId, since.toISOString(), basis, maxRatings, folds];
  const rows = await runSql<CountRow>(db, countJudged, values);
  const ofKind = (kind: CountRow['kind']) => rows.filter((row) => row.kind === kind);
  const answersFrom = (isRating: boolean) =>
    ofKind('CONFIDENCE').reduce((sum, row) => sum + (row.isRating === isRating ? row.n : 0), 0);
  return {
    byConfidence: ofKind('CONFIDENCE').map(({ mean, n, accepted, fold }) => ({
      ...{ confidence: mean, answers: n, accepted, fold },
    })),
    byStep: ofKind('STEP').map(({ step, n, accepted }) => ({
      ...{ step, answers: n, wrong: n - accepted },
    })),
    answerable: ofKind('ANSWERABLE').map(({ step, n }) => ({ step, questions: n })),
    fromRatings: answersFrom(true),
    fromQuestionSets: answersFrom(false),
  };
}

interface CountRow {
  readonly kind: 'CONFIDENCE' | 'STEP' | 'ANSWERABLE';
  readonly step: number;
  readonly fold: number;
  readonly isRating: boolean;
  readonly mean: number;
  readonly n: number;
  readonly accepted: number;
}

/** Parameters: $1 project, $2 start of the period, $3 basis, $4 maximum number of ratings, $5 number of folds. */
const countJudged = `
  with rating as (
    select message_id, rating from grounded.message_feedback
    where project_id = $1::uuid and updated_at >= $2::timestamptz and $3 <> 'QUESTION_SETS'
    order by updated_at desc limit $4::int
  ), run as (
    select distinct on (set_id) id from grounded.evaluation_runs
    where project_id = $1::uuid and status = 'DONE' and finished_at >= $2::timestamptz and $3 <> 'RATINGS'
      and jsonb_strip_nulls(candidate) in ('{}', '{"answerThreshold": 0}')
    order by set_id, id desc
  ), asked as (
    select result.run_id, result.position, result.confidence, result.retrieval_confidence as retrieved,
      result.must_refuse, result.refused,
      case when result.must_refuse then false else coalesce(result.contains_expected, result.first_citation_right) end
        as accepted
    from run join grounded.evaluation_results result on result.run_id = run.id
    where result.project_id = $1::uuid and result.error is null
      and result.retrieval_confidence is not null
  ), judged as (
    select true as is_rating, message.confidence, coalesce(message.retrieval_confidence, message.confidence) as retrieved,
      rating.rating = 'UP' as accepted, row_number() over (order by message.id) as number
    from rating join grounded.messages message on message.id = rating.message_id
    where message.project_id = $1::uuid and message.status = 'COMPLETED' and message.intent is null
      and message.model is not null and message.finish_reason is distinct from 'REFUSAL'
      and message.confidence is not null
    union all
    select false, confidence, retrieved, accepted, row_number() over (order by run_id, position)
    from asked where not refused and accepted is not null
  )
  select 'CONFIDENCE' as kind, ${stepOf('confidence')} as step, (number % $5)::int as fold, is_rating as "isRating",
    avg(confidence) as mean, count(*)::int as n, count(*) filter (where accepted)::int as accepted
  from judged group by 2, 3, 4
  union all
  select 'STEP', ${stepOf('retrieved')}, 0, false, 0, count(*)::int, count(*) filter (where accepted)::int
  from judged group by 2
  union all
  select 'ANSWERABLE', case when refused then -1 else ${stepOf('retrieved')} end, 0, false, 0, count(*)::int, 0
  from asked where not must_refuse group by 2`;
