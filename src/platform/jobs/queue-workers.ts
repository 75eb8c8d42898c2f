import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { TraceContext } from '../tracing/span.ts';
import { inSpan } from '../tracing/tracer.ts';
import type { Job } from './job.ts';

/**
 * Data that is added to each stored payload. It is part of the payload because pg-boss copies only the payload to the
 * dead letter queue.
 */
export interface RequestMetadata extends TraceContext {
  readonly requestId?: string;
}

/** The workers of one queue in this process. */
export interface QueueWorkers {
  /**
   * Makes one idle worker fetch a job. Each worker that finds a job wakes the next worker, up to the job's concurrency.
   */
  wake(): void;
  /** Stops fetching jobs. Resolves when running jobs have finished. */
  drain(): Promise<void>;
}

/**
 * Poll interval while notifications work. Polls are not needed then: notifications wake the workers, and `due-jobs`
 * looks for the jobs of all queues every 30 s. It is the longest interval that pg-boss allows.
 */
const notifiedPollSeconds = 24 * 3600;
/** Poll interval without notifications, which means that LISTEN has failed. */
const pollSeconds = 1;

/**
 * Creates each worker only when it is needed, because every new worker fetches when it starts. If all workers of a
 * queue with 32 workers were created at once, one job would cost 32 statements. Calls `onFinished` after each job.
 */
export function createQueueWorkers<Services>(
  boss: PgBoss,
  type: Job<Services>,
  services: Services,
  { log, onFinished }: { readonly log: Logger; readonly onFinished: () => void },
): QueueWorkers {
  const idle = new Set<string>();
  let count = 0;
  let isDraining = false;
  const { name, concurrency, groupConcurrency } = type;
  const settings = {
    ...(groupConcurrency !== undefined && { groupConcurrency }),
    batchSize: 1,
    includeMetadata: true,
    notifyPollingIntervalSeconds: notifiedPollSeconds,
    pollingIntervalSeconds: pollSeconds,
  } as const;

  const addWorker = async () => {
    count += 1;
    try {
      const id: string = await boss.work<RequestMetadata, void, typeof settings>(
        name,
        settings,
        async ([job]) => {
          idle.delete(id);
          wake();
          try {
            if (job !== undefined)
              await runInSpan(type, job, () => runJob(type, services, job, log));
          } finally {
            idle.add(id);
            onFinished();
            // Without this, the worker would fetch its next job only at the next poll.
            boss.notifyWorker(id);
          }
        },
      );
      idle.add(id);
    } catch (error) {
      count -= 1;
      if (!isDraining) log.error({ err: error, job: name }, 'failed to start a worker');
    }
  };
  const wake = () => {
    if (isDraining) return;
    const [id] = idle;
    if (id !== undefined) boss.notifyWorker(id);
    else if (count < concurrency) void addWorker();
  };
  return {
    wake,
    async drain() {
      isDraining = true;
      await boss.offWork(name);
    },
  };
}

/** Runs a job in a trace of its own, which links to the trace of the request that enqueued the job. */
function runInSpan(
  { name }: Pick<Job<never>, 'name'>,
  { id, data, retryCount }: JobWithMetadata<RequestMetadata>,
  run: () => Promise<void>,
): Promise<void> {
  const { traceparent, tracestate } = data;
  const attributes = {
    'messaging.system': 'pg-boss',
    'messaging.operation.type': 'process',
    'messaging.destination.name': name,
    'messaging.message.id': id,
    'grounded_chat.job.attempt': retryCount + 1,
  };
  const link = traceparent === undefined ? undefined : { traceparent, tracestate };
  return inSpan(`process ${name}`, { kind: 'CONSUMER', parent: {}, link, attributes }, run);
}

async function runJob<Services>(
  type: Job<Services>,
  services: Services,
  job: JobWithMetadata<RequestMetadata>,
  log: Logger,
): Promise<void> {
  const started = performance.now();
  const { requestId } = job.data;
  const logFields = { requestId, job: type.name, jobId: job.id };
  try {
    const isLast = job.retryCount >= job.retryLimit;
    const attempt = { signal: job.signal, isLast, requestId: requestId ?? null };
    await type.run(services, job.data, attempt);
    log.debug({ ...logFields, ms: Math.round(performance.now() - started) }, 'job done');
  } catch (error) {
    log.warn({ ...logFields, err: error, attempt: job.retryCount + 1 }, 'job failed');
    throw error;
  }
}
