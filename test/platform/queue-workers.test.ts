import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { closeStaleAnswersJob } from '../../src/domain/chat/finalize-turn.ts';
import { deliverWebhookJobType } from '../../src/domain/webhooks/delivery-job-types.ts';
import { implementJob, type Job, type JobType } from '../../src/platform/jobs/job.ts';
import { type Queue, startQueue } from '../../src/platform/jobs/queue.ts';
import { PrismaClient } from '../../src/platform/postgres/generated/prisma/client.ts';
import { jobs } from '../../src/server/jobs.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { databaseAccessFor } from '../support/database/database-access.ts';
import { waitUntil } from '../support/wait-until.ts';

let database: TestDatabase;
let prisma: PrismaClient;
let queue: Queue;
const statements: string[] = [];
const query = pg.Client.prototype.query;

beforeAll(async () => {
  database = await createTestDatabase();
  prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: database.url }) });
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [statement, values] = args;
    statements.push(`${JSON.stringify(statement)} ${JSON.stringify(values)}`);
    return Reflect.apply(query, this, args);
  } as typeof query);
});
afterEach(() => queue.stop());
afterAll(async () => {
  vi.restoreAllMocks();
  await prisma.$disconnect();
  await database.drop();
});

function openQueue(): Promise<Queue> {
  return startQueue({
    jobs,
    access: databaseAccessFor(database),
    isWorker: true,
    log: pino({ level: 'silent' }),
  });
}

async function work(...jobs: readonly Job<null>[]): Promise<void> {
  queue = await openQueue();
  statements.length = 0;
  await queue.work(null, jobs);
}

type Run = () => Promise<void>;

function jobOf<Payload extends object>(type: JobType<Payload>, run: Run, concurrency = 1) {
  return implementJob({ ...type, concurrency }, (_services: null) => run());
}

const deliveryJob = (run: Run, concurrency?: number) =>
  jobOf(deliverWebhookJobType, run, concurrency);

/** Returns the number of statements that fetch a webhook delivery job. */
function fetches(): number {
  return statements.filter((text) => /deliver-webhook.*skip locked/is.test(text)).length;
}

/**
 * Returns the number of statements that look for due jobs. The service sends one after its start, and one shortly after
 * each job.
 */
function checks(): number {
  return statements.filter((text) => text.includes('due_in_ms')).length;
}

async function enqueueDeliveries(count: number): Promise<void> {
  const payload = { deliveryId: crypto.randomUUID(), projectId: crypto.randomUUID(), attempt: 1 };
  await Promise.all(
    Array.from({ length: count }, () => queue.enqueue(prisma, deliverWebhookJobType, payload)),
  );
}

test('one job of a queue with many workers costs few fetches, and an idle queue none', async () => {
  let done = 0;
  const run = async () => {
    done += 1;
  };
  await work(deliveryJob(run, 32));
  await waitUntil(() => checks() > 0);
  expect(fetches()).toBe(0);
  await enqueueDeliveries(1);
  await waitUntil(() => done === 1);
  const before = checks();
  await waitUntil(() => checks() > before);
  expect(fetches()).toBeGreaterThan(0);
  expect(fetches()).toBeLessThanOrEqual(6);
});

test('jobs run at the same time up to the concurrency of their handler, and all of them run', async () => {
  let running = 0;
  let peak = 0;
  let done = 0;
  const release = Promise.withResolvers<void>();
  const run = async () => {
    running += 1;
    peak = Math.max(peak, running);
    await release.promise;
    running -= 1;
    done += 1;
  };
  const other = vi.fn(async () => {});
  await work(deliveryJob(run, 5), jobOf(closeStaleAnswersJob, other));
  await enqueueDeliveries(12);
  await waitUntil(() => running === 5);
  // This job of another queue runs although it is enqueued later. If the limit of 5 did not apply, a sixth delivery
  // would also be running by now.
  await queue.enqueue(prisma, closeStaleAnswersJob, {});
  await waitUntil(() => other.mock.calls.length > 0);
  release.resolve();
  await waitUntil(() => done === 12);
  expect(peak).toBe(5);
});

test('jobs that were enqueued before the start run, and no worker starts after the queue has drained', async () => {
  let done = 0;
  await work();
  await enqueueDeliveries(1);
  await queue.stop();
  await work(
    deliveryJob(async () => {
      done += 1;
    }, 2),
  );
  await waitUntil(() => done === 1);
  await queue.drain(5_000);
  await enqueueDeliveries(1);
  // This process does not take the job, so another process can.
  const next = await openQueue();
  const run = vi.fn(async () => {});
  await next.work(null, [deliveryJob(run)]);
  await waitUntil(() => run.mock.calls.length > 0);
  await next.stop();
  expect(done).toBe(1);
});

test('a job of a queue that runs one job at a time does not wait for old statistics', async () => {
  await work();
  await prisma.$executeRaw`
    update grounded_jobs.queue set singletons_active = array[null]::text[]
    where name = 'close-stale-answers'`;
  await queue.stop();
  let done = 0;
  const run = async () => {
    done += 1;
  };
  await work(jobOf(closeStaleAnswersJob, run));
  await queue.enqueue(prisma, closeStaleAnswersJob, {});
  await waitUntil(() => done > 0);
});

test('a job of a dead process is retried after its release, long before its heartbeat is missed', {
  timeout: 60_000,
}, async () => {
  await work();
  await enqueueDeliveries(1);
  await prisma.$executeRaw`
    update grounded_jobs.job
    set state = 'active', heartbeat_on = now(), heartbeat_seconds = 3600, retry_delay = 1
    where name = 'deliver-webhook' and state = 'created'`;
  await queue.releaseRunningJobs();
  await queue.stop();
  // Simulates that the queues were last supervised long ago. The tests skip the wait for the supervision, and the delay
  // of a retry (`retry_delay`).
  await prisma.$executeRaw`
    update grounded_jobs.queue set monitor_on = null, monitor_claim_on = null`;
  let done = 0;
  const run = async () => {
    done += 1;
  };
  await work(deliveryJob(run));
  // The delay of a retry is random, and at most about ten seconds.
  await waitUntil(() => done === 1, { timeoutMs: 50_000 });
});
