import { randomBytes } from 'node:crypto';
import { startDatabaseThread } from './database-thread.ts';
import { databaseName, superuser } from './handshake.ts';
import { defaultLimits, type Limits } from './limits.ts';

export interface EmbeddedDatabaseOptions {
  /** Data directory. Created if missing, and locked while in use. Null: all data stays in memory. */
  dataDir: string | null;
  /**
   * Path of an archive that `archiveTo` wrote. It is restored into a new database. Ignored if the data directory
   * already contains a database.
   */
  archiveFile?: string;
  limits?: Partial<Limits>;
  onProgress?(message: string): void;
  /**
   * Called if the database exits although `stop()` was not called. By then all connections are closed, and new
   * connections fail.
   */
  onExit?(error: Error): void;
}

export interface EmbeddedDatabase {
  /** Connection URL for Postgres clients on this machine. Contains the password. */
  url: string;
  /** Writes a consistent copy of the database to a tar archive. Waits for open transactions. */
  archiveTo(file: string): Promise<void>;
  /** Closes all connections and the database. Safe to call more than once. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres in a worker thread of this process. Serves its wire protocol on a loopback port.
 * @throws DomainError CONFLICT when the data directory is in use, or was created by another major version of Postgres.
 * @throws Error when Postgres does not start.
 */
export async function startEmbeddedDatabase(
  options: EmbeddedDatabaseOptions,
): Promise<EmbeddedDatabase> {
  const password = randomBytes(24).toString('base64url');
  const thread = startDatabaseThread(
    {
      dataDir: options.dataDir,
      archiveFile: options.archiveFile,
      password,
      limits: { ...defaultLimits, ...options.limits },
    },
    options.onProgress,
  );
  const ready = await thread.waitFor('ready');
  let isStopping = false;
  thread.failed.catch((error: Error) => {
    if (!isStopping) options.onExit?.(error);
  });

  return {
    url: `postgresql://${superuser}:${password}@127.0.0.1:${ready.port}/${databaseName}`,
    async archiveTo(file) {
      const answer = thread.waitFor('archived', (archived) => archived.file === file);
      thread.send({ kind: 'archive', file });
      const { failure } = await answer;
      if (failure !== null) throw new Error(`cannot write ${file}: ${failure}`);
    },
    stop() {
      isStopping = true;
      return thread.stop(stopTimeoutMs);
    },
  };
}

/**
 * Maximum time to wait for a running statement, because it cannot be cancelled. After that time the thread is
 * terminated, which has the same effect as a killed process.
 */
const stopTimeoutMs = 15_000;
