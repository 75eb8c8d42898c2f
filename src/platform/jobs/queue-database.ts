import type { Db } from 'pg-boss';
import type { Logger } from 'pino';
import { type DatabaseSettings, openPool } from '../postgres/database-pool.ts';
import { startPostgresListener } from '../postgres/postgres-listener.ts';

/** Database adapter for pg-boss. */
export interface QueueDatabase extends Required<Pick<Db, 'executeSql' | 'listen'>> {
  close(): Promise<void>;
}

/**
 * Opens the database connections of pg-boss. Its statements use `databaseUrl`, which may be a pooler, and have the
 * statement timeout of the service. LISTEN uses a direct connection. They are separate from those for requests, because
 * requests may use all of theirs.
 */
export function openQueueDatabase(
  access: DatabaseSettings,
  { poolSize, log }: { readonly poolSize: number; readonly log: Logger },
): QueueDatabase {
  const name = 'grounded-chat jobs';
  const pool = openPool(access, { name, size: poolSize });
  pool.on('error', (error) => log.warn({ err: error }, 'idle job queue connection lost'));
  return {
    async executeSql(text, values) {
      const result = await pool.query(text, values);
      // Several statements return an array of results.
      if (!Array.isArray(result)) result.rows.forEach(forgetActiveSingletons);
      return result;
    },
    async listen(channel, onNotification, onReconnect) {
      const listening = await startPostgresListener({
        connectionString: access.directDatabaseUrl ?? access.databaseUrl,
        name,
        channel,
        log,
        onNotification,
        onListening: onReconnect,
      });
      return { close: () => listening.stop() };
    },
    close: () => pool.end(),
  };
}

/**
 * Removes the statistic by which a fetch leaves out queues that run one job at a time. It is up to two minutes old, so
 * a new job would wait that long after the last one has finished. A unique index already keeps a second job from
 * starting.
 */
function forgetActiveSingletons(row: { singletonsActive?: unknown }): void {
  if (row.singletonsActive !== undefined) row.singletonsActive = null;
}
