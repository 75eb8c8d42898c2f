import { randomBytes } from 'node:crypto';
import { startDatabaseThread } from './database-thread.ts';
import { DATABASE, SUPERUSER } from './handshake.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';

export type EmbeddedOptions = {
  /** Made if absent and locked while in use; null keeps everything in memory. */
  dataDir: string | null;
  /** Begins a new database with what `archiveTo` wrote; an existing one is left as it is. */
  archiveFile?: string;
  limits?: Partial<Limits>;
  onProgress?(message: string): void;
  /** The database ended without `stop()`: every connection is gone and none can be made. */
  onExit?(error: Error): void;
};

export type Embedded = {
  /** For any Postgres client on this machine; holds the password. */
  url: string;
  /** Writes the whole database to a tar archive, between two transactions. */
  archiveTo(file: string): Promise<void>;
  /** Ends all connections and closes the database. Safe to call again. */
  stop(): Promise<void>;
};

/**
 * Starts Postgres inside this process, in a thread of its own, with its wire protocol on loopback.
 * @throws DomainError CONFLICT when the data directory is in use or of another Postgres version;
 * Error when Postgres does not start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const password = randomBytes(24).toString('base64url');
  const thread = startDatabaseThread(
    {
      dataDir: options.dataDir,
      archiveFile: options.archiveFile,
      password,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
    },
    options.onProgress,
  );
  const ready = await thread.expect('ready');
  let isStopping = false;
  thread.failed.catch((error: Error) => {
    if (!isStopping) options.onExit?.(error);
  });

  return {
    url: `postgresql://${SUPERUSER}:${password}@127.0.0.1:${ready.port}/${DATABASE}`,
    async archiveTo(file) {
      const answer = thread.expect('archived', (archived) => archived.file === file);
      thread.tell({ kind: 'archive', file });
      const { failure } = await answer;
      if (failure !== null) throw new Error(`cannot write ${file}: ${failure}`);
    },
    stop() {
      isStopping = true;
      return thread.stop(STOP_TIMEOUT_MS);
    },
  };
}

/** A statement that runs cannot be interrupted; after this, it is, as if the process were killed. */
const STOP_TIMEOUT_MS = 15_000;
