import type { Db } from 'pg-boss';
import type { Logger } from 'pino';
import { type DatabaseSettings, openPool } from '../postgres/database-pool.ts';
import { startPostgresListener } from '../postgres/postgres-listener.ts';

/** Database adapter for pg-boss. */
export interface QueueDatabase extends Required<Pick<Db, 'executeSql' | 'listen'>> {
  close(): Promise<void>;
}

/** Number of connections. Separate from those for requests, because requests may use all of theirs. */
const poolSize = 4;

/**
 * Opens the database connections of pg-boss. Its statements use `databaseUrl`, which may be a pooler, and have the
 * statement timeout of the service. LISTEN uses a direct connection.
 */
export function openQueueDatabase(access: DatabaseSettings, log: Logger): QueueDatabase {
  const name = 'grounded-chat jobs';
  const pool = openPool(access, { name, size: poolSize });
  pool.on('error', (error) => log.warn({ err: error }, 'idle job queue connection lost'));
  return {
    executeSql: (text, values) => pool.query(text, values),
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
