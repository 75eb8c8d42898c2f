import pg from 'pg';
import { DomainError } from '../src/domain/errors.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import { openInboxTopics } from './open-inbox-topics.ts';
import { requirePgvector } from './require-pgvector.ts';

export type MigrationReport = {
  /** Versions that were applied now, in order. */
  applied: string[];
  /** Versions applied earlier whose file has another text by now: the schema may not fit the code. */
  changed: string[];
};

/**
 * Brings the database to the newest schema: applies the files in `migrations/` it does not have yet,
 * each in a transaction. Keeps the record the Supabase CLI keeps, so that either may go on from the
 * other. Safe to run from several processes at once, and as any role that may create schemas.
 * @throws DomainError UNAVAILABLE without pgvector 0.8; CONFLICT when newer code has migrated this
 * database; Error naming file and line when a migration fails.
 */
export async function migrate(
  connectionString: string,
  migrations: readonly Migration[] = readMigrations(),
): Promise<MigrationReport> {
  const client = new pg.Client({
    connectionString,
    application_name: 'migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => {}); // a lost connection also fails the query that waits
  await client.connect();
  try {
    await requirePgvector(client);
    const applied: string[] = [];
    for (;;) {
      const version = await inTransaction(client, () => applyNext(client, migrations));
      if (version === undefined) break;
      applied.push(version);
    }
    await inTransaction(client, () => openInboxTopics(client));
    return { applied, changed: await findChanged(client, migrations) };
  } finally {
    await client.end();
  }
}

const CONNECT_TIMEOUT_MS = 10_000;
/** How long to wait for another process that migrates, or for one that uses a table to change. */
const LOCK_TIMEOUT_MS = 60_000;
/** Any number, the same in every process: 'migrate' read in base 36. */
const LOCK_KEY = 49_005_750_146;

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {}); // the connection may be gone: the first error counts
    throw error;
  }
}

/** Applies the first migration the database does not have; undefined when it has all. */
async function applyNext(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  await createRecord(client);
  const recorded = await readRecord(client);
  refuseNewer(recorded, migrations);
  const next = migrations.find(({ version }) => !recorded.has(version));
  if (!next) return undefined;
  try {
    await client.query(next.sql);
  } catch (error) {
    throw new Error(`migration ${next.file}${lineOf(error, next.sql)} failed: ${explain(error)}`, {
      cause: error,
    });
  }
  await client.query(
    `insert into supabase_migrations.schema_migrations (version, statements, name)
     values ($1, array[$2], $3)`,
    [next.version, next.sql, next.name],
  );
  return next.version;
}

/** As the Supabase CLI makes it; only when absent, for roles that may not create schemas. */
async function createRecord(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('supabase_migrations.schema_migrations') is not null as exists`,
  );
  if (rows[0]?.exists) return;
  await client.query(`
    create schema if not exists supabase_migrations;
    create table supabase_migrations.schema_migrations (
      version text not null primary key, statements text[], name text
    )`);
}

type Recorded = ReadonlyMap<string, { statements: string | null }>;

async function readRecord(client: pg.Client): Promise<Recorded> {
  const { rows } = await client.query<{ version: string; statements: string | null }>(
    `select version, array_to_string(statements, ';') as statements
     from supabase_migrations.schema_migrations`,
  );
  return new Map(rows.map(({ version, statements }) => [version, { statements }]));
}

/** The record may hold migrations of others, in a Supabase project for one; ours touch our schema. */
function refuseNewer(recorded: Recorded, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ version }) => version));
  const newer = [...recorded]
    .filter(
      ([version, { statements }]) => !known.has(version) && /\bgrounded\b/.test(statements ?? ''),
    )
    .map(([version]) => version);
  if (newer.length === 0) return;
  throw new DomainError(
    'CONFLICT',
    `This database was migrated by a newer version of the service (${newer.sort().join(', ')}). ` +
      'Start that version, or restore a backup from before.',
  );
}

async function findChanged(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  const recorded = await readRecord(client);
  return migrations
    .filter(({ version, sql }) => {
      const statements = recorded.get(version)?.statements;
      return statements != null && essence(statements) !== essence(sql);
    })
    .map(({ version }) => version);
}

/** The CLI stores single statements without the semicolons and blanks between them. */
function essence(sql: string): string {
  return sql.replace(/[\s;]+/g, '');
}

function lineOf(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError) || error.position === undefined) return '';
  return `:${sql.slice(0, Number(error.position) - 1).split('\n').length}`;
}

function explain(error: unknown): string {
  if (!(error instanceof pg.DatabaseError)) return String(error);
  return [error.message, error.detail, error.hint].filter(Boolean).join('. ');
}
