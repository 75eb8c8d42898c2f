import { type Db, fromPrisma, type JobWithMetadata, PgBoss, type SendOptions } from 'pg-boss';
import type { Logger } from 'pino';
import { type DatabaseSettings, ownerDatabaseUrl } from '../postgres/database-pool.ts';
import type { Prisma } from '../postgres/generated/prisma/client.ts';
import { waitWithTimeout } from '../wait.ts';
import { type DueJobWatcher, startDueJobWatcher } from './due-jobs.ts';
import { createEnqueueStep, type EnqueueStep } from './enqueue-step.ts';
import { installQueue } from './install-queue.ts';
import type { JobHandler, JobHandlers, JobName, JobPayloads } from './job-types.ts';
import { openQueueDatabase } from './queue-database.ts';
import { jobNames } from './queue-settings.ts';

export interface EnqueueOptions {
  readonly delaySeconds?: number;
  /** Group of the job. `groupConcurrency` of its handler limits how many jobs of one group run at the same time. */
  readonly group?: string;
  /** Jobs of a queue with a higher priority run first. Default 0. */
  readonly priority?: number;
  /** Creates no job if one of this type was created in the same interval. */
  readonly intervalSeconds?: number;
}

export interface Queue {
  /** Enqueues a job in the transaction of `db`. If the transaction rolls back, the job is never created. */
  enqueue<N extends JobName>(
    db: Prisma.TransactionClient,
    name: N,
    payload: JobPayloads[N],
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Returns the step of a statement that enqueues a job together with rows that the same statement stores. */
  enqueueStep<N extends JobName>(
    name: N,
    payload: JobPayloads[N],
    options?: EnqueueOptions,
  ): Promise<EnqueueStep>;
  /** Returns the same queue, but jobs enqueued through it store this request id for their log lines. */
  forRequest(requestId: string | null): Queue;
  /** Returns the number of jobs per queue, at most one minute old. */
  listDepths(): Promise<readonly QueueDepth[]>;
  /** Throws if the queue is unreachable. */
  check(): Promise<void>;
  /** Starts to run jobs with these handlers. */
  work(handlers: JobHandlers): Promise<void>;
  /** Stops fetching jobs. Resolves when running jobs have finished, at the latest after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
  /** Waits up to 4 s for running jobs, then returns unfinished jobs to the queue and disconnects. */
  stop(): Promise<void>;
}

/** Number of jobs in one queue, by state. */
export interface QueueDepth {
  readonly name: JobName;
  readonly ready: number;
  /** Jobs scheduled for a later time. */
  readonly deferred: number;
  readonly active: number;
  /** Jobs whose last retry failed. */
  readonly failed: number;
}

/** Data that is added to each stored payload, because pg-boss copies the payload to the dead letter queue. */
interface RequestMetadata {
  readonly requestId?: string;
}

const schema = 'grounded_jobs';
const monitorSeconds = 5;
/** Interval of the passes over idle queues. While jobs are running, `due-jobs` supervises them every few seconds. */
const idleSuperviseSeconds = 60;
/** Upper limit of the delay of a job if a notification is lost. */
const pollSeconds = 30;
const shutdownTimeoutMs = 4_000;
const nilJobId = '00000000-0000-0000-0000-000000000000';

/**
 * Starts the job queue (pg-boss) in the service's database and creates its schema and all queues. They exist before
 * pg-boss starts, so that its start fills its cache of queues. Without it, the first enqueue inside a transaction would
 * need a second connection and deadlock on the embedded database, which runs one transaction at a time.
 */
export async function startQueue(options: {
  readonly access: DatabaseSettings;
  readonly isWorker: boolean;
  readonly log: Logger;
}): Promise<Queue> {
  await installQueue(ownerDatabaseUrl(options.access), schema);
  const database = openQueueDatabase(options.access, options.log);
  const boss = new PgBoss({
    db: database,
    schema,
    migrate: false,
    useListenNotify: options.isWorker,
    supervise: options.isWorker,
    schedule: options.isWorker,
    superviseIntervalSeconds: idleSuperviseSeconds,
    monitorIntervalSeconds: monitorSeconds,
    cronWorkerIntervalSeconds: pollSeconds,
  });
  boss.on('error', (error) => options.log.error({ err: error }, 'job queue error'));
  // Logs the message without the warning's data, which may contain statements and values.
  boss.on('warning', ({ message }) => options.log.debug({ warning: message }, 'job queue warning'));
  await boss.start();
  let dueJobs: DueJobWatcher | undefined;
  const workerIds = new Map<string, readonly string[]>();
  const wakeWorkers = (name: string) => {
    for (const id of workerIds.get(name) ?? []) boss.notifyWorker(id);
  };

  const createEnqueue = (metadata: RequestMetadata): Pick<Queue, 'enqueue' | 'enqueueStep'> => ({
    async enqueue(db, name, payload, options) {
      await boss.send(name, { ...payload, ...metadata }, sendOptions(fromPrisma(db), options));
    },
    enqueueStep: (name, payload, options) =>
      createEnqueueStep(async (db) => {
        await boss.send(name, { ...payload, ...metadata }, sendOptions(db, options));
      }),
  });
  const queue: Queue = {
    ...createEnqueue({}),
    forRequest: (requestId) =>
      requestId === null ? queue : { ...queue, ...createEnqueue({ requestId }) },
    listDepths: () => Promise.all(jobNames.map((name) => getQueueDepth(boss, name))),
    async check() {
      await boss.findJobs('remove-file', { id: nilJobId });
    },
    async work(handlers) {
      const onFinished = () => dueJobs?.scheduleCheck();
      for (const name of jobNames) {
        workerIds.set(name, await startWorkers(boss, name, handlers, options.log, onFinished));
      }
      const supervise = () => boss.supervise();
      dueJobs = startDueJobWatcher({ database, schema, wakeWorkers, supervise, log: options.log });
    },
    drain: (timeoutMs) => drain(boss, timeoutMs),
    async stop() {
      await drain(boss, shutdownTimeoutMs);
      await dueJobs?.stop();
      await boss.stop({ graceful: false });
      await database.close();
    },
  };
  return queue;
}

function sendOptions(
  db: Db,
  { delaySeconds = 0, group, priority = 0, intervalSeconds }: EnqueueOptions = {},
): SendOptions {
  return {
    db,
    startAfter: delaySeconds,
    priority,
    ...(group !== undefined && { group: { id: group } }),
    ...(intervalSeconds !== undefined && { singletonSeconds: intervalSeconds }),
  };
}

/**
 * Returns the job counts of a queue. If a worker is running, they are a few seconds old; otherwise up to one minute.
 */
async function getQueueDepth(boss: PgBoss, name: JobName): Promise<QueueDepth> {
  const [stats] = await boss.getQueueStats(name, { force: true });
  return {
    name,
    ready: stats?.readyCount ?? 0,
    deferred: stats?.deferredCount ?? 0,
    active: stats?.activeCount ?? 0,
    failed: stats?.failedCount ?? 0,
  };
}

/** Starts the workers of a queue and returns their ids. Calls `onFinished` after each job. */
async function startWorkers<N extends JobName>(
  boss: PgBoss,
  name: N,
  handlers: JobHandlers,
  log: Logger,
  onFinished: () => void,
): Promise<readonly string[]> {
  const handler: JobHandler<N> | undefined = handlers[name];
  if (handler === undefined) return [];
  const ids: string[] = [];
  const { groupConcurrency } = handler;
  const settings = {
    ...(groupConcurrency !== undefined && { groupConcurrency }),
    batchSize: 1,
    includeMetadata: true,
    notifyPollingIntervalSeconds: pollSeconds,
    pollingIntervalSeconds: 1,
  } as const;
  const runJob = async (job: JobWithMetadata<JobPayloads[N] & RequestMetadata>) => {
    const started = performance.now();
    const { requestId } = job.data;
    const logFields = { requestId, job: name, jobId: job.id };
    try {
      const isLast = job.retryCount >= job.retryLimit;
      const attempt = { signal: job.signal, isLast, requestId: requestId ?? null };
      await handler.run(job.data, attempt);
      log.debug({ ...logFields, ms: Math.round(performance.now() - started) }, 'job done');
    } catch (error) {
      log.warn({ ...logFields, err: error, attempt: job.retryCount + 1 }, 'job failed');
      throw error;
    } finally {
      onFinished();
    }
  };
  for (let n = 0; n < handler.concurrency; n += 1) {
    const worker = await boss.work<JobPayloads[N] & RequestMetadata, void, typeof settings>(
      name,
      settings,
      async ([job]) => {
        if (job !== undefined) await runJob(job);
        // Fetch the next job immediately instead of at the next poll.
        boss.notifyWorker(worker);
      },
    );
    ids.push(worker);
  }
  return ids;
}

async function drain(boss: PgBoss, timeoutMs: number): Promise<void> {
  await waitWithTimeout(timeoutMs, Promise.all(jobNames.map((name) => boss.offWork(name))));
}
