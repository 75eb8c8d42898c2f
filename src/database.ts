import { join } from 'node:path';
import { migrate } from '../supabase/migrate.ts';
import type { Config } from './config.ts';
import { startEmbedded } from './domain/embedded/start-embedded.ts';

/** In the data directory: where the embedded database can be reached while a process runs it. */
export const connectionFile = 'postgres-url';

export interface Database {
  readonly url: string;
  /** The same, for the role that owns the tables. */
  readonly migrationUrl: string;
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
  const { databaseUrl: url, migrationDatabaseUrl } = config;
  if (url !== null) {
    const migrationUrl = migrationDatabaseUrl ?? url;
    const applied = await migrateWithNotice(migrationUrl, hooks);
    return { url, migrationUrl, applied, stop: async () => {} };
  }
  const embedded = await startEmbedded({
    dataDir: join(config.dataDir, 'postgres'),
    onProgress: hooks.onProgress,
    onExit: hooks.onFatal,
  });
  try {
    const applied = await migrateWithNotice(embedded.url, hooks);
    return { url: embedded.url, migrationUrl: embedded.url, applied, stop: embedded.stop };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
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
