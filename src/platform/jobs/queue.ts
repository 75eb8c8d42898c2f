import { type Db, fromPrisma, PgBoss, type SendOptions } from 'pg-boss';
import type { Logger } from 'pino';
import { type DatabaseSettings, ownerDatabaseUrl } from '../postgres/database-pool.ts';
import type { Prisma } from '../postgres/generated/prisma/client.ts';
import { traceHeaders } from '../tracing/tracer.ts';
import { waitWithTimeout } from '../wait.ts';
import { type DueJobWatcher, startDueJobWatcher } from './due-jobs.ts';
import { createEnqueueStep, type EnqueueStep } from './enqueue-step.ts';
import { installQueue, queueSchema as schema } from './install-queue.ts';
import { type Job, type JobType, storedPayload } from './job.ts';
import { openQueueDatabase, type QueueDatabase } from './queue-database.ts';
import { createQueueWorkers, type QueueWorkers, type RequestMetadata } from './queue-workers.ts';

export interface EnqueueOptions {
  readonly delaySeconds?: number;
  /**
   * Group of the job. The `groupConcurrency` of the job type limits how many jobs of one group run at the same time.
   */
  readonly group?: string;
  /** Within a queue, jobs with a higher priority run first. Default 0. */
  readonly priority?: number;
  /**
   * If set, no job is created when a job of this type was already created in the same interval of this many seconds.
   */
  readonly intervalSeconds?: number;
}

export interface Queue {
  /** Enqueues a job in the transaction of `db`. If the transaction rolls back, the job is never created. */
  enqueue<Payload extends object>(
    db: Prisma.TransactionClient,
    type: JobType<Payload>,
    payload: NoInfer<Payload>,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Returns a step for an SQL statement. The statement then stores its rows and enqueues the job together. */
  enqueueStep<Payload extends object>(
    type: JobType<Payload>,
    payload: NoInfer<Payload>,
    options?: EnqueueOptions,
  ): Promise<EnqueueStep>;
  /**
   * Returns the same queue for one request. Jobs that are enqueued through it store the request id for their log lines.
   */
  forRequest(requestId: string | null): Queue;
  /** Returns the number of jobs per queue. The numbers are at most one minute old. */
  listDepths(): Promise<readonly QueueDepth[]>;
  /** Throws if the queue is unreachable. */
  check(): Promise<void>;
  /**
   * Releases running jobs, so that the workers that start next run them again. Call it only if no other process uses
   * this database.
   */
  releaseRunningJobs(): Promise<void>;
  /** Starts to run the given jobs. Jobs of other types stay in their queues. */
  work<Services>(services: Services, jobs: readonly Job<Services>[]): Promise<void>;
  /** Stops fetching jobs. Resolves when running jobs have finished, at the latest after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
  /** Waits up to 4 s for running jobs, then returns unfinished jobs to the queue and disconnects. */
  stop(): Promise<void>;
}

/** Number of jobs in one queue, by state. */
export interface QueueDepth {
  readonly name: string;
  readonly ready: number;
  /** Number of jobs that are scheduled for a later time. */
  readonly deferred: number;
  readonly active: number;
  /** Number of jobs that failed in their last attempt. */
  readonly failed: number;
}

const monitorSeconds = 5;
/**
 * Seconds between two supervisions of idle queues. While jobs are running, `due-jobs` supervises them every few
 * seconds.
 */
const idleSuperviseSeconds = 60;
/** Seconds between two checks of the schedules. One process does each check. */
const cronSeconds = 30;
/**
 * Seconds between two runs of pg-boss that resolve dependencies between jobs. This service has no such dependencies.
 */
const flowSeconds = 3600;
const shutdownTimeoutMs = 4_000;
const nilJobId = '00000000-0000-0000-0000-000000000000';

/**
 * Starts the job queue (pg-boss) in the service's database, and creates its schema and all queues. The queues must
 * exist before pg-boss starts, because pg-boss fills its cache of queues at the start. With an empty cache, the first
 * enqueue inside a transaction would need a second connection. On the embedded database, which runs one transaction at
 * a time, that is a deadlock.
 */
export async function startQueue(options: {
  /** All types of jobs. */
  readonly jobs: readonly JobType[];
  readonly access: DatabaseSettings;
  readonly isWorker: boolean;
  readonly poolSize?: number;
  readonly log: Logger;
}): Promise<Queue> {
  const { jobs, log, poolSize = 4 } = options;
  await installQueue(ownerDatabaseUrl(options.access), schema, jobs);
  const names = jobs.map(({ name }) => name);
  const database = openQueueDatabase(options.access, { poolSize, log });
  const wakes: QueueWakes = { hasFailed: false, wake: () => {}, wakeAll: () => {} };
  const boss = new PgBoss({
    db: withWakes(database, names, wakes),
    schema,
    migrate: false,
    useListenNotify: options.isWorker,
    supervise: options.isWorker,
    schedule: options.isWorker,
    superviseIntervalSeconds: idleSuperviseSeconds,
    monitorIntervalSeconds: monitorSeconds,
    cronWorkerIntervalSeconds: cronSeconds,
    flowIntervalSeconds: flowSeconds,
  });
  boss.on('error', (error) => log.error({ err: error }, 'job queue error'));
  // Logs only the message. The data of the warning may contain statements and values.
  boss.on('warning', ({ message }) => log.debug({ warning: message }, 'job queue warning'));
  await boss.start();
  let dueJobs: DueJobWatcher | undefined;
  const workers = new Map<string, QueueWorkers>();

  const createEnqueue = (metadata: RequestMetadata): Pick<Queue, 'enqueue' | 'enqueueStep'> => ({
    async enqueue(db, type, payload, options) {
      const data = { ...storedPayload(type, payload), ...metadata, ...traceHeaders() };
      await boss.send(type.name, data, sendOptions(fromPrisma(db), options));
    },
    enqueueStep: (type, payload, options) =>
      createEnqueueStep(async (db) => {
        const data = { ...storedPayload(type, payload), ...metadata, ...traceHeaders() };
        await boss.send(type.name, data, sendOptions(db, options));
      }),
  });
  const queue: Queue = {
    ...createEnqueue({}),
    forRequest: (requestId) =>
      requestId === null ? queue : { ...queue, ...createEnqueue({ requestId }) },
    listDepths: () => Promise.all(names.map((name) => getQueueDepth(boss, name))),
    async check() {
      for (const name of names.slice(0, 1)) await boss.findJobs(name, { id: nilJobId });
    },
    async releaseRunningJobs() {
      const isRunning = `state = 'active' and heartbeat_on is not null`;
      await database.executeSql(
        `update ${schema}.job set heartbeat_on = 'epoch' where ${isRunning}`,
        [],
      );
    },
    async work(services, jobs) {
      const onFinished = () => dueJobs?.scheduleCheck();
      for (const job of jobs) {
        workers.set(job.name, createQueueWorkers(boss, job, services, { log, onFinished }));
      }
      const wakeWorkers = (name: string) => workers.get(name)?.wake();
      const supervise = () => boss.supervise();
      dueJobs = startDueJobWatcher({ database, schema, wakeWorkers, supervise, log });
      wakes.wake = wakeWorkers;
      wakes.wakeAll = onFinished;
      if (wakes.hasFailed) for (const name of names) wakeWorkers(name);
    },
    drain: (timeoutMs) => drain(workers, timeoutMs),
    async stop() {
      await drain(workers, shutdownTimeoutMs);
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
 * Returns the job counts of a queue. The counts are a few seconds old if a worker is running, and up to one minute old
 * otherwise.
 */
async function getQueueDepth(boss: PgBoss, name: string): Promise<QueueDepth> {
  const [stats] = await boss.getQueueStats(name, { force: true });
  return {
    name,
    ready: stats?.readyCount ?? 0,
    deferred: stats?.deferredCount ?? 0,
    active: stats?.activeCount ?? 0,
    failed: stats?.failedCount ?? 0,
  };
}

/** State of the notifications, and the functions that they call. */
interface QueueWakes {
  /** Whether LISTEN has failed. There are then no notifications, so the workers have to poll. */
  hasFailed: boolean;
  /** Called when a queue has a new job. */
  wake: (queueName: string) => void;
  /** Called when notifications may have been missed. */
  wakeAll: () => void;
}

/**
 * Returns a database whose notifications wake one worker of a queue. Without it, pg-boss would make all workers of the
 * queue fetch.
 */
function withWakes(
  database: QueueDatabase,
  names: readonly string[],
  wakes: QueueWakes,
): QueueDatabase {
  return {
    ...database,
    async listen(channel, wakeInternalWorkers) {
      const onNotification = (name: string) => {
        if (names.includes(name)) wakes.wake(name);
        else wakeInternalWorkers(name);
      };
      try {
        return await database.listen(channel, onNotification, () => wakes.wakeAll());
      } catch (error) {
        wakes.hasFailed = true;
        throw error;
      }
    },
  };
}

async function drain(workers: ReadonlyMap<string, QueueWorkers>, timeoutMs: number): Promise<void> {
  const draining = [...workers.values()].map((queue) => queue.drain());
  await waitWithTimeout(timeoutMs, Promise.all(draining));
}
