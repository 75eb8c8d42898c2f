import { toIsoTime } from '../../platform/iso-time.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { isNoTest } from '../analytics/analytics-sql.ts';
import type { Context } from '../context.ts';
import { lowConfidenceThreshold } from '../usage/low-confidence.ts';
import { questionLimits } from './question-limits.ts';

/**
 * Why a question is proposed. `UNANSWERED`: its answer had low confidence. `RATED_DOWN`: its answer was rated DOWN.
 * `CLAIMED`: it is the end user's last question before an agent took over. `RESOLVED`: the same, and the handoff is
 * resolved.
 */
export type ProposalReason = 'UNANSWERED' | 'RATED_DOWN' | 'CLAIMED' | 'RESOLVED';

/** A question of an end user in a conversation. */
export interface ProposableQuestion {
  readonly messageId: string;
  readonly conversationId: string;
  readonly question: string;
  readonly reason: ProposalReason;
  readonly askedAt: Date;
  /** The first 500 characters of what the assistant answered. Null without a completed answer. */
  readonly answer: string | null;
  /** The first 1,000 characters of the agent's first reply in the handoff. Null without a handoff or reply. */
  readonly humanReply: string | null;
}

/** The statement reads at most this many answers, ratings, and handoffs of each state. */
const maxPerReason = 500;

/**
 * Returns questions of end users since `since` that were not answered well or that agents took over, latest first. A
 * question is returned once for each reason. Omits small talk, tests and questions that are too long for a set.
 */
export async function findProposableQuestions(
  { db }: Context,
  { projectId, since }: { readonly projectId: string; readonly since: Date },
): Promise<ProposableQuestion[]> {
  const values = [projectId, toIsoTime(since.getTime()), maxPerReason, questionLimits.question];
  const rows = await runSql<ProposableRow>(db, findSql, values);
  return rows.map(({ askedAtMs, ...row }) => ({ ...row, askedAt: new Date(askedAtMs) }));
}

type ProposableRow = Omit<ProposableQuestion, 'askedAt'> & { readonly askedAtMs: number };

/**
 * Selects the latest handoffs with this status. `taken_at` is the time when an agent took over: a transfer changes
 * `claimed_at`, but not the time of the first reply.
 */
const latestHandoffs = (status: 'CLAIMED' | 'RESOLVED') => `(
      select conversation_id, '${status}' as reason,
        coalesce(least(claimed_at, first_reply_at), resolved_at) as taken_at,
        coalesce(resolved_at, 'infinity') as ended_at
      from grounded.handoffs
      where project_id = $1::uuid and status = '${status}' and ${isNoTest('handoffs.conversation_id')}
      order by requested_at desc limit $3::int)`;

/**
 * Parameters: $1 project, $2 since, $3 rows per reason, $4 characters of a question. The confidence threshold is a
 * literal, because Postgres cannot use the partial index with a parameter. Each `limit 1` makes Postgres look up single
 * messages. Without it, a join reads all messages of the project.
 */
const findSql = `
  with unsure as (
    select conversation_id, position
    from grounded.messages message
    where project_id = $1::uuid and role = 'ASSISTANT' and status = 'COMPLETED'
      and confidence < ${lowConfidenceThreshold} and intent is null
      and created_at >= $2::timestamptz and ${isNoTest('message.conversation_id')}
    order by created_at desc limit $3::int
  ), rated as (
    select message_id from grounded.message_feedback
    where project_id = $1::uuid and rating = 'DOWN' and updated_at >= $2::timestamptz
    order by updated_at desc limit $3::int
  ), handoff as (
    select * from ${latestHandoffs('CLAIMED')} claimed
    union all
    select * from ${latestHandoffs('RESOLVED')} resolved
  ), asked as (
    select conversation_id, position - 1 as position, 'UNANSWERED' as reason, null::timestamptz as ended_at
    from unsure
    union all
    select message.conversation_id, message.position - 1, 'RATED_DOWN', null
    from rated join grounded.messages message on message.id = rated.message_id
    where message.project_id = $1::uuid and message.intent is null and ${isNoTest('message.conversation_id')}
    union all
    select handoff.conversation_id, latest.position, handoff.reason, handoff.ended_at
    from handoff cross join lateral (
      select position from grounded.messages message
      where message.conversation_id = handoff.conversation_id and message.project_id = $1::uuid
        and message.role = 'USER' and message.intent is null and message.created_at <= handoff.taken_at
      order by message.position desc limit 1) latest
    where handoff.taken_at >= $2::timestamptz
  )
  select question.id as "messageId", asked.conversation_id as "conversationId", question.content as question,
    asked.reason, round(extract(epoch from question.created_at)::float8 * 1000) as "askedAtMs",
    answer.content as answer, reply.content as "humanReply"
  from asked
  cross join lateral (
    select id, content, created_at from grounded.messages message
    where message.conversation_id = asked.conversation_id and message.position = asked.position
      and message.project_id = $1::uuid and message.role = 'USER' and message.intent is null
      and message.created_at >= $2::timestamptz and char_length(message.content) <= $4::int
    limit 1) question
  left join lateral (
    select left(message.content, 500) as content from grounded.messages message
    where message.conversation_id = asked.conversation_id and message.position = asked.position + 1
      and message.project_id = $1::uuid and message.role = 'ASSISTANT' and message.status = 'COMPLETED'
    limit 1) answer on true
  left join lateral (
    select left(message.content, 1000) as content from grounded.messages message
    where asked.ended_at is not null and message.conversation_id = asked.conversation_id
      and message.position > asked.position and message.project_id = $1::uuid and message.role = 'AGENT'
      and message.created_at <= asked.ended_at
    order by message.position limit 1) reply on true
  order by question.created_at desc, question.id desc`;
