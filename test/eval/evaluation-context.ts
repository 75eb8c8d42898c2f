import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import { type Context, createSystemContext } from '../../src/domain/context.ts';
import { createOrganization } from '../../src/domain/organizations/organizations.ts';
import { startAdapters } from '../../src/server/adapters.ts';
import { openDatabase } from '../../src/server/database.ts';
import { jobs } from '../../src/server/jobs.ts';
import { createLog } from '../../src/server/log.ts';
import { createMetrics } from '../../src/server/observability/metrics.ts';

/** Where an evaluation stores its data. */
export interface EvaluationOptions {
  /** URL of a Postgres database. Default: an embedded database. */
  readonly database?: string | undefined;
  /** Directory of the embedded database and the files. Default: a temporary directory, which is deleted at the end. */
  readonly keep?: string | undefined;
}

const organizationName = 'Evaluation';

/**
 * Starts the database, the models and the workers, and runs `work` with a new organization. Stops all of them at the
 * end.
 */
export async function withEvaluation<T>(
  { database, keep }: EvaluationOptions,
  work: (context: Context, organizationId: string) => Promise<T>,
): Promise<T> {
  const dataDir = keep ?? (await mkdtemp(join(tmpdir(), 'grounded-chat-eval-')));
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // DATABASE_URL is ignored, so that an evaluation does not write to the database of a real service.
  const { DATABASE_URL: _, ...env } = process.env;
  const url = database === undefined ? {} : { DATABASE_URL: database };
  const stops = [
    async () => {
      if (keep === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  ];
  try {
    const config = readConfig({ ...env, ...url, DATA_DIR: dataDir });
    const opened = await openDatabase(config, { onProgress: logProgress, onFatal: fail });
    stops.push(opened.stop);
    const adapters = await startAdapters({
      ...config,
      ...opened.access,
      isWorker: true,
      metrics: createMetrics().metrics,
      log: createLog('error'),
    });
    stops.push(adapters.stop, () => adapters.events.stop());
    await adapters.queue.work(adapters, jobs);
    const context = createSystemContext(adapters, createStopSignal());
    const { id } =
      (await context.db.organization.findFirst({ where: { name: organizationName } })) ??
      (await createOrganization(context, { name: organizationName, plan: 'scale' }));
    return await work(context, id);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Logs progress to standard error, because results are written to standard output. */
export function logProgress(message: string): void {
  process.stderr.write(`${message}\n`);
}

function createStopSignal(): AbortSignal {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stopped.abort(new Error('Stopped')));
  }
  return stopped.signal;
}

function fail(error: Error): never {
  throw error;
}
