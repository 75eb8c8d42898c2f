import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { DomainError } from '../errors.ts';
import { createDurableFilesystem } from './durable-filesystem.ts';

/** Embedded Postgres with a single session. It blocks its thread while a statement runs. */
export interface Engine {
  /**
   * Runs complete protocol messages and resolves to all response bytes.
   * @throws ResponseTooLargeError when the response exceeds `maxResponseBytes`.
   */
  execute(messages: Buffer): Promise<Buffer>;
  /** Returns the data directory as a tar archive. Must not be called inside a transaction. */
  dump(): Promise<Buffer>;
  close(): Promise<void>;
}

export interface EngineOptions {
  /** Data directory. Created if missing. Null: all data stays in memory. */
  directory: string | null;
  /** Archive from `dump()`, to restore into a new database. Without an archive, a new database is empty. */
  archive?: Blob;
  maxResponseBytes: number;
  /** Called when Postgres has exited or crashed. It must terminate the thread, so it never returns. */
  onCrash(reason: string): never;
}

/**
 * Thrown when a response exceeds the size limit. The response is truncated, so the state of the transaction is unknown.
 */
export class ResponseTooLargeError extends Error {}

/** Opens the database in the current thread, and creates it if missing. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const db = await startPostgres(options);
  detectCrash(db, options.onCrash);

  return {
    async execute(messages) {
      const chunks: Buffer[] = [];
      let size = 0;
      await db.execProtocolRawStream(messages, {
        syncToFs: false,
        onRawData(bytes) {
          size += bytes.length;
          if (size <= options.maxResponseBytes) chunks.push(Buffer.from(bytes));
        },
      });
      if (size > options.maxResponseBytes) {
        throw new ResponseTooLargeError(
          `response of ${size} bytes exceeds ${options.maxResponseBytes} bytes`,
        );
      }
      return Buffer.concat(chunks);
    },
    async dump() {
      return Buffer.from(await (await db.dumpDataDir('none')).arrayBuffer());
    },
    close: () => db.close(),
  };
}

/** Major version of Postgres in PGlite. A data directory of another major version cannot be opened. */
export const postgresMajor = '18';

const commonSettings = [
  'max_stack_depth=1MB',
  'wal_level=minimal',
  'max_wal_senders=0',
  'log_min_messages=fatal',
  'log_min_error_statement=panic',
];

/**
 * Settings of a database on disk. `max_wal_size` is small, because after a crash Postgres replays up to that much of
 * the WAL: PGlite has no background process that writes checkpoints.
 */
const durableSettings = [
  'wal_sync_method=fsync',
  'max_wal_size=64MB',
  'min_wal_size=32MB',
  'shared_buffers=64MB',
];
const inMemorySettings = ['shared_buffers=16MB', 'max_wal_size=32MB', 'synchronous_commit=off'];

async function startPostgres({ directory, archive }: EngineOptions): Promise<PGlite> {
  const stderrTail: string[] = [];
  const isDurable = directory !== null;
  try {
    return await PGlite.create({
      ...(isDurable ? { fs: createDurableFilesystem(directory) } : { dataDir: 'memory://' }),
      ...(archive ? { loadDataDir: archive } : {}),
      extensions: { vector },
      startParams: [
        ...PGlite.defaultStartParams.filter((parameter) => !(isDurable && parameter === '-F')),
        ...[...commonSettings, ...(isDurable ? durableSettings : inMemorySettings)].flatMap(
          (set) => ['-c', set],
        ),
      ],
      onStderr(line) {
        stderrTail.push(line);
        stderrTail.splice(0, stderrTail.length - 20);
        return false;
      },
    });
  } catch (cause) {
    const reason = lastFailure(stderrTail) ?? stderrTail.at(-1) ?? String(cause);
    throw new DomainError(
      'UNAVAILABLE',
      `The embedded database did not start: ${reason}. Restore a backup of the data directory, or choose another one: DATA_DIR=./other npm start`,
      { cause },
    );
  }
}

/** Returns the text of the last line in which Postgres reports that it is stopping. */
function lastFailure(lines: readonly string[]): string | undefined {
  return lines
    .map((line) => /(?:FATAL|PANIC):\s*(.+)/.exec(line)?.[1])
    .findLast((text) => text !== undefined);
}

/**
 * Calls `onCrash` when Postgres exits or crashes (FATAL, PANIC or a WebAssembly trap). Without this, PGlite would loop
 * forever: it treats every exception of the main loop as a failed statement, although only a long jump means that a
 * statement failed.
 */
function detectCrash(db: PGlite, onCrash: (reason: string) => never): void {
  const postgres = db.Module;
  const runOnce = postgres._PostgresMainLoopOnce;
  postgres._PostgresMainLoopOnce = () => {
    try {
      runOnce();
    } catch (error) {
      if (isLongJump(error)) throw error;
      onCrash(String(error));
    }
  };
}

/**
 * Whether Postgres threw the exception to abort a failed statement. Its status is then POSTGRES_MAIN_LONGJMP (100) in
 * PGlite's pglite.ts.
 */
function isLongJump(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && error.status === 100;
}
