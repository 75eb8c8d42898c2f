import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database.ts';
import { startAdapters } from '../../src/domain/adapters.ts';
import { type Context, systemContext } from '../../src/domain/context.ts';
import { jobHandlers } from '../../src/domain/jobs/workers.ts';
import { createOrganization } from '../../src/domain/organizations/organizations.ts';
import { createLog } from '../../src/log.ts';
import { createMetrics } from '../../src/observability/metrics.ts';

/** Where an evaluation runs. */
export interface Place {
  /** A Postgres; an embedded database where it is left out. */
  readonly database?: string | undefined;
  /** The folder of the embedded database and the files; one that is removed afterwards where it is left out. */
  readonly keep?: string | undefined;
}

const organizationName = 'Evaluation';

/** Starts database, models and workers, lets `work` use them with an organization of its own, and stops them. */
export async function withEvaluation<T>(
  { database, keep }: Place,
  work: (context: Context, organizationId: string) => Promise<T>,
): Promise<T> {
  const dataDir = keep ?? (await mkdtemp(join(tmpdir(), 'grounded-chat-eval-')));
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // The database of the service itself must not fill with the documents of an evaluation.
  const { DATABASE_URL: _, ...env } = process.env;
  const url = database === undefined ? {} : { DATABASE_URL: database };
  const stops = [
    async () => {
      if (keep === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  ];
  try {
    const config = readConfig({ ...env, ...url, DATA_DIR: dataDir });
    const opened = await openDatabase(config, { onProgress: say, onFatal: fail });
    stops.push(opened.stop);
    const adapters = await startAdapters({
      ...config,
      ...opened.access,
      isWorker: true,
      metrics: createMetrics().metrics,
      log: createLog('error'),
    });
    stops.push(adapters.stop, () => adapters.events.stop());
    await adapters.queue.work(jobHandlers(adapters));
    const context = systemContext(adapters, stopSignal());
    const { id } =
      (await context.db.organization.findFirst({ where: { name: organizationName } })) ??
      (await createOrganization(context, { name: organizationName, plan: 'scale' }));
    return await work(context, id);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** For whoever watches; results go to standard output. */
export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

function stopSignal(): AbortSignal {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stopped.abort(new Error('Stopped')));
  }
  return stopped.signal;
}

function fail(error: Error): never {
  throw error;
}
