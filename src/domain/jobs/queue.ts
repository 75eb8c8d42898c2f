import { setTimeout as delay } from 'node:timers/promises';
import { fromPrisma, type JobWithMetadata, PgBoss, type Queue as QueueSettings } from 'pg-boss';
import type { Logger } from 'pino';
import { type DatabaseAccess, ownerUrl } from '../database-pool.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { installQueue } from './install-queue.ts';
import { openQueueDatabase } from './queue-database.ts';

/** Everything that runs later, and what its order says. Payloads carry ids; workers read the rows anew. */
export interface Jobs {
  'ingest-document': { readonly projectId: string; readonly documentId: string };
  'fail-document': { readonly projectId: string; readonly documentId: string };
  'remove-file': { readonly key: string };
  'remove-orphan-files': Record<string, never>;
  'close-stale-answers': Record<string, never>;
  'remove-answer-events': Record<string, never>;
  'remove-retired-vectors': Record<string, never>;
  'build-vector-indexes': Record<string, never>;
  'remove-expired-idempotency-keys': Record<string, never>;
  'remove-old-inbox-events': Record<string, never>;
  'remove-old-webhook-events': Record<string, never>;
  'deliver-webhook': DeliveryOrder;
  'fail-delivery': DeliveryOrder;
}

interface DeliveryOrder {
  readonly deliveryId: string;
  readonly projectId: string;
  readonly attempt: number;
}

export type JobName = keyof Jobs;

/** A job without a handler waits in its queue. */
export type JobHandlers = { readonly [N in JobName]?: JobHandler<N> };

export interface JobHandler<N extends JobName> {
  /** How many run at once in this process. */
  readonly concurrency: number;
  /** How many of one group run at once, in all processes. No limit when left out. */
  readonly groupConcurrency?: number;
  /** Runs at least once for each job, so it must be safe to repeat. Throwing means: try again later. */
  run(payload: Jobs[N], attempt: JobAttempt): Promise<void>;
}

export interface JobAttempt {
  /** Aborts when the job's lease is lost or the worker stops. */
  readonly signal: AbortSignal;
  readonly isLast: boolean;
  /** Of the request that ordered the job, for the log; null where none did. */
  readonly requestId: string | null;
}

export interface Queue {
  /** Orders a job in the transaction of `db`: it exists if and only if the transaction commits. */
  enqueue<N extends JobName>(
    db: Prisma.TransactionClient,
    name: N,
    payload: Jobs[N],
    options?: {
      readonly delaySeconds?: number;
      /** What `groupConcurrency` limits. */
      readonly group?: string;
    },
  ): Promise<void>;
  /** The same queue; what is logged of the jobs ordered through it names the request. */
  forRequest(requestId: string | null): Queue;
  /** How many jobs there are, not older than a minute. */
  depths(): Promise<readonly QueueDepth[]>;
  /** Throws when the queue cannot be reached. */
  check(): Promise<void>;
  /** Starts to work on all jobs. */
  work(handlers: JobHandlers): Promise<void>;
  /** Begins no more jobs. Resolves when those that run now have ended, or after this time. */
  settle(timeoutMs: number): Promise<void>;
  /** Returns jobs that have not ended after a moment to the queue. */
  stop(): Promise<void>;
}

/** The jobs of one queue: due, to run later, running, and failed for good. */
export interface QueueDepth {
  readonly name: JobName;
  readonly ready: number;
  readonly deferred: number;
  readonly active: number;
  readonly failed: number;
}

/** Travels in the payload, and so into the dead letter queue as well. */
interface Ordered {
  readonly requestId?: string;
}

const schema = 'grounded_jobs';
const retries = 5;

/** The order matters: a queue's dead letter queue comes before it. */
const queues: Record<JobName, Omit<QueueSettings, 'name'>> = {
  'fail-document': { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 600 },
  'ingest-document': {
    retryLimit: retries,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 120,
    expireInSeconds: 3600,
    deadLetter: 'fail-document',
  },
  'remove-file': { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 3600 },
  'remove-orphan-files': { retryLimit: 0, policy: 'singleton', expireInSeconds: 3600 },
  'close-stale-answers': { retryLimit: 0, policy: 'singleton' },
  'remove-answer-events': { retryLimit: 0, policy: 'singleton' },
  'remove-retired-vectors': {
    retryLimit: 20,
    retryDelay: 5,
    retryBackoff: true,
    expireInSeconds: 6 * 3600,
  },
  'build-vector-indexes': { retryLimit: 0, policy: 'singleton', expireInSeconds: 12 * 3600 },
  'remove-expired-idempotency-keys': { retryLimit: 0, policy: 'singleton' },
  'remove-old-inbox-events': { retryLimit: 0, policy: 'singleton' },
  'remove-old-webhook-events': { retryLimit: 0, policy: 'singleton' },
  'fail-delivery': { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 600 },
  'deliver-webhook': {
    retryLimit: 20,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 600,
    deadLetter: 'fail-delivery',
  },
};

/** A worker that died is noticed after this long, and its jobs are taken over. The least pg-boss allows. */
const heartbeatSeconds = 10;
const monitorSeconds = 5;
const farewellMs = 4_000;
const noJob = '00000000-0000-0000-0000-000000000000';

/**
 * Connects to pg-boss in the same database, makes its schema and all queues. Every queue is looked into here,
 * which puts it into pg-boss's cache: the first use of one inside a transaction would wait for a second
 * connection to the embedded database, which serves one transaction at a time.
 */
export async function startQueue(options: {
  readonly access: DatabaseAccess;
  readonly isWorker: boolean;
  readonly log: Logger;
}): Promise<Queue> {
  await installQueue(ownerUrl(options.access), schema);
  const database = openQueueDatabase(options.access, options.log);
  const boss = new PgBoss({
    db: database,
    schema,
    migrate: false,
    useListenNotify: options.isWorker,
    supervise: options.isWorker,
    schedule: options.isWorker,
    superviseIntervalSeconds: monitorSeconds,
    monitorIntervalSeconds: monitorSeconds,
  });
  boss.on('error', (error) => options.log.error({ err: error }, 'job queue error'));
  // Its data may hold statements and their values.
  boss.on('warning', ({ message }) => options.log.debug({ warning: message }, 'job queue warning'));
  await boss.start();
  for (const name of jobNames()) {
    const { policy, ...settings } = { ...queues[name], heartbeatSeconds, notify: true };
    await boss.createQueue(name, { ...settings, ...(policy !== undefined && { policy }) });
    // One that an earlier version has made stays as it was otherwise, without the dead letter queue it lacked.
    await boss.updateQueue(name, settings);
    await boss.findJobs(name, { id: noJob });
  }
  if (options.isWorker) {
    // Without data a job would carry null, and not the empty payload of its type.
    await boss.schedule('close-stale-answers', '* * * * *', {});
    await boss.schedule('remove-answer-events', '*/5 * * * *', {});
    await boss.schedule('remove-expired-idempotency-keys', '17 * * * *', {});
    await boss.schedule('remove-old-inbox-events', '27 * * * *', {});
    await boss.schedule('remove-old-webhook-events', '37 * * * *', {});
    await boss.schedule('build-vector-indexes', '*/30 * * * *', {});
    await boss.schedule('remove-orphan-files', '43 3 * * *', {});
  }

  const enqueueFor = (ordered: Ordered): Queue['enqueue'] => {
    return async (db, name, payload, { delaySeconds = 0, group } = {}) => {
      const data = { ...payload, ...ordered };
      await boss.send(name, data, {
        db: fromPrisma(db),
        startAfter: delaySeconds,
        ...(group !== undefined && { group: { id: group } }),
      });
    };
  };
  const queue: Queue = {
    enqueue: enqueueFor({}),
    forRequest: (requestId) =>
      requestId === null ? queue : { ...queue, enqueue: enqueueFor({ requestId }) },
    depths: () => Promise.all(jobNames().map((name) => depthOf(boss, name))),
    async check() {
      await boss.findJobs('remove-file', { id: noJob });
    },
    async work(handlers) {
      for (const name of jobNames()) await startWorkers(boss, name, handlers, options.log);
    },
    settle: (timeoutMs) => settle(boss, timeoutMs),
    async stop() {
      await settle(boss, farewellMs);
      await boss.stop({ graceful: false });
      await database.close();
    },
  };
  return queue;
}

/** The supervisor of a worker counts every few seconds; without a worker the jobs are counted here, once a minute. */
async function depthOf(boss: PgBoss, name: JobName): Promise<QueueDepth> {
  const [stats] = await boss.getQueueStats(name, { force: true });
  return {
    name,
    ready: stats?.readyCount ?? 0,
    deferred: stats?.deferredCount ?? 0,
    active: stats?.activeCount ?? 0,
    failed: stats?.failedCount ?? 0,
  };
}

async function startWorkers<N extends JobName>(
  boss: PgBoss,
  name: N,
  handlers: JobHandlers,
  log: Logger,
): Promise<void> {
  const handler: JobHandler<N> | undefined = handlers[name];
  if (handler === undefined) return;
  const { groupConcurrency } = handler;
  const settings = {
    ...(groupConcurrency !== undefined && { groupConcurrency }),
    batchSize: 1,
    includeMetadata: true,
    notifyPollingIntervalSeconds: 2,
    pollingIntervalSeconds: 1,
  } as const;
  const runJob = async (job: JobWithMetadata<Jobs[N] & Ordered>) => {
    const started = performance.now();
    const { requestId } = job.data;
    const facts = { requestId, job: name, jobId: job.id };
    try {
      const isLast = job.retryCount >= job.retryLimit;
      const attempt = { signal: job.signal, isLast, requestId: requestId ?? null };
      await handler.run(job.data, attempt);
      log.debug({ ...facts, ms: Math.round(performance.now() - started) }, 'job done');
    } catch (error) {
      log.warn({ ...facts, err: error, attempt: job.retryCount + 1 }, 'job failed');
      throw error;
    }
  };
  for (let n = 0; n < handler.concurrency; n += 1) {
    const worker = await boss.work<Jobs[N] & Ordered, void, typeof settings>(
      name,
      settings,
      async ([job]) => {
        if (job !== undefined) await runJob(job);
        // Looks for the next job at once; of its own accord it would rest until the next poll.
        boss.notifyWorker(worker);
      },
    );
  }
}

async function settle(boss: PgBoss, timeoutMs: number): Promise<void> {
  const timeout = new AbortController();
  const timer = delay(timeoutMs, undefined, { signal: timeout.signal }).catch(() => {});
  await Promise.race([Promise.all(jobNames().map((name) => boss.offWork(name))), timer]);
  timeout.abort();
}

function jobNames(): JobName[] {
  return Object.keys(queues) as JobName[];
}
