import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { findPgvectorFaults } from '../../supabase/pgvector-faults.ts';
import type { Config } from '../config/config.ts';
import { type Context, createContext } from '../domain/context.ts';
import { createClient } from '../platform/postgres/connection-options.ts';
import { ownerDatabaseUrl } from '../platform/postgres/database-pool.ts';
import { startAdapters } from '../server/adapters.ts';
import {
  type Database,
  databaseUrlFile,
  embeddedDatabaseAccess,
  openDatabase,
} from '../server/database.ts';
import { createLog } from '../server/log.ts';
import { createMetrics } from '../server/observability/metrics.ts';
import type { CommandInvocation } from './command.ts';

interface ContextOptions {
  /** Whether the queue of the context can run jobs. */
  readonly isWorker?: boolean;
  /** Whether a new key may take the place of a lost one that encrypts stored secrets. */
  readonly replacesLostKey?: boolean;
}

/**
 * Runs `work` with a context that has all permissions, on the database and storage of the service. The service may be
 * running or stopped.
 */
export function withContext<T>(
  config: Config,
  call: CommandInvocation,
  work: (context: Context) => Promise<T>,
  { isWorker = false, replacesLostKey = false }: ContextOptions = {},
): Promise<T> {
  return withDatabase(config, call, async ({ access }) => {
    const log = createLog('warn');
    const { metrics } = createMetrics();
    // No statement timeout, because commands that process all data, such as `reindex`, run long statements.
    const withoutTimeout = { statementTimeoutMs: null, databaseReplicas: [] };
    const options = { isWorker, replacesLostKey, ...withoutTimeout, metrics, log };
    const settings = { ...config, ...access, ...options };
    const adapters = await startAdapters(settings);
    try {
      const origin = { ipAddress: null, userAgent: null, isCommandLine: true };
      const request = { signal: new AbortController().signal, requestId: null, origin };
      return await work(createContext(adapters, { type: 'service' }, request));
    } finally {
      await adapters.stop();
    }
  });
}

/**
 * Runs `work` with an open database. If a running service has the embedded database open, connects to that service,
 * because only one process can open the files.
 */
export async function withDatabase<T>(
  config: Config,
  { logProgress }: CommandInvocation,
  work: (database: Pick<Database, 'access' | 'applied'>) => Promise<T>,
): Promise<T> {
  const running = config.databaseUrl === null ? await findRunningDatabaseUrl(config) : null;
  if (running !== null) return work({ access: embeddedDatabaseAccess(running), applied: [] });
  const database = await openDatabase(config, {
    onProgress: () => {},
    onFatal: (error) => logProgress(error.message),
  });
  try {
    return await work(database);
  } finally {
    await database.stop();
  }
}

export async function warnOfPgvectorFaults(
  { access }: Pick<Database, 'access'>,
  { logProgress }: CommandInvocation,
): Promise<void> {
  const client = createClient(ownerDatabaseUrl(access), {
    connectionTimeoutMillis: access.connectTimeoutMs,
  });
  client.on('error', () => {}); // A lost connection also rejects the pending query.
  await client.connect();
  try {
    const warning = await findPgvectorFaults(client);
    if (warning !== null) logProgress(warning);
  } finally {
    await client.end();
  }
}

/**
 * Returns the URL that a running service has written for its embedded database, or null if no service answers there.
 */
async function findRunningDatabaseUrl({ dataDir }: Config): Promise<string | null> {
  const url = await readFile(join(dataDir, databaseUrlFile), 'utf8').catch(() => null);
  if (url === null) return null;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {}); // the service may stop at this moment
  try {
    await client.connect();
    return url;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}
