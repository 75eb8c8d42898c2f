import type { Context } from '../context.ts';
import { removeInBatches } from '../remove-in-batches.ts';
import type { ChatEvent } from './chat-event.ts';
import { forsakenAfterSeconds } from './forsaken-answer.ts';

/** Some events of an answer, one right behind the other. */
export interface EventSpan {
  /** The `seq` of the first. */
  readonly seq: number;
  readonly events: readonly ChatEvent[];
}

/** Stores events of answers that are still generated, those of all in one statement. May be repeated. */
export async function storeEvents(
  { pool }: Pick<Context, 'pool'>,
  spans: readonly (EventSpan & { readonly messageId: string })[],
): Promise<void> {
  const rows = spans.flatMap(({ messageId, seq, events }) =>
    events.map((event, index) => ({ messageId, seq: seq + index, json: JSON.stringify(event) })),
  );
  await pool.query({
    name: 'store-answer-events',
    text: `
      insert into grounded.answer_events (message_id, seq, event)
      select event.message_id, event.seq, event.json::jsonb
      from unnest($1::uuid[], $2::integer[], $3::text[]) as event (message_id, seq, json)
      join grounded.messages message on message.id = event.message_id and message.status = 'GENERATING'
      on conflict do nothing`,
    values: [
      rows.map(({ messageId }) => messageId),
      rows.map(({ seq }) => seq),
      rows.map(({ json }) => json),
    ],
  });
}

/** A resumable answer as it is stored. */
export interface StoredStream {
  /** Those behind the one that was asked for, at most `pageSize`. */
  readonly events: readonly ChatEvent[];
  /** Nothing more will be stored. */
  readonly isEnded: boolean;
  /** It has ended with an event that says so: its process did not die. */
  readonly isWhole: boolean;
  /** Its process has given no sign of life for a while. */
  readonly isForsaken: boolean;
  /** It ended so long ago that nobody may begin to read it any more. */
  readonly isOver: boolean;
}

export const pageSize = 500;

/** The stream of an answer behind the event `after`; null where there is none. */
export async function readStream(
  { pool }: Pick<Context, 'pool'>,
  answer: { readonly projectId: string; readonly messageId: string },
  after: number,
): Promise<StoredStream | null> {
  const { rows } = await pool.query<StoredStream>({
    name: 'read-answer-stream',
    text: `
      select message.status <> 'GENERATING' as "isEnded",
        message.alive_at <= now() - make_interval(secs => $4) as "isForsaken",
        message.alive_at <= now() - make_interval(secs => $6) as "isOver",
        coalesce((
          select event->>'type' in ('done', 'error') from grounded.answer_events
          where message_id = message.id order by seq desc limit 1), false) as "isWhole",
        coalesce((
          select jsonb_agg(next.event order by next.seq) from (
            select seq, event from grounded.answer_events
            where message_id = message.id and seq > $3 order by seq limit $5) as next), '[]') as events
      from grounded.messages message
      where message.id = $1 and message.project_id = $2 and message.is_resumable`,
    values: [
      answer.messageId,
      answer.projectId,
      after,
      forsakenAfterSeconds,
      pageSize,
      readableSeconds,
    ],
  });
  return rows[0] ?? null;
}

/** From its end on, which is an answer's last sign of life. */
const readableSeconds = 600;
/** Whoever began to read in time has some more minutes to finish. */
const storedSeconds = 900;

/** Removes the events of answers that ended long enough ago, in bounded batches. */
export function removeOldEvents(
  context: Pick<Context, 'pool'>,
  signal: AbortSignal,
): Promise<void> {
  const removal = { text: removeBatch, values: [storedSeconds], batchSize: 5_000 };
  return removeInBatches(context, removal, signal);
}

const removeBatch = `
  delete from grounded.answer_events
  where (message_id, seq) in (
    select event.message_id, event.seq
    from grounded.answer_events event join grounded.messages message on message.id = event.message_id
    where event.created_at <= now() - make_interval(secs => $1)
      and message.alive_at <= now() - make_interval(secs => $1)
    order by event.created_at
    limit $2)`;
