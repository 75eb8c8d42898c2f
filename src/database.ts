import { join } from 'node:path';
import { migrate } from '../supabase/migrate.ts';
import type { Config } from './config.ts';
import { type DatabaseAccess, ownerUrl } from './domain/database-pool.ts';
import { startEmbedded } from './domain/embedded/start-embedded.ts';

/** In the data directory: where the embedded database can be reached while a process runs it. */
export const connectionFile = 'postgres-url';

export interface Database {
  readonly access: DatabaseAccess;
  /** Versions of the migrations that were applied just now. */
  readonly applied: readonly string[];
  stop(): Promise<void>;
}

/** The configured Postgres, or the embedded one in the data directory; migrated, ready to be used. */
export async function openDatabase(
  config: Config,
  hooks: {
    readonly onProgress: (message: string) => void;
    /** The embedded database has died; nothing can go on. */
    readonly onFatal: (error: Error) => void;
  },
): Promise<Database> {
  if (config.databaseUrl !== null) {
    const { databaseUrl, directDatabaseUrl, migrationDatabaseUrl, statementTimeoutMs } = config;
    const access = {
      databaseUrl,
      directDatabaseUrl,
      migrationDatabaseUrl,
      statementTimeoutMs,
      connectTimeoutMs,
    };
    const applied = await migrateWithNotice(ownerUrl(access), hooks);
    return { access, applied, stop: async () => {} };
  }
  const embedded = await startEmbedded({
    dataDir: join(config.dataDir, 'postgres'),
    onProgress: hooks.onProgress,
    onExit: hooks.onFatal,
  });
  try {
    const applied = await migrateWithNotice(embedded.url, hooks);
    return { access: embeddedAccess(embedded.url), applied, stop: embedded.stop };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

/** Requests fail rather than pile up. */
const connectTimeoutMs = 10_000;

/** Statements wait there while another client has the one session, for seconds where it stores a large document. */
export function embeddedAccess(url: string): DatabaseAccess {
  return {
    databaseUrl: url,
    directDatabaseUrl: null,
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
