import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedDatabase } from '../../../src/platform/embedded/start-embedded-database.ts';
import { queueSettings } from '../../../src/platform/jobs/install-queue.ts';
import { startQueue } from '../../../src/platform/jobs/queue.ts';
import { jobs } from '../../../src/server/jobs.ts';
import { migrate } from '../../../supabase/migrate.ts';
import { readMigrations } from '../../../supabase/migration-files.ts';
import { databasePrefix } from '../test-run.ts';
import { waitUntil } from '../wait-until.ts';
import { databaseAccessFor } from './database-access.ts';

export interface TestDatabase {
  /** Connection URL. If `TEST_POOLER_URL` is set, uses its transaction pooler. */
  readonly url: string;
  /** URL of a direct connection. Undefined if `url` already connects directly. */
  readonly directUrl?: string;
  drop(): Promise<void>;
}

/**
 * Creates a migrated database. If `TEST_DATABASE_URL` is set, the database is on that server, and the role must be able
 * to create databases. Otherwise it is embedded, in memory. Create one per test file.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = serverUrl();
  return server === undefined ? startInMemory(await migratedArchive()) : cloneTemplate(server);
}

/** Creates an empty database on the same engine as `createTestDatabase`. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = serverUrl();
  return server === undefined
    ? startInMemory(await emptyArchive())
    : createOnServer(server, 'template0');
}

/** Returns the settings with which a service process connects to the database. */
export function databaseSettings({ url, directUrl = url }: TestDatabase): Record<string, string> {
  return { DATABASE_URL: url, ...(directUrl !== url && { DIRECT_DATABASE_URL: directUrl }) };
}

/** Returns the URL of the Postgres server for tests, or undefined for the embedded database. */
export function serverUrl(): string | undefined {
  return process.env.TEST_DATABASE_URL || undefined;
}

/** Returns the read replicas of the database: the server of `TEST_REPLICA_URL`, or none if it is not set. */
export function replicasOf({ url, directUrl = url }: TestDatabase) {
  const server = process.env.TEST_REPLICA_URL;
  if (!server) return [];
  const databaseName = new URL(directUrl).pathname.slice(1);
  return [{ databaseUrl: databaseUrl(server, databaseName), usesTransactionPooler: false }];
}

async function startInMemory(archiveFile: string): Promise<TestDatabase> {
  const database = await startEmbeddedDatabase({ dataDir: null, archiveFile });
  return { url: database.url, drop: () => database.stop() };
}

/**
 * Returns an archive of a migrated embedded database that includes the tables of the job queue. New databases are
 * restored from this archive.
 */
export async function migratedArchive(): Promise<string> {
  const archiveFile = await emptyArchive();
  return cachedArchive(`migrated-${schemaHash()}`, { archiveFile, prepare: prepareTables });
}

/** Returns an archive of an empty embedded database. */
export function emptyArchive(): Promise<string> {
  return cachedArchive(`empty-${hashOf(engineFiles)}`, { prepare: async () => {} });
}

/**
 * Returns an archive from the cache, or creates the archive. Restoring an archive is much faster than preparing a
 * database.
 */
async function cachedArchive(
  name: string,
  {
    archiveFile,
    prepare,
  }: { readonly archiveFile?: string; readonly prepare: (url: string) => Promise<void> },
): Promise<string> {
  const directory = join(tmpdir(), 'grounded-chat-test-databases');
  const file = join(directory, `${name}.tar`);
  if (existsSync(file)) return file;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await removeOld(directory);
  const database = await startEmbeddedDatabase({ dataDir: null, archiveFile });
  try {
    await prepare(database.url);
    await database.archiveTo(file);
  } finally {
    await database.stop();
  }
  return file;
}

async function removeOld(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const file = join(directory, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() })); // deleted by a concurrent run
    if (Date.now() - mtimeMs > dayMs) await rm(file, { force: true });
  }
}

const dayMs = 86_400_000;

/** Returns a hash of all files on which a migrated database depends. */
function schemaHash(): string {
  return hashOf([...engineFiles, ...queueFiles], readMigrations(), queueSettings(jobs));
}

const engineFiles = ['@electric-sql/pglite', '@electric-sql/pglite-pgvector'].map(manifestOf);
const queueFiles = [
  'src/platform/jobs/queue.ts',
  'src/platform/jobs/install-queue.ts',
  manifestOf('pg-boss'),
];

function manifestOf(dependency: string): string {
  return `node_modules/${dependency}/package.json`;
}

function hashOf(
  files: readonly string[],
  migrations: readonly { readonly file: string; readonly sql: string }[] = [],
  settings: object = {},
): string {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for (const { file, sql } of migrations) hash.update(`${file}\0${sql}\0`);
  for (const path of files) hash.update(readFileSync(new URL(`../../../${path}`, import.meta.url)));
  return hash.digest('hex').slice(0, 16);
}

/** Creates all tables but no job schedules, because the service adds its schedules at each start. */
async function prepareTables(url: string): Promise<void> {
  await migrate(url);
  const log = pino({ level: 'silent' });
  const queue = await startQueue({
    ...{ jobs, access: databaseAccessFor({ url }), isWorker: false, log },
  });
  await queue.stop();
}

async function cloneTemplate(server: string): Promise<TestDatabase> {
  const template = `grounded_template_${schemaHash()}`;
  await withAdmin(server, async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [templateLockKey]); // released when the connection closes
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [
      template,
    ]);
    if (rowCount) return;
    const unfinished = `${template}_unfinished`;
    await admin.query(`drop database if exists "${unfinished}" with (force)`);
    await admin.query(`create database "${unfinished}"`);
    await prepareTables(databaseUrl(server, unfinished));
    await admin.query(`alter database "${unfinished}" rename to "${template}"`);
  });
  return createOnServer(server, template);
}

const templateLockKey = 7_301_914;

async function createOnServer(server: string, template: string): Promise<TestDatabase> {
  const name = `${databasePrefix()}${randomUUID().replaceAll('-', '')}`;
  await withAdmin(server, (admin) =>
    admin.query(`create database "${name}" template "${template}"`),
  );
  const directUrl = databaseUrl(server, name);
  const pooler = process.env.TEST_POOLER_URL;
  return {
    url: pooler ? databaseUrl(pooler, name) : directUrl,
    directUrl,
    drop: () =>
      withAdmin(server, async (admin) => {
        await waitForSessions(admin, name);
        await admin.query(`drop database if exists "${name}" with (force)`);
      }),
  };
}

const maxSessionWaitMs = 2_000;

/**
 * Waits until all sessions of a database have ended. A session ends shortly after its client has closed it. If the
 * database were dropped by force before that, the client would receive an error that no test handles. Sessions that
 * stay open, such as those of a pooler, are then ended by force.
 */
async function waitForSessions(admin: pg.Client, database: string): Promise<void> {
  const count = 'select count(*)::int as open from pg_stat_activity where datname = $1';
  const haveEnded = async () => {
    const { rows } = await admin.query<{ open: number }>(count, [database]);
    return rows[0]?.open === 0;
  };
  await waitUntil(haveEnded, { timeoutMs: maxSessionWaitMs, intervalMs: 10 }).catch(() => {});
}

/** Drops the databases that this test run created on the server and has not dropped yet. */
export async function dropDatabases(): Promise<void> {
  await withAdmin(serverUrl() ?? '', async (admin) => {
    const { rows } = await admin.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [databasePrefix()],
    );
    for (const { name } of rows) {
      await admin.query(`drop database if exists "${name}" with (force)`);
    }
  });
}

async function withAdmin<T>(server: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: server, connectionTimeoutMillis: 10_000 });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
