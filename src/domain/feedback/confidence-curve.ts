import { runSql } from '../../platform/postgres/run-sql.ts';
import { defaultThreshold } from '../chat/evidence/answer-rule.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';

/** Shows what each possible confidence threshold would have changed in a project's latest answers. */
export interface ConfidenceCurve {
  readonly since: Date;
  /** The threshold that applies if the project has set none. */
  readonly defaultThreshold: number;
  /** Number of rated answers from which the curve is computed. */
  readonly ratedAnswers: number;
  /** Number of questions that received an answer from the assistant or the fallback text. */
  readonly questions: number;
  /** One point for each threshold from 0 to 1 in steps of 0.01, lowest first. */
  readonly points: readonly ConfidencePoint[];
}

export interface ConfidencePoint {
  readonly threshold: number;
  /** Number of rated answers with at least this confidence. */
  readonly ratedAnswers: number;
  /** Number of rated answers with at least this confidence that were rated UP. */
  readonly helpfulAnswers: number;
  /** Rated answers with at least this confidence, as a share of all rated answers. Null if no answer is rated. */
  readonly coverage: number | null;
  /**
   * Answers rated UP, as a share of the rated answers with at least this confidence. Null if there are no such answers.
   */
  readonly precision: number | null;
  /** Number of questions with at least this confidence. With this threshold, the assistant would have answered them. */
  readonly answers: number;
}

const lookbackDays = 90;
const thresholds = Array.from({ length: 101 }, (_, step) => step / 100);
/** Maximum number of ratings, and maximum number of answers, to read. The latest are read first. */
export const maxRatings = 10_000;
const maxAnswers = 50_000;

/**
 * Returns the precision and coverage of the last 90 days for each threshold. Uses the confidence before the answer was
 * generated, because this confidence is compared with a threshold. Small talk, fallback texts and refusals do not count
 * as rated answers.
 * @throws DomainError from `requireProject`
 */
export async function getConfidenceCurve(
  context: Context,
  input: { readonly projectId: string },
): Promise<ConfidenceCurve> {
  const { id: projectId } = await requireProject(context, input.projectId, 'conversations:read');
  const since = lookbackStart();
  const rows = await countSteps(context, projectId, since);
  const { models } = context;
  const { model } = await models.servingEmbedding();
  const sumFrom = (step: number, count: keyof StepCounts) =>
    rows.reduce((sum, row) => sum + (row.step >= step ? row[count] : 0), 0);
  const ratedAnswers = sumFrom(0, 'ratedAnswers');
  return {
    since,
    defaultThreshold: defaultThreshold(models.chat, model?.name ?? null),
    ratedAnswers,
    questions: sumFrom(unansweredStep, 'answers'),
    points: thresholds.map((threshold, step) => {
      const rated = sumFrom(step, 'ratedAnswers');
      const helpfulAnswers = sumFrom(step, 'helpfulAnswers');
      return {
        threshold,
        ratedAnswers: rated,
        helpfulAnswers,
        coverage: ratedAnswers === 0 ? null : rated / ratedAnswers,
        precision: rated === 0 ? null : helpfulAnswers / rated,
        answers: sumFrom(step, 'answers'),
      };
    }),
  };
}

export function lookbackStart(): Date {
  return new Date(Date.now() - lookbackDays * 24 * 60 * 60 * 1000);
}

/** Counts the answers of a project for each threshold. The caller has checked the permission. */
export function countSteps(
  { db }: Context,
  projectId: string,
  since: Date,
): Promise<readonly StepCounts[]> {
  const values = [projectId, since.toISOString(), thresholds, maxRatings, maxAnswers];
  return runSql<StepCounts>(db, countBySteps, values);
}

/** Step for questions that are not answered at any threshold, because the search found nothing or the model refused. */
export const unansweredStep = -1;

/** Answers with a confidence of at least the threshold of this step, and below the threshold of the next step. */
export interface StepCounts {
  readonly step: number;
  readonly ratedAnswers: number;
  readonly helpfulAnswers: number;
  readonly answers: number;
}

/**
 * The confidence before the answer was written. Older answers have only the confidence of the finished answer. If the
 * answer is the fallback text: the highest threshold at which the question would have been answered, or null if this is
 * not stored.
 */
const answerConfidence = `case
  when message.finish_reason = 'REFUSAL' then null
  when message.model is not null then coalesce(message.retrieval_confidence, message.confidence)
  else nullif(message.retrieval_confidence, 0) end`;

const countBySteps = `
  with rating as (
    select message_id, rating from grounded.message_feedback
    where project_id = $1::uuid and updated_at >= $2::timestamptz
    order by updated_at desc limit $4::int
  ), rated as (
    select ${answerConfidence} as confidence, rating.rating
    from rating join grounded.messages message on message.id = rating.message_id
    where message.project_id = $1::uuid and message.status = 'COMPLETED' and message.intent is null
      and message.model is not null
  ), answer as (
    select ${answerConfidence} as confidence
    from grounded.messages message
    where message.project_id = $1::uuid and message.role = 'ASSISTANT' and message.status = 'COMPLETED'
      and message.intent is null and message.created_at >= $2::timestamptz
    order by message.created_at desc limit $5::int
  ), counted as (
    select width_bucket(confidence, $3::float8[]) as bucket, 1 as rated, (rating = 'UP')::int as helpful, 0 as answers
    from rated where confidence is not null
    union all
    select coalesce(width_bucket(confidence, $3::float8[]), 0), 0, 0, 1 from answer
  )
  select bucket - 1 as step, sum(rated)::int as "ratedAnswers", sum(helpful)::int as "helpfulAnswers",
    sum(answers)::int as answers
  from counted group by bucket`;
