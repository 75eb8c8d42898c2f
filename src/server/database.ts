import { join } from 'node:path';
import { migrate } from '../../supabase/migrate.ts';
import type { Config } from '../config/config.ts';
import { startEmbeddedDatabase } from '../platform/embedded/start-embedded-database.ts';
import { type DatabaseSettings, ownerDatabaseUrl } from '../platform/postgres/database-pool.ts';
import { hostNames } from '../platform/postgres/database-url.ts';

/** Name of the file in the data directory that contains the URL of the embedded database while a process runs it. */
export const databaseUrlFile = 'postgres-url';

export interface Database {
  readonly access: DatabaseSettings;
  /** Versions of the migrations that this start applied. */
  readonly applied: readonly string[];
  stop(): Promise<void>;
}

/** Opens and migrates the configured Postgres, or the embedded database in the data directory. */
export async function openDatabase(
  config: Config,
  hooks: {
    readonly onProgress: (message: string) => void;
    /** Called when the embedded database has crashed. The process cannot continue. */
    readonly onFatal: (error: Error) => void;
    /**
     * Resolves when the code is loaded. Loading blocks this thread for longer than a connection may take. So no
     * connection starts before the code is loaded.
     */
    readonly loading?: Promise<unknown>;
  },
): Promise<Database> {
  if (config.databaseUrl !== null) {
    const { databaseUrl, directDatabaseUrl, usesTransactionPooler } = config;
    const { migrationDatabaseUrl, statementTimeoutMs } = config;
    const access = {
      databaseUrl,
      directDatabaseUrl,
      usesTransactionPooler,
      migrationDatabaseUrl,
      statementTimeoutMs,
      connectTimeoutMs,
    };
    await hooks.loading;
    if (usesTransactionPooler && directDatabaseUrl !== null) {
      hooks.onProgress(
        `DATABASE_URL leads through a transaction pooler. Migrations and notifications use ${hostNames(directDatabaseUrl)}.`,
      );
    }
    const applied = await migrateWithNotice(ownerDatabaseUrl(access), hooks);
    return { access, applied, stop: async () => {} };
  }
  const embedded = await startEmbeddedDatabase({
    dataDir: join(config.dataDir, 'postgres'),
    onProgress: hooks.onProgress,
    onExit: hooks.onFatal,
  });
  try {
    await hooks.loading;
    const applied = await migrateWithNotice(embedded.url, hooks);
    return { access: embeddedDatabaseAccess(embedded.url), applied, stop: embedded.stop };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

/** Maximum time to connect. Requests then fail instead of piling up. */
const connectTimeoutMs = 10_000;

/**
 * The embedded database has one session. So a statement may wait for seconds while another client stores a large
 * document.
 */
export function embeddedDatabaseAccess(url: string): DatabaseSettings {
  return {
    databaseUrl: url,
    directDatabaseUrl: null,
    usesTransactionPooler: false,
    migrationDatabaseUrl: null,
    statementTimeoutMs: null,
    connectTimeoutMs: 60_000,
  };
}

async function migrateWithNotice(
  url: string,
  { onProgress }: { readonly onProgress: (message: string) => void },
): Promise<readonly string[]> {
  const { applied, changed } = await migrate(url);
  for (const version of changed) {
    onProgress(`The migration ${version} was edited after this database had applied it.`);
  }
  return applied;
}
