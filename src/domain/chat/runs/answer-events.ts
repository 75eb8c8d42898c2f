import { defineRemovalJob } from '../../../platform/jobs/removal-job.ts';
import { runSql } from '../../../platform/postgres/run-sql.ts';
import type { Context } from '../../context.ts';
import type { ChatEvent } from '../chat-event.ts';
import { answerLeaseSeconds } from './expired-answer-lease.ts';
import type { EventBatch } from './running-answers.ts';

/**
 * Stores events of running answers in one SQL statement. Idempotent. Skips answers whose status is no longer
 * `GENERATING`.
 */
export async function storeAnswerEvents(
  { pool }: Pick<Context, 'pool'>,
  batches: readonly (EventBatch & { readonly messageId: string })[],
): Promise<void> {
  const rows = batches.flatMap(({ messageId, seq, events }) =>
    events.map((event, index) => ({ messageId, seq: seq + index, json: JSON.stringify(event) })),
  );
  await runSql(pool, insertEvents, [
    rows.map(({ messageId }) => messageId),
    rows.map(({ seq }) => seq),
    rows.map(({ json }) => json),
  ]);
}

const insertEvents = {
  name: 'store-answer-events',
  text: `
    insert into grounded.answer_events (message_id, seq, event)
    select event.message_id, event.seq, event.json::jsonb
    from unnest($1::uuid[], $2::integer[], $3::text[]) as event (message_id, seq, json)
    join grounded.messages message on message.id = event.message_id and message.status = 'GENERATING'
    on conflict do nothing`,
};

/** The stored state of a resumable answer, with one page of its events. */
export interface StoredAnswerEvents {
  /** Events after the requested `seq`, at most `eventPageSize`. */
  readonly events: readonly ChatEvent[];
  /** True if the answer is finished. Then no further events will be stored. */
  readonly isFinished: boolean;
  /** True if the last stored event is `done` or `error`. False if the process died before it stored such an event. */
  readonly hasTerminalEvent: boolean;
  /** True if the answer lease has expired. */
  readonly isLeaseExpired: boolean;
  /** True if the answer finished more than `resumeWindowSeconds` ago and can no longer be resumed. */
  readonly isResumeExpired: boolean;
}

export const eventPageSize = 500;

/**
 * Returns the events of a resumable answer with a `seq` above `after`, or null if the project has no such answer. If
 * `askedByKey` is not null, returns only an answer that this API key has requested.
 */
export async function findAnswerStream(
  { pool }: Pick<Context, 'pool'>,
  answer: {
    readonly projectId: string;
    readonly messageId: string;
    readonly askedByKey: string | null;
  },
  after: number,
): Promise<StoredAnswerEvents | null> {
  const [stream = null] = await runSql<StoredAnswerEvents>(pool, readStream, [
    answer.messageId,
    answer.projectId,
    after,
    answerLeaseSeconds,
    eventPageSize,
    resumeWindowSeconds,
    answer.askedByKey,
  ]);
  return stream;
}

const readStream = {
  name: 'read-answer-stream',
  text: `
    select message.status <> 'GENERATING' as "isFinished",
      message.lease_renewed_at <= now() - make_interval(secs => $4) as "isLeaseExpired",
      message.lease_renewed_at <= now() - make_interval(secs => $6) as "isResumeExpired",
      coalesce((
        select event->>'type' in ('done', 'error') from grounded.answer_events
        where message_id = message.id order by seq desc limit 1), false) as "hasTerminalEvent",
      coalesce((
        select jsonb_agg(next.event order by next.seq) from (
          select seq, event from grounded.answer_events
          where message_id = message.id and seq > $3 order by seq limit $5) as next), '[]') as events
    from grounded.messages message
    where message.id = $1 and message.project_id = $2 and message.is_resumable
      and ($7::uuid is null or message.asked_by_key = $7)`,
};

/** A finished answer can be resumed until this many seconds after its last lease renewal. */
const resumeWindowSeconds = 600;
/**
 * Number of seconds for which events are kept. Longer than `resumeWindowSeconds`, so that clients that resumed in time
 * can read to the end.
 */
const retentionSeconds = 900;

/** Deletes the events of answers that finished more than `retentionSeconds` ago. */
export const removeAnswerEventsJob = defineRemovalJob(
  'remove-answer-events',
  '*/5 * * * *',
  () => ({
    text: removeBatch,
    values: [retentionSeconds],
    batchSize: 5_000,
  }),
);

const removeBatch = `
  delete from grounded.answer_events
  where (message_id, seq) in (
    select event.message_id, event.seq
    from grounded.answer_events event join grounded.messages message on message.id = event.message_id
    where event.created_at <= now() - make_interval(secs => $1)
      and message.lease_renewed_at <= now() - make_interval(secs => $1)
    order by event.created_at
    limit $2)`;
