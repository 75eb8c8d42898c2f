import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { CommandCall } from './cli-command.ts';
import type { Config } from './config.ts';
import { connectionFile, type Database, embeddedAccess, openDatabase } from './database.ts';
import { startAdapters } from './domain/adapters.ts';
import { type Context, systemContext } from './domain/context.ts';
import { createLog } from './log.ts';
import { createMetrics } from './observability/metrics.ts';

/** Does `work` with everything a verb needs, as the service itself; beside a running service as well as alone. */
export function withContext<T>(
  config: Config,
  call: CommandCall,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  return withDatabase(config, call, async ({ access }) => {
    const log = createLog('warn');
    const { metrics } = createMetrics();
    // A command that goes through everything, such as `reindex`, has statements that take their time.
    const unhurried = { statementTimeoutMs: null, isWorker: false };
    const settings = { ...config, ...access, ...unhurried, metrics, log };
    const adapters = await startAdapters(settings);
    try {
      return await work(systemContext(adapters, new AbortController().signal));
    } finally {
      await adapters.stop();
    }
  });
}

/** The database, also while a running service holds the embedded one. */
export async function withDatabase<T>(
  config: Config,
  { note }: CommandCall,
  work: (database: Pick<Database, 'access' | 'applied'>) => Promise<T>,
): Promise<T> {
  const running = config.databaseUrl === null ? await runningDatabase(config) : null;
  if (running !== null) return work({ access: embeddedAccess(running), applied: [] });
  const database = await openDatabase(config, {
    onProgress: () => {},
    onFatal: (error) => note(error.message),
  });
  try {
    return await work(database);
  } finally {
    await database.stop();
  }
}

/** Where a running service says that its embedded database is, if it still answers there. */
async function runningDatabase({ dataDir }: Config): Promise<string | null> {
  const url = await readFile(join(dataDir, connectionFile), 'utf8').catch(() => null);
  if (url === null) return null;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    return url;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}
