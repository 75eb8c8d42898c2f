import { fromPrisma, PgBoss, type Queue as QueueSettings } from 'pg-boss';
import type { Logger } from 'pino';
import type { Prisma } from '../generated/prisma/client.ts';

/** Everything that runs later, and what its order says. Payloads carry ids; workers read the rows anew. */
export interface Jobs {
  'ingest-document': { readonly projectId: string; readonly documentId: string };
  'fail-document': { readonly projectId: string; readonly documentId: string };
  'remove-file': { readonly key: string };
  'close-stale-answers': Record<string, never>;
  'remove-retired-vectors': Record<string, never>;
}

export type JobName = keyof Jobs;

export type JobHandlers = { readonly [N in JobName]: JobHandler<N> };

export interface JobHandler<N extends JobName> {
  /** How many run at once in this process. */
  readonly concurrency: number;
  /** Runs at least once for each job, so it must be safe to repeat. Throwing means: try again later. */
  run(payload: Jobs[N], attempt: JobAttempt): Promise<void>;
}

export interface JobAttempt {
  /** Aborts when the job's lease is lost or the worker stops. */
  readonly signal: AbortSignal;
  readonly isLast: boolean;
}

export interface Queue {
  /** Orders a job in the transaction of `db`: it exists if and only if the transaction commits. */
  enqueue<N extends JobName>(
    db: Prisma.TransactionClient,
    name: N,
    payload: Jobs[N],
    options?: { readonly delaySeconds?: number },
  ): Promise<void>;
  /** Starts to work on all jobs. */
  work(handlers: JobHandlers): Promise<void>;
  /** Lets running jobs end for a while, then returns them to the queue. */
  stop(): Promise<void>;
}

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
  'close-stale-answers': { retryLimit: 0, policy: 'singleton' },
  'remove-retired-vectors': { retryLimit: 20, retryDelay: 5, retryBackoff: true },
};

/** A worker that died is noticed after this long, and its jobs are taken over. The least pg-boss allows. */
const heartbeatSeconds = 10;
const monitorSeconds = 5;
/** A large document that is being stored holds the embedded database for seconds. */
const patienceMs = 60_000;
const stopTimeoutMs = 4_000;
const noJob = '00000000-0000-0000-0000-000000000000';

/**
 * Connects to pg-boss in the same database, makes its schema and all queues. Every queue is looked into here,
 * which puts it into pg-boss's cache: the first use of one inside a transaction would wait for a second
 * connection to the embedded database, which serves one transaction at a time.
 */
export async function startQueue(options: {
  readonly connectionString: string;
  readonly isWorker: boolean;
  readonly log: Logger;
}): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: options.connectionString,
    schema: 'grounded_jobs',
    max: 4,
    connectionTimeoutMillis: patienceMs,
    notifyHeartbeatTimeoutMs: patienceMs,
    useListenNotify: options.isWorker,
    supervise: options.isWorker,
    schedule: options.isWorker,
    superviseIntervalSeconds: monitorSeconds,
    monitorIntervalSeconds: monitorSeconds,
  });
  boss.on('error', (error) => options.log.error({ err: error }, 'job queue error'));
  boss.on('warning', (warning) => options.log.debug({ warning }, 'job queue warning'));
  await boss.start();
  for (const name of jobNames()) {
    await boss.createQueue(name, { ...queues[name], heartbeatSeconds, notify: true });
    await boss.findJobs(name, { id: noJob });
  }
  if (options.isWorker) await boss.schedule('close-stale-answers', '* * * * *');

  return {
    async enqueue(db, name, payload, { delaySeconds = 0 } = {}) {
      await boss.send(name, payload, { db: fromPrisma(db), startAfter: delaySeconds });
    },
    async work(handlers) {
      for (const name of jobNames()) await startWorkers(boss, name, handlers, options.log);
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: stopTimeoutMs });
    },
  };
}

async function startWorkers<N extends JobName>(
  boss: PgBoss,
  name: N,
  handlers: JobHandlers,
  log: Logger,
): Promise<void> {
  const handler: JobHandler<N> = handlers[name];
  const settings = {
    localConcurrency: handler.concurrency,
    batchSize: 1,
    includeMetadata: true,
    notifyPollingIntervalSeconds: 2,
    pollingIntervalSeconds: 1,
  } as const;
  await boss.work<Jobs[N], void, typeof settings>(name, settings, async ([job]) => {
    if (job === undefined) return;
    const started = performance.now();
    try {
      const isLast = job.retryCount >= job.retryLimit;
      await handler.run(job.data, { signal: job.signal, isLast });
      log.debug(
        { job: name, jobId: job.id, ms: Math.round(performance.now() - started) },
        'job done',
      );
    } catch (error) {
      log.warn({ err: error, job: name, jobId: job.id, attempt: job.retryCount + 1 }, 'job failed');
      throw error;
    }
  });
}

function jobNames(): JobName[] {
  return Object.keys(queues) as JobName[];
}
