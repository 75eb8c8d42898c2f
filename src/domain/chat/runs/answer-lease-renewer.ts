import { runSql } from '../../../platform/postgres/run-sql.ts';
import { estimateTokens } from '../../../text/estimate-tokens.ts';
import type { Context } from '../../context.ts';
import { sumOfKind, tokensJson } from '../../usage/token-count.ts';
import { tokensOf } from '../answer-draft.ts';
import { leaseExpiredError } from './expired-answer-lease.ts';
import type { RegisteredAnswer } from './running-answers.ts';

/**
 * Stores the progress and renews the leases of all running answers of this process, with one SQL statement. Also checks
 * the database for stop requests from other processes.
 */
export interface AnswerLeaseRenewer {
  /** Starts polling. Polling pauses when no answers are running. */
  start(): void;
}

/**
 * The text of an answer is stored every `storeMs`. So if a process dies, an answer loses at most the text of this time.
 * Answers that finish sooner need no such write.
 */
const defaultIntervals = { pollMs: 500, storeMs: 1_000, renewMs: 10_000 };

/**
 * Creates the lease renewer. `answers` contains the running answers of this process by message id and changes while
 * answers start and finish.
 */
export function createAnswerLeaseRenewer(
  { pool, log }: Pick<Context, 'pool' | 'log'>,
  answers: ReadonlyMap<string, RegisteredAnswer>,
  { pollMs, storeMs, renewMs } = defaultIntervals,
): AnswerLeaseRenewer {
  const storedLengths = new WeakMap<RegisteredAnswer, number>();
  const traced = new WeakSet<RegisteredAnswer>();
  let timer: NodeJS.Timeout | undefined;
  let storedAt = 0;
  let renewedAt = 0;

  const schedulePoll = () => {
    timer = setTimeout(async () => {
      await poll().catch((error: unknown) => {
        log.warn(
          { err: error },
          'failed to store the progress of answers and to poll for stop requests',
        );
      });
      timer = undefined;
      if (answers.size > 0) schedulePoll();
    }, pollMs);
  };
  const poll = async () => {
    if (answers.size === 0) return;
    const polledAnswers = new Map(answers);
    const isRenewal = isDue(renewedAt, renewMs);
    const isStore = isRenewal || isDue(storedAt, storeMs - pollMs / 2);
    const changed = isStore ? changedAnswers(polledAnswers, storedLengths) : [];
    const traces = readTraces(changed, traced);
    const rows = await storeProgress(pool, polledAnswers, { changed, traces, isRenewal });
    for (const { answer, content } of changed) storedLengths.set(answer, content.length);
    for (const { answer } of traces) traced.add(answer);
    if (isStore) storedAt = performance.now();
    if (isRenewal) renewedAt = performance.now();
    for (const { id, isStopRequested } of rows) {
      if (isStopRequested) polledAnswers.get(id)?.run.stop();
      polledAnswers.delete(id);
    }
    // Answers that remain in the map are no longer GENERATING. Another process has finalized them, because it
    // considered this process dead.
    for (const { run } of polledAnswers.values()) run.abort(leaseExpiredError());
  };

  return {
    start() {
      if (timer !== undefined) return;
      // A newly started answer has a new lease and no text, so there is nothing to store yet.
      renewedAt = performance.now();
      storedAt = renewedAt;
      schedulePoll();
    },
  };
}

const isDue = (since: number, intervalMs: number) => performance.now() - since >= intervalMs;

/** A running answer and the text to store for it. */
interface ChangedAnswer {
  readonly id: string;
  readonly answer: RegisteredAnswer;
  readonly content: string;
}

function changedAnswers(
  answers: ReadonlyMap<string, RegisteredAnswer>,
  storedLengths: WeakMap<RegisteredAnswer, number>,
): ChangedAnswer[] {
  return [...answers].flatMap(([id, answer]) => {
    const { content } = answer.draft;
    const isChanged = content.length !== (storedLengths.get(answer) ?? 0);
    return isChanged ? [{ id, answer, content }] : [];
  });
}

interface ReadTrace {
  readonly id: string;
  readonly answer: RegisteredAnswer;
  readonly trace: Buffer | null;
}

/** Limits the time that the traces of one write keep the event loop busy. The others follow with the next write. */
const maxTraces = 50;

/**
 * Returns the traces of answers that have text and no stored trace. The trace is stored once, and again with the finished
 * answer. So an answer whose process dies has a trace of its search and decision.
 */
function readTraces(
  changed: readonly ChangedAnswer[],
  traced: WeakSet<RegisteredAnswer>,
): ReadTrace[] {
  const untraced = changed.filter(({ answer }) => !traced.has(answer)).slice(0, maxTraces);
  return untraced.map(({ id, answer }) => ({ id, answer, trace: answer.readTrace() }));
}

interface PolledRow {
  readonly id: string;
  readonly isStopRequested: boolean;
}

/** Returns the answers whose status is still `GENERATING`. */
function storeProgress(
  pool: Context['pool'],
  answers: ReadonlyMap<string, RegisteredAnswer>,
  {
    changed,
    traces,
    isRenewal,
  }: {
    readonly changed: readonly ChangedAnswer[];
    readonly traces: readonly ReadTrace[];
    readonly isRenewal: boolean;
  },
): Promise<PolledRow[]> {
  const ids = [...answers.keys()];
  if (!isRenewal && changed.length === 0) return runSql(pool, pollAnswers, [ids]);
  // A model reports its output tokens at the end of its text.
  const used = changed.map(({ answer: { draft }, content }) => {
    const outputTokens = Math.max(draft.usage.outputTokens, estimateTokens(content));
    return { ...draft, usage: { ...draft.usage, outputTokens } };
  });
  return runSql(pool, storeAnswers, [
    ids,
    isRenewal,
    changed.map(({ id }) => id),
    changed.map(({ content }) => content),
    used.map((draft) => draft.usage.inputTokens),
    used.map((draft) => draft.usage.outputTokens),
    used.map((draft) => sumOfKind(draft.searchTokens, 'EMBEDDING')),
    used.map((draft) => tokensJson(tokensOf(draft))),
    traces.map(({ id }) => id),
    traces.map(({ trace }) => trace?.toString('base64') ?? null),
  ]);
}

const pollAnswers = {
  name: 'poll-answers',
  text: `
    select id, stop_requested_at is not null as "isStopRequested" from grounded.messages
    where id = any($1::uuid[]) and status = 'GENERATING'`,
};

/**
 * Changes the indexed column `lease_renewed_at` only at renewals, so that Postgres writes no index entries in between.
 * Locks the answers in the order of their ids, as `finalize-turn` does. Otherwise the two statements could wait for
 * each other (deadlock).
 */
const storeAnswers = {
  name: 'store-answer-progress',
  text: `
    with progress as (
      select * from unnest($3::uuid[], $4::text[], $5::integer[], $6::integer[], $7::integer[], $8::text[])
        as progress (id, content, input_tokens, output_tokens, embedding_tokens, model_tokens)
    ), running as materialized (
      select message.id from grounded.messages message
      where message.id = any($1::uuid[]) and message.status = 'GENERATING' and ($2::boolean or message.id = any($3::uuid[]))
      order by message.id for no key update
    ), stored as (
      update grounded.messages message
      set content = coalesce(progress.content, message.content),
        input_tokens = coalesce(progress.input_tokens, message.input_tokens),
        output_tokens = coalesce(progress.output_tokens, message.output_tokens),
        embedding_tokens = coalesce(progress.embedding_tokens, message.embedding_tokens),
        model_tokens = coalesce(progress.model_tokens::jsonb, message.model_tokens),
        lease_renewed_at = case when $2::boolean then now() else message.lease_renewed_at end
      from running left join progress on progress.id = running.id
      where message.id = running.id and message.status = 'GENERATING'
    ), stored_traces as (
      insert into grounded.answer_traces (message_id, project_id, trace)
      select message.id, message.project_id, decode(trace.bytes, 'base64')
      from unnest($9::uuid[], $10::text[]) as trace (id, bytes)
        join running on running.id = trace.id
        join grounded.messages message on message.id = trace.id
      where trace.bytes is not null
      on conflict do nothing
    )
    select id, stop_requested_at is not null as "isStopRequested" from grounded.messages
    where id = any($1::uuid[]) and status = 'GENERATING'`,
};
