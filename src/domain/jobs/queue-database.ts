import type { Db } from 'pg-boss';
import type { Logger } from 'pino';
import { type DatabaseAccess, openPool } from '../database-pool.ts';
import { startListening } from '../listen.ts';

/** What pg-boss does to the database. */
export interface QueueDatabase extends Required<Pick<Db, 'executeSql' | 'listen'>> {
  close(): Promise<void>;
}

/** Beside the connections of the requests, which may all be taken by them. */
const poolSize = 4;

/**
 * In place of pg-boss's own connections: its statements may go through a pooler, while it listens over a session of
 * its own, and like all others they take no longer than they may.
 */
export function openQueueDatabase(access: DatabaseAccess, log: Logger): QueueDatabase {
  const name = 'grounded-chat jobs';
  const pool = openPool(access, { name, size: poolSize });
  pool.on('error', (error) => log.warn({ err: error }, 'idle connection of the job queue lost'));
  return {
    executeSql: (text, values) => pool.query(text, values),
    async listen(channel, onNotification, onReconnect) {
      const listening = await startListening({
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
