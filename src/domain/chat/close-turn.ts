import type { Context } from '../context.ts';
import type { MessageStatus } from '../generated/prisma/enums.ts';
import { countAnswers, countDay, dayOf, monthOf } from '../usage/usage-sql.ts';
import type { EventSpan } from './answer-events.ts';
import type { Draft } from './compose-answer.ts';
import { unsureBelow } from './confidence.ts';
import type { AnswerPlace } from './running-answers.ts';

export interface FinishedAnswer extends Draft {
  readonly status: Exclude<MessageStatus, 'GENERATING'>;
}

/**
 * Puts the answer in its place, counts its tokens and how long it took, and gives a failed one's message back to the allowance; `last` are
 * the events of a resumable one that are not stored yet. False where another process has ended it before.
 */
export async function closeTurn(
  { pool }: Pick<Context, 'pool'>,
  { projectId, messageId }: AnswerPlace,
  answer: FinishedAnswer,
  last: EventSpan,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'close-turn',
    text: `
      with answer as (
        update grounded.messages
        set status = $2::grounded.message_status, content = $3, citations = $4, confidence = $5,
          latency_ms = $6, model = $7, input_tokens = $8, output_tokens = $9, embedding_tokens = $10,
          alive_at = now(), updated_at = now()
        where id = $1 and project_id = $13 and status = 'GENERATING'
        returning *
      ), told as (
        insert into grounded.answer_events (message_id, seq, event)
        select answer.id, $11::integer + event.place - 1, event.json
        from answer, jsonb_array_elements($12::jsonb) with ordinality as event (json, place)
        on conflict do nothing
      ), counted as (
        update grounded.usage_periods period
        set messages = greatest(0, period.messages - case when answer.status = 'FAILED' then 1 else 0 end),
          input_tokens = period.input_tokens + answer.input_tokens,
          output_tokens = period.output_tokens + answer.output_tokens,
          embedding_tokens = period.embedding_tokens + answer.embedding_tokens
        from answer join grounded.projects project on project.id = answer.project_id
        where period.organization_id = project.organization_id
          and period.starts_on = ${monthOf('answer.created_at')}
        returning period.organization_id, ${dayOf('answer.created_at')} as day,
          case when answer.status = 'FAILED' then -1 else 0 end as messages,
          answer.input_tokens, answer.output_tokens, answer.embedding_tokens,
          answer.status, answer.latency_ms, answer.confidence < ${unsureBelow} as is_unsure
      ), counted_day as (${countDay('counted', ['messages', 'input_tokens', 'output_tokens', 'embedding_tokens'])}
      ), counted_answer as (${countAnswers('counted')}
      )
      select id from answer`,
    values: [
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
      last.seq,
      JSON.stringify(last.events),
      projectId,
    ],
  });
  return rowCount === 1;
}

/** Its process renews an answer every 20 seconds, and may be cut off from the database for a while. */
const staleAfterSeconds = 180;

/**
 * Ends answers whose process died while it generated them, as failed ones: all, or the one that is named. Of a
 * resumable one its text is what its stored events say.
 */
export async function closeStaleAnswers(
  { pool }: Pick<Context, 'pool'>,
  {
    afterSeconds = staleAfterSeconds,
    messageId,
  }: { afterSeconds?: number; messageId?: string } = {},
): Promise<void> {
  await pool.query(
    `with stale as (
       update grounded.messages message
       set status = 'FAILED', updated_at = now(), content = coalesce((
         select string_agg(event ->> 'text', '' order by seq) from grounded.answer_events
         where message_id = message.id and event ->> 'type' = 'delta'), content)
       where status = 'GENERATING' and alive_at <= now() - make_interval(secs => $1)
         and ($2::uuid is null or id = $2)
       returning project_id, created_at
     ), failed as (
       select project.organization_id, ${dayOf('stale.created_at')} as day, count(*) as messages
       from stale join grounded.projects project on project.id = stale.project_id
       group by 1, 2
     ), month as (
       update grounded.usage_periods period set messages = greatest(0, period.messages - failed.messages)
       from (
         select organization_id, date_trunc('month', day)::date as starts_on, sum(messages) as messages
         from failed group by 1, 2
       ) failed
       where period.organization_id = failed.organization_id and period.starts_on = failed.starts_on
       returning period.organization_id, period.starts_on
     ), given_back as (
       select failed.organization_id, failed.day, -failed.messages as messages
       from failed join month on month.organization_id = failed.organization_id
         and month.starts_on = date_trunc('month', failed.day)::date
     )${countDay('given_back', ['messages'])}`,
    [afterSeconds, messageId ?? null],
  );
}
