import type { Context } from '../context.ts';
import type { AnswerRun } from './answer-run.ts';
import { forsakenAnswer } from './forsaken-answer.ts';

/** Shows the database that answers are alive, and hears from it of those that are to be stopped. */
export interface AnswerPulse {
  /** Beats from now on until there are no answers. */
  start(): void;
}

const everyday = { beatMs: 500, renewMs: 20_000 };

/** `answers` are those of this process by their ids, as they come and go. */
export function createAnswerPulse(
  { pool, log }: Pick<Context, 'pool' | 'log'>,
  answers: ReadonlyMap<string, { readonly run: Pick<AnswerRun, 'stop' | 'abort'> }>,
  { beatMs, renewMs } = everyday,
): AnswerPulse {
  let timer: NodeJS.Timeout | undefined;
  let renewedAt = 0;

  const beatLater = () => {
    timer = setTimeout(async () => {
      await beat().catch((error: unknown) => {
        log.warn({ err: error }, 'it could not be seen which answers are to be stopped');
      });
      timer = undefined;
      if (answers.size > 0) beatLater();
    }, beatMs);
  };
  const beat = async () => {
    if (answers.size === 0) return;
    const beating = new Map(answers);
    const isRenewal = performance.now() - renewedAt >= renewMs;
    const statement = isRenewal ? renew : findStopped;
    const { rows } = await pool.query<Beat>({ ...statement, values: [[...beating.keys()]] });
    for (const { id, isStopRequested } of rows) if (isStopRequested) beating.get(id)?.run.stop();
    if (!isRenewal) return;
    renewedAt = performance.now();
    // Of the rest somebody has stored the end, who took this process for dead.
    for (const { id } of rows) beating.delete(id);
    for (const { run } of beating.values()) run.abort(forsakenAnswer());
  };

  return {
    start() {
      if (timer !== undefined) return;
      // What has just begun is as good as renewed.
      renewedAt = performance.now();
      beatLater();
    },
  };
}

interface Beat {
  readonly id: string;
  readonly isStopRequested: boolean;
}

const findStopped = {
  name: 'find-stopped-answers',
  text: `
    select id, true as "isStopRequested" from grounded.messages
    where id = any($1::uuid[]) and stop_requested_at is not null`,
};

const renew = {
  name: 'renew-answers',
  text: `
    update grounded.messages set alive_at = now()
    where id = any($1::uuid[]) and status = 'GENERATING'
    returning id, stop_requested_at is not null as "isStopRequested"`,
};
