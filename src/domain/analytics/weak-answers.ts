import type { FeedbackRating } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { lowConfidenceThreshold } from '../usage/low-confidence.ts';
import { isCountedAnswer, isNoTest } from './analytics-sql.ts';
import { type Period, valuesOf } from './period.ts';

/** An answer that was rated DOWN or has low confidence. */
export interface WeakAnswer {
  readonly messageId: string;
  readonly conversationId: string;
  /** The first 300 characters of the question. */
  readonly question: string;
  /** The first 300 characters of the answer. */
  readonly answer: string;
  readonly confidence: number | null;
  readonly rating: FeedbackRating | null;
  readonly createdAt: Date;
}

const maxAnswers = 10;

/**
 * Returns the worst ten answers of the period: those rated DOWN, then those with the least confidence. Answers rated UP
 * are left out.
 * @throws DomainError from `requireProject`
 */
export async function listWeakAnswers(context: Context, period: Period): Promise<WeakAnswer[]> {
  await requireProject(context, period.project.id, 'conversations:read');
  const rows = await runSql<WeakAnswerRow>(context.db, selectWeakAnswers, valuesOf(period));
  return rows.map(({ createdAtMs, ...answer }) => ({
    ...answer,
    createdAt: new Date(Math.round(createdAtMs)),
  }));
}

interface WeakAnswerRow extends Omit<WeakAnswer, 'createdAt'> {
  readonly createdAtMs: number;
}

const selectWeakAnswers = `
  with weak as (
    select message.id, message.conversation_id, message.position, message.content, message.confidence,
      message.created_at, feedback.rating
    from grounded.messages message
    left join grounded.message_feedback feedback
      on feedback.message_id = message.id and feedback.project_id = $1::uuid
    where ${isCountedAnswer('message')}
      and message.created_at >= $2::timestamptz and message.created_at < $3::timestamptz
      and (feedback.rating = 'DOWN' or message.confidence < ${lowConfidenceThreshold} and feedback.rating is null)
      and ${isNoTest('message.conversation_id')}
    order by feedback.rating is null, message.confidence, message.created_at desc, message.id
    limit ${maxAnswers}
  )
  select weak.id as "messageId", weak.conversation_id as "conversationId", left(question.content, 300) as question,
    left(weak.content, 300) as answer, weak.confidence, weak.rating::text,
    extract(epoch from weak.created_at)::float8 * 1000 as "createdAtMs"
  from weak join grounded.messages question
    on question.conversation_id = weak.conversation_id and question.position = weak.position - 1
  where question.project_id = $1::uuid
  order by weak.rating is null, weak.confidence, weak.created_at desc, weak.id`;
