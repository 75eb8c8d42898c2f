import { unsureBelow } from '../chat/confidence.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { transactionSql } from '../run-sql.ts';
import { type AskedQuestion, groupQuestions, type QuestionGroup } from './group-questions.ts';

/** What end users have asked in much the same words and not got a good answer to. */
export interface UnansweredQuestion {
  /** Of the message that asked it last. */
  readonly id: string;
  /** In the words it was asked in most often. */
  readonly question: string;
  readonly count: number;
  /** How many of the answers a reader has rated as bad. */
  readonly badFeedbackCount: number;
  readonly lastAskedAt: Date;
  /** The latest five. */
  readonly conversationIds: readonly string[];
  /** Of all messages that asked it, the latest first. */
  readonly messageIds: readonly string[];
}

const maxQuestions = 500;
const maxExamples = 5;
const defaultSinceMs = 30 * 24 * 60 * 60 * 1000;

/**
 * End users' questions since a moment, 30 days ago where none is given, whose answer was unsure or rated as bad: the
 * latest 500, grouped by what they mean, the most frequent first. Throws what `requireProject` throws.
 */
export async function listUnansweredQuestions(
  context: Context,
  input: { readonly projectId: string; readonly since?: Date | null },
): Promise<UnansweredQuestion[]> {
  const { id: projectId } = await requireProject(context, input.projectId, 'conversations:read');
  const since = input.since ?? new Date(Date.now() - defaultSinceMs);
  const rows = await transactionSql(context.db).query(findQuestions, [
    projectId,
    since.toISOString(),
    maxQuestions,
  ]);
  const groups = await groupQuestions(context, projectId, rows.map(askedQuestionOf));
  return groups.map(summaryOf).sort(mostFrequentFirst);
}

/** A question stands right before its answer. The threshold is no parameter, so that its index serves. */
const findQuestions = `
  with unsure as (
    select id, conversation_id, position, created_at
    from grounded.messages
    where project_id = $1::uuid and role = 'ASSISTANT' and status = 'COMPLETED'
      and confidence < ${unsureBelow} and created_at >= $2::timestamptz
    order by created_at desc limit $3::int
  ), rated as (
    select message_id from grounded.message_feedback
    where project_id = $1::uuid and rating = 'DOWN' and updated_at >= $2::timestamptz
    order by updated_at desc limit $3::int
  ), answer as (
    select id, conversation_id, position from unsure
    union
    select message.id, message.conversation_id, message.position
    from rated join grounded.messages message on message.id = rated.message_id
    where message.project_id = $1::uuid and message.created_at >= $2::timestamptz
  )
  select question.id, question.conversation_id, question.content,
    extract(epoch from question.created_at)::float8 * 1000 as asked_at_ms,
    exists (select from rated where rated.message_id = answer.id) as is_rated_bad
  from answer join grounded.messages question
    on question.conversation_id = answer.conversation_id and question.position = answer.position - 1
  where question.project_id = $1::uuid and question.role = 'USER'
  order by question.created_at desc, question.id desc limit $3::int`;

function askedQuestionOf(row: Record<string, unknown>): AskedQuestion {
  return {
    messageId: String(row.id),
    conversationId: String(row.conversation_id),
    content: String(row.content),
    askedAt: new Date(Math.round(Number(row.asked_at_ms))),
    isRatedBad: row.is_rated_bad === true,
  };
}

function summaryOf({ question, asked }: QuestionGroup): UnansweredQuestion {
  const latestFirst = asked.toSorted((a, b) => b.askedAt.getTime() - a.askedAt.getTime());
  const [latest] = latestFirst;
  if (latest === undefined) throw new Error('A group without questions');
  const conversationIds = [...new Set(latestFirst.map(({ conversationId }) => conversationId))];
  return {
    id: latest.messageId,
    question,
    count: asked.length,
    badFeedbackCount: asked.filter(({ isRatedBad }) => isRatedBad).length,
    lastAskedAt: latest.askedAt,
    conversationIds: conversationIds.slice(0, maxExamples),
    messageIds: latestFirst.map(({ messageId }) => messageId),
  };
}

function mostFrequentFirst(a: UnansweredQuestion, b: UnansweredQuestion): number {
  return b.count - a.count || b.lastAskedAt.getTime() - a.lastAskedAt.getTime();
}
