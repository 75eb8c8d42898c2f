import { toIsoTime } from '../../platform/iso-time.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { isNoTest } from '../analytics/analytics-sql.ts';
import type { Context } from '../context.ts';
import { lowConfidenceThreshold } from '../usage/low-confidence.ts';
import type { GroupedQuestion } from './group-questions.ts';

/** A question that an end user asked. */
export interface AskedQuestion extends GroupedQuestion {
  readonly kind: 'ASKED' | 'EARLIER' | 'ANSWERED';
  readonly conversationId: string;
  readonly askedAt: Date;
  /** Whether the answer to the question was rated DOWN. */
  readonly isRatedBad: boolean;
}

interface Period {
  readonly projectId: string;
  readonly since: Date;
  /** End of the period, exclusive. Null: no end. */
  readonly until: Date | null;
}

const maxQuestions = 500;

/**
 * Lower than `maxQuestions`, because these wordings are embedded only to find out which questions have been answered in
 * the meantime.
 */
const maxAnswered = 200;

/**
 * Returns the latest 500 questions of a period whose answer had low confidence or was rated DOWN, latest first. Omits
 * small talk and tests.
 */
export async function findUnansweredQuestions(
  { db }: Context,
  { projectId, since, until, kind }: Period & { readonly kind: 'ASKED' | 'EARLIER' },
): Promise<AskedQuestion[]> {
  const rows = await runSql<QuestionRow>(db, findUnanswered, [
    ...valuesOf({ projectId, since, until }),
    maxQuestions,
  ]);
  return rows.map((row) => askedQuestionOf(row, kind));
}

/**
 * Returns the latest 200 questions of a period that were answered with sufficient confidence, and not rated DOWN, latest
 * first. Omits small talk and tests.
 */
export async function findAnsweredQuestions(
  { db }: Context,
  period: Period,
): Promise<AskedQuestion[]> {
  const rows = await runSql<QuestionRow>(db, findAnswered, [...valuesOf(period), maxAnswered]);
  return rows.map((row) => askedQuestionOf(row, 'ANSWERED'));
}

/**
 * Without `until`, the period has no end. The current time of this process would be wrong, because the clock of the
 * database may be ahead.
 */
function valuesOf({ projectId, since, until }: Period) {
  return [projectId, toIsoTime(since.getTime()), until?.toISOString() ?? 'infinity'];
}

const questionColumns = `question.id as "messageId", question.conversation_id as "conversationId", question.content,
    extract(epoch from question.created_at)::float8 * 1000 as "askedAtMs"`;

/**
 * Finds answers with low confidence or a DOWN rating, and for each of them the question directly before it. The
 * confidence threshold is a literal in the SQL, because Postgres cannot use the partial index with a parameter.
 */
const findUnanswered = `
  with unsure as (
    select id, conversation_id, position
    from grounded.messages message
    where project_id = $1::uuid and role = 'ASSISTANT' and status = 'COMPLETED'
      and confidence < ${lowConfidenceThreshold} and intent is null
      and created_at >= $2::timestamptz and created_at < $3::timestamptz and ${isNoTest('message.conversation_id')}
    order by created_at desc limit $4::int
  ), rated as (
    select message_id from grounded.message_feedback
    where project_id = $1::uuid and rating = 'DOWN' and updated_at >= $2::timestamptz
    order by updated_at desc limit $4::int
  ), answer as (
    select id, conversation_id, position from unsure
    union
    select message.id, message.conversation_id, message.position
    from rated join grounded.messages message on message.id = rated.message_id
    where message.project_id = $1::uuid and message.intent is null
      and message.created_at >= $2::timestamptz and message.created_at < $3::timestamptz and ${isNoTest('message.conversation_id')}
  )
  select ${questionColumns}, exists (select from rated where rated.message_id = answer.id) as "isRatedBad"
  from answer join grounded.messages question
    on question.conversation_id = answer.conversation_id and question.position = answer.position - 1
  where question.project_id = $1::uuid and question.role = 'USER'
  order by question.created_at desc, question.id desc limit $4::int`;

const findAnswered = `
  with answer as (
    select conversation_id, position
    from grounded.messages message
    where project_id = $1::uuid and role = 'ASSISTANT' and status = 'COMPLETED' and intent is null
      and confidence >= ${lowConfidenceThreshold}
      and created_at >= $2::timestamptz and created_at < $3::timestamptz and ${isNoTest('message.conversation_id')}
      and not exists (select from grounded.message_feedback feedback
        where feedback.message_id = message.id and feedback.project_id = $1::uuid and feedback.rating = 'DOWN')
    order by created_at desc limit $4::int
  )
  select ${questionColumns}, false as "isRatedBad"
  from answer join grounded.messages question
    on question.conversation_id = answer.conversation_id and question.position = answer.position - 1
  where question.project_id = $1::uuid and question.role = 'USER'
  order by question.created_at desc, question.id desc limit $4::int`;

type QuestionRow = Omit<AskedQuestion, 'kind' | 'askedAt'> & { readonly askedAtMs: number };

function askedQuestionOf(
  { askedAtMs, ...question }: QuestionRow,
  kind: AskedQuestion['kind'],
): AskedQuestion {
  return { ...question, kind, askedAt: new Date(Math.round(askedAtMs)) };
}
