import { runSql } from '../../../platform/postgres/run-sql.ts';
import type { Context } from '../../context.ts';
import type { AnswerRun } from './answer-run.ts';
import { leaseExpiredError } from './expired-answer-lease.ts';

/** Renews the leases of running answers and polls for stop requests from other processes. */
export interface AnswerLeaseRenewer {
  /** Starts polling. Polling pauses when no answers are running. */
  start(): void;
}

const defaultIntervals = { pollMs: 500, renewMs: 20_000 };

/** Creates the lease renewer. `answers` is the live map of this process's running answers by message id. */
export function createAnswerLeaseRenewer(
  { pool, log }: Pick<Context, 'pool' | 'log'>,
  answers: ReadonlyMap<string, { readonly run: Pick<AnswerRun, 'stop' | 'abort'> }>,
  { pollMs, renewMs } = defaultIntervals,
): AnswerLeaseRenewer {
  let timer: NodeJS.Timeout | undefined;
  let renewedAt = 0;

  const schedulePoll = () => {
    timer = setTimeout(async () => {
      await poll().catch((error: unknown) => {
        log.warn({ err: error }, 'failed to poll for stop requests');
      });
      timer = undefined;
      if (answers.size > 0) schedulePoll();
    }, pollMs);
  };
  const poll = async () => {
    if (answers.size === 0) return;
    const polledAnswers = new Map(answers);
    const isRenewal = performance.now() - renewedAt >= renewMs;
    const statement = isRenewal ? renewLeases : findStopRequests;
    const rows = await runSql<PolledRow>(pool, statement, [[...polledAnswers.keys()]]);
    for (const { id, isStopRequested } of rows)
      if (isStopRequested) polledAnswers.get(id)?.run.stop();
    if (!isRenewal) return;
    renewedAt = performance.now();
    // The answers left in the map are no longer GENERATING: another process finalized them, because it considered this
    // process dead.
    for (const { id } of rows) polledAnswers.delete(id);
    for (const { run } of polledAnswers.values()) run.abort(leaseExpiredError());
  };

  return {
    start() {
      if (timer !== undefined) return;
      // A newly started answer has a new lease, so it needs no renewal yet.
      renewedAt = performance.now();
      schedulePoll();
    },
  };
}

interface PolledRow {
  readonly id: string;
  readonly isStopRequested: boolean;
}

const findStopRequests = {
  name: 'find-stop-requests',
  text: `
    select id, true as "isStopRequested" from grounded.messages
    where id = any($1::uuid[]) and stop_requested_at is not null`,
};

const renewLeases = {
  name: 'renew-answer-leases',
  text: `
    update grounded.messages set lease_renewed_at = now()
    where id = any($1::uuid[]) and status = 'GENERATING'
    returning id, stop_requested_at is not null as "isStopRequested"`,
};
