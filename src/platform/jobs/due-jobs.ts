import type { Logger } from 'pino';
import type { QueueDatabase } from './queue-database.ts';

/** Wakes workers for jobs that become due later, and supervises running jobs. */
export interface DueJobWatcher {
  /**
   * Checks for due jobs soon. Call it after a job has finished, because this job may be retried or may have enqueued a
   * delayed job.
   */
  scheduleCheck(): void;
  stop(): Promise<void>;
}

/** Delay between the end of a job and the check. In this time the queue stores the result of the job. */
const settleMs = 250;
/** Interval of the checks while a job is running, because a running job can lose its worker at any time. */
const activeCheckMs = 5_000;
const idleCheckMs = 30_000;

/**
 * Starts to look for jobs that become due without a notification: retries, delayed jobs, and jobs of crashed workers.
 * One statement every 30 s replaces the polls of all workers. This statement also returns when the next job is due, and
 * the job is then fetched at that time.
 */
export function startDueJobWatcher(queue: {
  readonly database: Pick<QueueDatabase, 'executeSql'>;
  readonly schema: string;
  /** Makes this process's workers of one queue fetch jobs. */
  readonly wakeWorkers: (queueName: string) => void;
  /** Fails jobs whose worker has crashed. */
  readonly supervise: () => Promise<void>;
  readonly log: Logger;
}): DueJobWatcher {
  let timer: NodeJS.Timeout | undefined;
  let nextCheckAt = Number.POSITIVE_INFINITY;
  let checking: Promise<void> = Promise.resolve();
  let isStopped = false;

  const schedule = (delayMs: number) => {
    const at = performance.now() + delayMs;
    if (isStopped || at >= nextCheckAt) return;
    clearTimeout(timer);
    nextCheckAt = at;
    timer = setTimeout(start, delayMs).unref();
  };
  const start = () => {
    nextCheckAt = Number.POSITIVE_INFINITY;
    checking = checking.then(check).catch((error: unknown) => {
      queue.log.warn({ err: error }, 'failed to look for due jobs, retrying');
      schedule(activeCheckMs);
    });
  };
  const findPending = async () =>
    readRows((await queue.database.executeSql(pendingJobsSql(queue.schema), [])).rows);
  const check = async () => {
    if (isStopped) return;
    let pending = await findPending();
    if (pending.some(({ isActive }) => isActive)) {
      await queue.supervise();
      pending = await findPending();
    }
    let delayMs = idleCheckMs;
    for (const { name, isActive, dueInMs } of pending) {
      if (isActive) delayMs = Math.min(delayMs, activeCheckMs);
      else if (dueInMs <= 0) queue.wakeWorkers(name);
      else delayMs = Math.min(delayMs, dueInMs + 1);
    }
    schedule(delayMs);
  };
  start();
  return {
    scheduleCheck: () => schedule(settleMs),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await checking;
    },
  };
}

interface PendingJobs {
  readonly name: string;
  readonly isActive: boolean;
  /** Milliseconds until the first of the jobs is due. */
  readonly dueInMs: number;
}

function pendingJobsSql(schema: string): string {
  return `
    select name, state = 'active' as is_active,
      ceil(extract(epoch from min(start_after) - now()) * 1000)::float8 as due_in_ms
    from ${schema}.job where state < 'completed' group by 1, 2`;
}

function readRows(rows: readonly Record<string, unknown>[]): PendingJobs[] {
  return rows.map((row) => ({
    name: String(row.name),
    isActive: row.is_active === true,
    dueInMs: Number(row.due_in_ms),
  }));
}
