import type { Db } from 'pg-boss';
import type { Logger } from 'pino';
import { type DatabaseSettings, openPool } from '../postgres/database-pool.ts';
import { startPostgresListener } from '../postgres/postgres-listener.ts';

/** Database adapter for pg-boss. */
export interface QueueDatabase extends Required<Pick<Db, 'executeSql' | 'listen'>> {
  close(): Promise<void>;
}

/**
 * Opens the database connections of pg-boss. Its statements use `databaseUrl`, which may be the URL of a pooler, and
 * the statement timeout of the service. LISTEN uses a direct connection. Requests have their own connections, because
 * they may use up all of them.
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
      // The result is an array if the text contains several statements.
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
 * Removes a statistic about running jobs that a fetch uses to skip queues that run one job at a time. The statistic is
 * up to two minutes old, so a new job would wait that long after the previous job has finished. A unique index already
 * prevents a second job from starting.
 */
function forgetActiveSingletons(row: { singletonsActive?: unknown }): void {
  if (row.singletonsActive !== undefined) row.singletonsActive = null;
}
