import { lowConfidenceThreshold } from '../usage/low-confidence.ts';

/** The figures of one day: a row that a statement below returns. */
export interface OfDay {
  /** For example `2026-11-21`. */
  readonly day: string;
}

/**
 * A row of `selectHandoffs`: the figures of one day, or of the whole period if `day` is null. The statement computes
 * the period separately, because percentiles of days cannot be added up.
 */
export interface OfPart {
  readonly day: string | null;
  /** False if the row belongs to the period before. */
  readonly isCurrent: boolean;
}

/** Completed answers that were written from the documents. An answer counts on the day on which it was created. */
export interface AnswerCounts {
  readonly answers: number;
  /** Number of answers with low confidence. */
  readonly unsure: number;
  /** Sum of the confidences of all these answers. */
  readonly confidenceSum: number;
  /** Number of answers that were rated UP. */
  readonly helpful: number;
  /** Number of answers that were rated DOWN. */
  readonly unhelpful: number;
  /** Tokens used for these answers. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly embeddingTokens: number;
}

/** Conversations with an answer or a handoff. A conversation counts on the day on which it started. */
export interface ConversationCounts {
  readonly conversations: number;
  /** Number of conversations without a handoff. */
  readonly deflected: number;
  /**
   * Number of conversations in which a handoff was requested. A handoff that an agent took over without a request does
   * not count.
   */
  readonly handedOver: number;
}

/** Handoffs that were requested. A handoff counts on the day of the request. All times are elapsed seconds. */
export interface HandoffFigures {
  readonly handoffs: number;
  readonly replied: number;
  readonly replyP50Seconds: number | null;
  readonly replyP95Seconds: number | null;
  /** Number of handoffs that have a reply target and either have a reply or are overdue. */
  readonly repliesDue: number;
  readonly repliesInTime: number;
  readonly resolved: number;
  readonly resolutionP50Seconds: number | null;
  readonly resolutionP95Seconds: number | null;
  readonly resolutionsDue: number;
  readonly resolutionsInTime: number;
}

/**
 * The statements of this file share these parameters: $1 project, $2 start of the period before, $3 end of the period,
 * $4 start of the period.
 */
export const during = (column: string) =>
  `${column} >= $2::timestamptz and ${column} < $3::timestamptz`;

const dayOf = (column: string) => `(${column} at time zone 'UTC')::date as day`;

const dayName = `to_char(day, 'YYYY-MM-DD') as day`;

/**
 * Returns the SQL condition that excludes conversations in the playground, in which operators test. There are few of
 * them, and they have their own index.
 */
export const isNoTest = (conversationId: string) => `not exists (
      select from grounded.conversations test
      where test.project_id = $1::uuid and test.channel = 'PLAYGROUND' and test.id = ${conversationId})`;

/** Repeats the condition of the index `messages_answers`, so that Postgres can use the index. */
export const isCountedAnswer = (message: string) => `${message}.project_id = $1::uuid
      and ${message}.role = 'ASSISTANT' and ${message}.status = 'COMPLETED' and ${message}.intent is null`;

/** Returns the SQL condition of an answer without a source: the fallback text, or the refusal of a model. */
export const isRefused = (message: string) => `${message}.citations = '[]'`;

export const selectAnswers = `
  select ${dayName}, count(*)::integer as answers,
    (count(*) filter (where confidence < ${lowConfidenceThreshold}))::integer as unsure,
    coalesce(sum(confidence), 0)::float8 as "confidenceSum",
    (count(*) filter (where rating = 'UP'))::integer as helpful,
    (count(*) filter (where rating = 'DOWN'))::integer as unhelpful,
    sum(input_tokens)::float8 as "inputTokens", sum(output_tokens)::float8 as "outputTokens",
    sum(embedding_tokens)::float8 as "embeddingTokens"
  from (
    select ${dayOf('message.created_at')}, message.confidence, feedback.rating,
      message.input_tokens, message.output_tokens, message.embedding_tokens
    from grounded.messages message
    left join grounded.message_feedback feedback
      on feedback.message_id = message.id and feedback.project_id = $1::uuid
    where ${isCountedAnswer('message')}
      and ${during('message.created_at')} and ${isNoTest('message.conversation_id')}
  ) answer
  group by day`;

export const selectConversations = `
  select ${dayName}, count(*)::integer as conversations,
    (count(*) filter (where is_requested is null))::integer as deflected,
    (count(*) filter (where is_requested))::integer as "handedOver"
  from (
    select ${dayOf('conversation.created_at')}, handoff.is_requested
    from grounded.conversations conversation
    left join (
      select conversation_id, bool_or(is_requested) as is_requested
      from grounded.handoffs
      where project_id = $1::uuid and requested_at >= $2::timestamptz
      group by conversation_id
    ) handoff on handoff.conversation_id = conversation.id
    where conversation.project_id = $1::uuid and conversation.channel is distinct from 'PLAYGROUND'
      and ${during('conversation.created_at')}
      and (handoff.conversation_id is not null or conversation.id in (
        select message.conversation_id from grounded.messages message
        where ${isCountedAnswer('message')} and message.created_at >= $2::timestamptz))
  ) started
  group by day`;

/**
 * If a handoff has no reply or resolution yet, its target counts only after the due time. Until then, the team can
 * still meet the target.
 */
export const selectHandoffs = `
  select ${dayName}, is_current as "isCurrent", count(*)::integer as handoffs, count(reply_seconds)::integer as replied,
    ${percentile('reply_seconds', 0.5)} as "replyP50Seconds", ${percentile('reply_seconds', 0.95)} as "replyP95Seconds",
    (count(*) filter (where first_reply_at is not null and first_reply_due_at is not null
      or coalesce(resolved_at, now()) > first_reply_due_at))::integer as "repliesDue",
    (count(*) filter (where first_reply_at <= first_reply_due_at))::integer as "repliesInTime",
    count(resolution_seconds)::integer as resolved,
    ${percentile('resolution_seconds', 0.5)} as "resolutionP50Seconds",
    ${percentile('resolution_seconds', 0.95)} as "resolutionP95Seconds",
    (count(*) filter (where resolved_at is not null and resolution_due_at is not null
      or now() > resolution_due_at))::integer as "resolutionsDue",
    (count(*) filter (where resolved_at <= resolution_due_at))::integer as "resolutionsInTime"
  from (
    select ${dayOf('requested_at')}, requested_at >= $4::timestamptz as is_current, first_reply_at, first_reply_due_at, resolved_at, resolution_due_at,
      extract(epoch from first_reply_at - requested_at)::float8 as reply_seconds,
      extract(epoch from resolved_at - requested_at)::float8 as resolution_seconds
    from grounded.handoffs
    where project_id = $1::uuid and is_requested and ${during('requested_at')} and ${isNoTest('conversation_id')}
  ) handoff
  group by grouping sets ((is_current), (is_current, day))`;

/** Returns the SQL of a percentile. `share` is 0 to 1. */
export function percentile(column: string, share: number): string {
  return `percentile_cont(${share}) within group (order by ${column})`;
}
