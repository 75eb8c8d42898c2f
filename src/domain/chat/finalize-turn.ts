import { createCallBatcher } from '../../platform/call-batcher.ts';
import { defineJob, noPayload, scheduledQueue } from '../../platform/jobs/job.ts';
import { oncePerObject } from '../../platform/once-per-object.ts';
import type { MessageStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import { isRefusedStatement } from '../../platform/postgres/refused-statement.ts';
import { runSql, type SqlClient } from '../../platform/postgres/run-sql.ts';
import { tenantOf } from '../caller-tenant.ts';
import type { Adapters, Context } from '../context.ts';
import { lowConfidenceThreshold } from '../usage/low-confidence.ts';
import { refundMessagesSql } from '../usage/message-quota.ts';
import { sumOfKind, tokensJson } from '../usage/token-count.ts';
import {
  daySql,
  incrementAnswerDaysSql,
  incrementDaySql,
  incrementTokenDaysSql,
  monthSql,
} from '../usage/usage-sql.ts';
import { type AnswerDraft, tokensOf } from './answer-draft.ts';
import type { AnswerRef, EventBatch } from './runs/running-answers.ts';

export interface FinishedAnswer extends AnswerDraft {
  readonly status: Exclude<MessageStatus, 'GENERATING'>;
  /** The trace in its stored form. Null: stores none. */
  readonly trace: Buffer | null;
}

/**
 * Stores the finished answer and updates usage counters, with one SQL statement. Answers of a project that finish at
 * the same time share one statement. Separate statements would wait for each other at the rows of the counters. If the
 * answer failed, its message is returned to the monthly allowance. Small talk does not count in the statistics of
 * answer quality. `unstoredEvents` are the events of a resumable answer that are not stored yet. Returns false if
 * another process has already finalized the answer.
 */
export async function finalizeTurn(
  { pool, database, caller }: Pick<Context, 'pool' | 'database' | 'caller'>,
  { projectId, messageId }: AnswerRef,
  answer: FinishedAnswer,
  unstoredEvents: EventBatch,
): Promise<boolean> {
  const turn = { pool, projectId, messageId, answer, unstoredEvents };
  const result = await batcherOf(database).call(`${tenantOf(caller)} ${projectId}`, turn);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

interface FinishedTurn extends AnswerRef {
  readonly pool: SqlClient;
  readonly answer: FinishedAnswer;
  readonly unstoredEvents: EventBatch;
}

const maxBatch = 50;

type FinalizeResult = PromiseSettledResult<boolean>;

const batcherOf = oncePerObject((_: Context['database']) =>
  createCallBatcher(storeAll, { maxBatch }),
);

/**
 * Stores all answers or none. If Postgres refuses the statement, stores the answers separately, one after the other.
 */
async function storeAll(turns: readonly FinishedTurn[]): Promise<readonly FinalizeResult[]> {
  const stored = await storeTogether(turns).catch((error: unknown) => {
    if (turns.length > 1 && isRefusedStatement(error)) return null;
    throw error;
  });
  if (stored !== null) return stored.map((value) => ({ status: 'fulfilled', value }));
  const results: FinalizeResult[] = [];
  for (const turn of turns) results.push(...(await Promise.allSettled([storeAlone(turn)])));
  return results;
}

async function storeAlone(turn: FinishedTurn): Promise<boolean> {
  return (await storeTogether([turn]))[0] ?? false;
}

async function storeTogether(turns: readonly FinishedTurn[]): Promise<readonly boolean[]> {
  const [first] = turns;
  if (first === undefined) return [];
  const answers = turns.map(({ answer }) => answer);
  const events = turns.map(({ unstoredEvents }) => unstoredEvents);
  const rows = await runSql<{ readonly id: string }>(first.pool, storeAnswers, [
    first.projectId,
    turns.map(({ messageId }) => messageId),
    answers.map(({ status }) => status),
    answers.map(({ content }) => content),
    answers.map(({ citations }) => JSON.stringify(citations)),
    answers.map(({ confidence }) => confidence),
    answers.map(({ retrievalConfidence }) => retrievalConfidence),
    answers.map(({ latencyMs }) => latencyMs),
    answers.map(({ model }) => model),
    answers.map(({ finishReason }) => finishReason),
    answers.map(({ intent }) => intent),
    answers.map(({ usage }) => usage.inputTokens),
    answers.map(({ usage }) => usage.outputTokens),
    answers.map(({ searchTokens }) => sumOfKind(searchTokens, 'EMBEDDING')),
    events.map(({ seq }) => seq),
    events.map(({ events }) => JSON.stringify(events)),
    answers.map(({ trace }) => trace?.toString('base64') ?? null),
    answers.map((answer) => tokensJson(tokensOf(answer))),
  ]);
  const stored = new Set(rows.map(({ id }) => id));
  return turns.map(({ messageId }) => stored.has(messageId));
}

const tokenCounters = ['input_tokens', 'output_tokens', 'embedding_tokens'];
const countedAmounts = ['messages', ...tokenCounters];
const sumCountedSql = countedAmounts.map((name) => `sum(${name}) as ${name}`).join(', ');
const sumTokensSql = tokenCounters.map((name) => `sum(${name}) as ${name}`).join(', ');

/** Locks the answers in the order of their ids. Otherwise two statements could wait for each other (deadlock). */
const storeAnswers = {
  name: 'finalize-turn',
  keepsPlan: true,
  text: `
    with finished as (
      select * from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::float8[], $8::integer[],
        $9::text[], $10::text[], $11::text[], $12::integer[], $13::integer[], $14::integer[], $15::integer[], $16::text[],
        $17::text[], $18::text[])
        as finished (id, status, content, citations, confidence, retrieval_confidence, latency_ms, model, finish_reason,
          intent, input_tokens, output_tokens, embedding_tokens, seq, events, trace,
          model_tokens)
    ), running as materialized (
      select message.id from grounded.messages message
      where message.id = any($2::uuid[]) and message.project_id = $1::uuid and message.status = 'GENERATING'
      order by message.id for no key update
    ), answer as (
      update grounded.messages message
      set status = finished.status::grounded.message_status, content = finished.content,
        citations = finished.citations::jsonb, confidence = finished.confidence,
        retrieval_confidence = finished.retrieval_confidence, latency_ms = finished.latency_ms, model = finished.model,
        finish_reason = finished.finish_reason::grounded.finish_reason, intent = finished.intent::grounded.intent,
        input_tokens = finished.input_tokens, output_tokens = finished.output_tokens,
        embedding_tokens = finished.embedding_tokens, model_tokens = finished.model_tokens::jsonb, lease_renewed_at = now(), updated_at = now()
      from running join finished on finished.id = running.id
      where message.id = running.id
      returning message.*, finished.seq, finished.events, finished.trace
    ), question as (
      update grounded.messages question set intent = answer.intent, updated_at = now()
      from answer
      where answer.intent is not null and question.conversation_id = answer.conversation_id
        and question.position = answer.position - 1
    ), stored_events as (
      insert into grounded.answer_events (message_id, seq, event)
      select answer.id, answer.seq + event.ordinal - 1, event.json
      from answer, jsonb_array_elements(answer.events::jsonb) with ordinality as event (json, ordinal)
      on conflict do nothing
    ), stored_traces as (
      insert into grounded.answer_traces (message_id, project_id, trace)
      select id, project_id, decode(trace, 'base64') from answer where trace is not null
      on conflict (message_id) do update set trace = excluded.trace
    ), counted as (
      select project.organization_id, answer.project_id, ${daySql('answer.created_at')} as day, answer.model_tokens,
        case when answer.status = 'FAILED' then -1 else 0 end as messages,
        answer.input_tokens, answer.output_tokens, answer.embedding_tokens,
        answer.status, answer.intent, answer.latency_ms, answer.confidence < ${lowConfidenceThreshold} as is_unsure
      from answer join grounded.projects project on project.id = answer.project_id
    ), period as (
      update grounded.usage_periods period
      set ${refundMessagesSql('-counted.messages')},
        input_tokens = period.input_tokens + counted.input_tokens,
        output_tokens = period.output_tokens + counted.output_tokens,
        embedding_tokens = period.embedding_tokens + counted.embedding_tokens
      from (
        select organization_id, date_trunc('month', day)::date as starts_on, ${sumCountedSql}
        from counted group by 1, 2
      ) counted
      where period.organization_id = counted.organization_id and period.starts_on = counted.starts_on
      returning period.organization_id, period.starts_on
    ), counted_in_period as (
      select counted.* from counted join period on period.organization_id = counted.organization_id
        and period.starts_on = date_trunc('month', counted.day)::date
    ), day as (
      select organization_id, day, ${sumCountedSql} from counted_in_period group by 1, 2
    ), counted_day as (${incrementDaySql('day', countedAmounts)}
    ), counted_tokens as (${incrementTokenDaysSql('counted_in_period')}
    ), counted_answer as (${incrementAnswerDaysSql('counted_in_period')}
    )
    select id from answer`,
};

/**
 * If a lease was not renewed for this many seconds, the cleanup job considers its answer orphaned. Longer than the
 * lease, because the job also runs directly after a database outage, when running processes have not renewed their
 * leases yet.
 */
const orphanedAfterSeconds = 180;

/**
 * Marks answers as `FAILED` if their lease was last renewed more than `afterSeconds` ago, because then their process
 * has died. Checks all answers, or only the answer `messageId`. Restores the text of a resumable answer from its stored
 * events. Other answers keep the text that was stored last, which is up to a second old. Counts the tokens used so far.
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
       returning project_id, created_at, input_tokens, output_tokens, embedding_tokens, model_tokens
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
     ), failed_tokens as (
       select month.organization_id, orphaned.project_id, ${daySql('orphaned.created_at')} as day, orphaned.model_tokens
       from orphaned join grounded.projects project on project.id = orphaned.project_id
         join month on month.organization_id = project.organization_id
           and month.starts_on = ${monthSql('orphaned.created_at')}
     ), counted_tokens as (${incrementTokenDaysSql('failed_tokens')}
     )${incrementDaySql('refunded', countedAmounts)}`,
    [afterSeconds, messageId ?? null],
  );
}

export const closeStaleAnswersJob = defineJob({
  name: 'close-stale-answers',
  payload: noPayload,
  queue: scheduledQueue,
  schedule: '* * * * *',
  concurrency: 1,
  run: (adapters: Adapters) => failOrphanedAnswers(adapters),
});
