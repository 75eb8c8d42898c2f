import pg from 'pg';
import { DomainError } from '../src/platform/errors.ts';
import { createClient } from '../src/platform/postgres/connection-options.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import { openInboxTopics } from './open-inbox-topics.ts';
import {
  hasReplacedMigrations,
  lastBaselineVersion,
  replacedVersions,
} from './replaced-migrations.ts';
import { requirePgvector, requireUsage } from './require-pgvector.ts';

export type MigrationReport = {
  /** Versions applied by this run, in order. */
  applied: string[];
  /** Versions that were applied earlier and whose file has changed since. The schema may not match the code. */
  changed: string[];
};

/**
 * Applies the pending files of `migrations/`, each in its own transaction. Records them in the same table as the
 * Supabase CLI, so that either tool can apply the next migrations. Safe to run from several processes at once, and as
 * any role that may create schemas.
 * @throws DomainError UNAVAILABLE when pgvector 0.8 is missing
 * @throws DomainError CONFLICT when newer code has migrated this database, or it lacks migrations that were replaced
 * @throws Error with file and line when a migration fails
 */
export async function migrate(
  databaseUrl: string,
  migrations: readonly Migration[] = readMigrations(),
): Promise<MigrationReport> {
  const client = createClient(databaseUrl, {
    application_name: 'migrate',
    connectionTimeoutMillis: connectTimeoutMs,
  });
  client.on('error', () => {}); // A lost connection also rejects the pending query.
  await client.connect();
  try {
    await inTransaction(client, () => requirePgvector(client));
    await inTransaction(client, () => prepareRecords(client, migrations));
    const applied: string[] = [];
    for (;;) {
      const version = await inTransaction(client, () => applyNext(client, migrations));
      if (version === undefined) break;
      applied.push(version);
    }
    await inTransaction(client, () => openInboxTopics(client));
    if (await hasServiceRole(client)) await requireUsage(client, "'grounded_service'");
    return { applied, changed: await findChanged(client, migrations) };
  } finally {
    await client.end();
  }
}

const connectTimeoutMs = 10_000;
/** Maximum time to wait for a lock. Another process may be migrating, or using a table that a migration changes. */
const lockTimeoutMs = 60_000;
/** Arbitrary lock id, the same in every process: 'migrate' in base 36. */
const lockKey = 49_005_750_146;

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    // Hosted services give their roles a statement timeout, which a migration of large tables may exceed.
    await client.query(
      `set local statement_timeout = 0; set local lock_timeout = ${lockTimeoutMs}`,
    );
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {}); // Fails if the connection is lost. The original error matters.
    throw error;
  }
}

/** Whether the migration that lets the role `grounded_service` read vectors is applied. */
async function hasServiceRole(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_policies where schemaname = 'grounded' and tablename = 'chunk_vectors'`,
  );
  return rows.length > 0;
}

/**
 * Creates the table of applied migrations if it is absent. Replaces records from before the baseline by those of the
 * baseline, whose schema is the same.
 */
async function prepareRecords(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await createMigrationsTable(client);
  const recorded = await readAppliedMigrations(client);
  if (!hasReplacedMigrations(recorded)) return;
  const others = [...recorded].filter(([version]) => !replacedVersions.includes(version));
  requireNotNewer(new Map(others), migrations);
  await client.query('delete from supabase_migrations.schema_migrations where version = any ($1)', [
    replacedVersions,
  ]);
  for (const migration of migrations) {
    if (migration.version <= lastBaselineVersion) await record(client, migration);
  }
}

/** Applies the first pending migration and returns its version. Returns undefined if none is pending. */
async function applyNext(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  const applied = await readAppliedMigrations(client);
  requireNotNewer(applied, migrations);
  const next = migrations.find(({ version }) => !applied.has(version));
  if (!next) return undefined;
  try {
    await client.query(next.sql);
  } catch (error) {
    throw new Error(
      `migration ${next.file}${errorLine(error, next.sql)} failed: ${describeDatabaseError(error)}`,
      {
        cause: error,
      },
    );
  }
  await record(client, next);
  return next.version;
}

async function record(client: pg.Client, { version, sql, name }: Migration): Promise<void> {
  await client.query(
    `insert into supabase_migrations.schema_migrations (version, statements, name)
     values ($1, array[$2], $3)`,
    [version, sql, name],
  );
}

/**
 * Creates the table of applied migrations as the Supabase CLI does. Checks first, because some roles may not create
 * schemas.
 */
async function createMigrationsTable(client: pg.Client): Promise<void> {
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

type AppliedMigrations = ReadonlyMap<string, { statements: string | null }>;

async function readAppliedMigrations(client: pg.Client): Promise<AppliedMigrations> {
  const { rows } = await client.query<{ version: string; statements: string | null }>(
    `select version, array_to_string(statements, ';') as statements
     from supabase_migrations.schema_migrations`,
  );
  return new Map(rows.map(({ version, statements }) => [version, { statements }]));
}

/**
 * Throws CONFLICT if newer code has migrated this database. Ignores migrations that do not mention our schema, because
 * they belong to other applications in the same database.
 */
function requireNotNewer(recorded: AppliedMigrations, migrations: readonly Migration[]): void {
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
      'Start that version, or restore a backup from before the migration.',
  );
}

async function findChanged(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  const recorded = await readAppliedMigrations(client);
  return migrations
    .filter(({ version, sql }) => {
      const statements = recorded.get(version)?.statements;
      return statements != null && normalizeSql(statements) !== normalizeSql(sql);
    })
    .map(({ version }) => version);
}

/** Removes semicolons and white space, because the Supabase CLI stores single statements without those between them. */
function normalizeSql(sql: string): string {
  return sql.replace(/[\s;]+/g, '');
}

function errorLine(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError) || error.position === undefined) return '';
  return `:${sql.slice(0, Number(error.position) - 1).split('\n').length}`;
}

function describeDatabaseError(error: unknown): string {
  if (!(error instanceof pg.DatabaseError)) return String(error);
  return [error.message, error.detail, error.hint].filter(Boolean).join('. ');
}
