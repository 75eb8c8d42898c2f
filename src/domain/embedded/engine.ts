import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { createDurableFilesystem } from './durable-filesystem.ts';

/** Postgres itself: one session, which blocks its thread while it works. */
export type Engine = {
  /** Runs complete protocol messages; resolves to all the session answered. */
  execute(messages: Buffer): Promise<Buffer>;
  /** The data directory as a tar archive; outside transactions only. */
  dump(): Promise<Buffer>;
  close(): Promise<void>;
};

export type EngineOptions = {
  /** Made if absent; null keeps everything in memory. */
  directory: string | null;
  /** A `dump()` to begin with instead of an empty database. */
  archive?: Buffer;
  maxAnswerBytes: number;
  /** Called when the session broke down for good; must end the thread. */
  onDeath(reason: string): never;
};

/** The answer was cut off, so the state of the transaction is unknown. */
export class AnswerTooLarge extends Error {}

/** @throws AnswerTooLarge from `execute`. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const db = await startPostgres(options);
  endOnDeath(db, options.onDeath);

  return {
    async execute(messages) {
      const answer: Buffer[] = [];
      let size = 0;
      await db.execProtocolRawStream(messages, {
        syncToFs: false,
        onRawData(bytes) {
          size += bytes.length;
          if (size <= options.maxAnswerBytes) answer.push(Buffer.from(bytes));
        },
      });
      if (size > options.maxAnswerBytes) {
        throw new AnswerTooLarge(`answer of ${size} bytes exceeds ${options.maxAnswerBytes} bytes`);
      }
      return Buffer.concat(answer);
    },
    async dump() {
      return Buffer.from(await (await db.dumpDataDir('none')).arrayBuffer());
    },
    close: () => db.close(),
  };
}

/** Major version of the Postgres inside PGlite; a data directory of another one cannot be opened. */
export const POSTGRES_MAJOR = '18';

const SETTINGS = [
  'max_stack_depth=1MB',
  'wal_level=minimal',
  'max_wal_senders=0',
  'log_min_messages=fatal',
  'log_min_error_statement=panic',
];

/** Without a background writer, WAL up to max_wal_size is replayed at the start after a crash. */
const DURABLE = [
  'wal_sync_method=fsync',
  'max_wal_size=64MB',
  'min_wal_size=32MB',
  'shared_buffers=64MB',
];
const IN_MEMORY = ['shared_buffers=16MB', 'max_wal_size=32MB', 'synchronous_commit=off'];

async function startPostgres({ directory, archive }: EngineOptions): Promise<PGlite> {
  const lastWords: string[] = [];
  const isDurable = directory !== null;
  try {
    return await PGlite.create({
      ...(isDurable ? { fs: createDurableFilesystem(directory) } : { dataDir: 'memory://' }),
      ...(archive ? { loadDataDir: new Blob([new Uint8Array(archive)]) } : {}),
      extensions: { vector },
      startParams: [
        ...PGlite.defaultStartParams.filter((parameter) => !(isDurable && parameter === '-F')),
        ...[...SETTINGS, ...(isDurable ? DURABLE : IN_MEMORY)].flatMap((set) => ['-c', set]),
      ],
      onStderr(line) {
        lastWords.push(line);
        lastWords.splice(0, lastWords.length - 20);
        return false;
      },
    });
  } catch (cause) {
    throw new Error(`Postgres did not start: ${lastWords.join('\n') || String(cause)}`, { cause });
  }
}

/**
 * PGlite loops for ever when Postgres has exited or crashed (FATAL, PANIC, a WebAssembly trap): it
 * takes every exception of the main loop for a failed statement. Only the long jump is one.
 */
function endOnDeath(db: PGlite, onDeath: (reason: string) => never): void {
  const postgres = db.Module;
  const runOnce = postgres._PostgresMainLoopOnce;
  postgres._PostgresMainLoopOnce = () => {
    try {
      runOnce();
    } catch (error) {
      if (isLongJump(error)) throw error;
      onDeath(String(error));
    }
  };
}

/** POSTGRES_MAIN_LONGJMP in PGlite's pglite.ts. */
function isLongJump(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && error.status === 100;
}
