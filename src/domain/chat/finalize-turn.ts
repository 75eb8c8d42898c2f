import type { MessageStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { refundMessagesSql } from '../usage/message-quota.ts';
import { daySql, incrementAnswerDaysSql, incrementDaySql, monthSql } from '../usage/usage-sql.ts';
import type { AnswerDraft } from './compose-answer.ts';
import { lowConfidenceThreshold } from './evidence/confidence.ts';
import type { EventBatch } from './runs/answer-events.ts';
import type { AnswerRef } from './runs/running-answers.ts';

export interface FinishedAnswer extends AnswerDraft {
  readonly status: Exclude<MessageStatus, 'GENERATING'>;
}

/**
 * Stores the finished answer and updates usage counters, all in one statement. If the answer failed, its message is
 * returned to the monthly allowance. Small talk is not counted in the answer quality. `unstoredEvents` are the events
 * of a resumable answer that are not stored yet. Returns false if another process has already finalized the answer.
 */
export async function finalizeTurn(
  { pool }: Pick<Context, 'pool'>,
  { projectId, messageId }: AnswerRef,
  answer: FinishedAnswer,
  unstoredEvents: EventBatch,
): Promise<boolean> {
  const stored = await runSql(pool, storeAnswer, [
    messageId,
    answer.status,
    answer.content,
    JSON.stringify(answer.citations),
    answer.confidence,
    answer.latencyMs,
    answer.model,
    answer.usage.inputTokens,
    answer.usage.outputTokens,
    answer.embeddingTokens,
    unstoredEvents.seq,
    JSON.stringify(unstoredEvents.events),
    projectId,
    answer.finishReason,
    answer.intent,
    answer.retrievalConfidence,
  ]);
  return stored.length === 1;
}

const tokenCounters = ['input_tokens', 'output_tokens', 'embedding_tokens'];
const countedAmounts = ['messages', ...tokenCounters];
const sumTokensSql = tokenCounters.map((name) => `sum(${name}) as ${name}`).join(', ');

const storeAnswer = {
  name: 'finalize-turn',
  text: `
    with answer as (
      update grounded.messages
      set status = $2::grounded.message_status, content = $3, citations = $4, confidence = $5,
        retrieval_confidence = $16, latency_ms = $6, model = $7, finish_reason = $14::grounded.finish_reason, intent = $15::grounded.intent,
        input_tokens = $8, output_tokens = $9, embedding_tokens = $10, lease_renewed_at = now(), updated_at = now()
      where id = $1 and project_id = $13 and status = 'GENERATING'
      returning *
    ), question as (
      update grounded.messages question set intent = answer.intent, updated_at = now()
      from answer
      where answer.intent is not null and question.conversation_id = answer.conversation_id
        and question.position = answer.position - 1
    ), stored_events as (
      insert into grounded.answer_events (message_id, seq, event)
      select answer.id, $11::integer + event.ordinal - 1, event.json
      from answer, jsonb_array_elements($12::jsonb) with ordinality as event (json, ordinal)
      on conflict do nothing
    ), counted as (
      update grounded.usage_periods period
      set ${refundMessagesSql("case when answer.status = 'FAILED' then 1 else 0 end")},
        input_tokens = period.input_tokens + answer.input_tokens,
        output_tokens = period.output_tokens + answer.output_tokens,
        embedding_tokens = period.embedding_tokens + answer.embedding_tokens
      from answer join grounded.projects project on project.id = answer.project_id
      where period.organization_id = project.organization_id
        and period.starts_on = ${monthSql('answer.created_at')}
      returning period.organization_id, ${daySql('answer.created_at')} as day,
        case when answer.status = 'FAILED' then -1 else 0 end as messages,
        answer.input_tokens, answer.output_tokens, answer.embedding_tokens,
        answer.status, answer.intent, answer.latency_ms, answer.confidence < ${lowConfidenceThreshold} as is_unsure
    ), counted_day as (${incrementDaySql('counted', countedAmounts)}
    ), counted_answer as (${incrementAnswerDaysSql('counted')}
    )
    select id from answer`,
};

/**
 * Seconds without lease renewal after which the cleanup job considers an answer orphaned. Longer than the lease,
 * because the job also runs right after an outage of the database, when living processes have not renewed their leases
 * yet.
 */
const orphanedAfterSeconds = 180;

/**
 * Marks answers as `FAILED` if their lease was last renewed more than `afterSeconds` ago, which means that their
 * process died. Checks all answers, or only the answer `messageId`. Restores the text of a resumable answer from its
 * stored events. The text of another answer is its progress of the last second. Counts the tokens used so far.
 */
export async function failOrphanedAnswers(
  { pool }: Pick<Context, 'pool'>,
  {
    afterSeconds = orphanedAfterSeconds,
    messageId,
  }: { afterSeconds?: number; messageId?: string } = {},
): Promise<void> {
  await runSql(
    pool,
    `with orphaned as (
       update grounded.messages message
       set status = 'FAILED', updated_at = now(), content = coalesce((
         select string_agg(event ->> 'text', '' order by seq) from grounded.answer_events
         where message_id = message.id and event ->> 'type' = 'delta'), content)
       where status = 'GENERATING' and lease_renewed_at <= now() - make_interval(secs => $1)
         and ($2::uuid is null or id = $2)
       returning project_id, created_at, input_tokens, output_tokens, embedding_tokens
     ), failed as (
       select project.organization_id, ${daySql('orphaned.created_at')} as day, count(*) as messages,
         ${sumTokensSql}
       from orphaned join grounded.projects project on project.id = orphaned.project_id
       group by 1, 2
     ), month as (
       update grounded.usage_periods period set ${refundMessagesSql('failed.messages')},
         input_tokens = period.input_tokens + failed.input_tokens,
         output_tokens = period.output_tokens + failed.output_tokens,
         embedding_tokens = period.embedding_tokens + failed.embedding_tokens
       from (
         select organization_id, date_trunc('month', day)::date as starts_on, sum(messages) as messages,
           ${sumTokensSql}
         from failed group by 1, 2
       ) failed
       where period.organization_id = failed.organization_id and period.starts_on = failed.starts_on
       returning period.organization_id, period.starts_on
     ), refunded as (
       select failed.organization_id, failed.day, -failed.messages as messages, failed.input_tokens,
         failed.output_tokens, failed.embedding_tokens
       from failed join month on month.organization_id = failed.organization_id
         and month.starts_on = date_trunc('month', failed.day)::date
     )${incrementDaySql('refunded', countedAmounts)}`,
    [afterSeconds, messageId ?? null],
  );
}
