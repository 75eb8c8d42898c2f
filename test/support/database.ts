import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../src/domain/embedded/start-embedded.ts';
import { migrate } from '../../supabase/migrate.ts';
import { readMigrations } from '../../supabase/migration-files.ts';

export interface TestDatabase {
  /** Behind the pooler for transactions at `TEST_POOLER_URL`, if there is one. */
  readonly url: string;
  /** Leads past the pooler. Left out where `url` does. */
  readonly directUrl?: string;
  drop(): Promise<void>;
}

/**
 * A migrated database of one's own: a clone on the server `TEST_DATABASE_URL` (any role that may create
 * databases), else an embedded one in memory. Take one per test file.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = serverUrl();
  return server === undefined ? startInMemory(await migratedArchive()) : cloneTemplate(server);
}

/** An empty database of one's own, on the same engine. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = serverUrl();
  return server === undefined
    ? startInMemory(await emptyArchive())
    : createOnServer(server, 'template0');
}

/** The settings with which a process of the service finds it. */
export function databaseSettings({ url, directUrl = url }: TestDatabase): Record<string, string> {
  return { DATABASE_URL: url, ...(directUrl !== url && { DIRECT_DATABASE_URL: directUrl }) };
}

/** The real Postgres the tests are to use, if any. */
export function serverUrl(): string | undefined {
  return process.env.TEST_DATABASE_URL || undefined;
}

async function startInMemory(archiveFile: string): Promise<TestDatabase> {
  const database = await startEmbedded({ dataDir: null, archiveFile });
  return { url: database.url, drop: () => database.stop() };
}

/** A migrated embedded database as a file, to start others with. */
export function migratedArchive(): Promise<string> {
  return cachedArchive('migrated', (url) => migrate(url));
}

function emptyArchive(): Promise<string> {
  return cachedArchive('empty', async () => {});
}

/** Made once and kept for the next runs: starting with it takes a fraction of what making it does. */
async function cachedArchive(
  name: string,
  prepare: (url: string) => Promise<unknown>,
): Promise<string> {
  const directory = join(tmpdir(), 'grounded-chat-test-databases');
  const file = join(directory, `${name}-${schemaHash()}.tar`);
  if (existsSync(file)) return file;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await removeOld(directory);
  const database = await startEmbedded({ dataDir: null });
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
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() })); // another run was faster
    if (Date.now() - mtimeMs > DAY_MS) await rm(file, { force: true });
  }
}

const DAY_MS = 86_400_000;

/** Changes with everything a migrated database depends on. */
function schemaHash(): string {
  const hash = createHash('sha256');
  for (const { file, sql } of readMigrations()) hash.update(`${file}\0${sql}\0`);
  for (const name of ['pglite', 'pglite-pgvector']) {
    const manifest = new URL(
      `../../node_modules/@electric-sql/${name}/package.json`,
      import.meta.url,
    );
    hash.update(readFileSync(manifest));
  }
  return hash.digest('hex').slice(0, 16);
}

async function cloneTemplate(server: string): Promise<TestDatabase> {
  const template = `grounded_template_${schemaHash()}`;
  await withAdmin(server, async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]); // until the connection ends
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [
      template,
    ]);
    if (rowCount) return;
    const unfinished = `${template}_unfinished`;
    await admin.query(`drop database if exists "${unfinished}" with (force)`);
    await admin.query(`create database "${unfinished}"`);
    await migrate(databaseUrl(server, unfinished));
    await admin.query(`alter database "${unfinished}" rename to "${template}"`);
  });
  return createOnServer(server, template);
}

const TEMPLATE_LOCK = 7_301_914;

async function createOnServer(server: string, template: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
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
        await admin.query(`drop database if exists "${name}" with (force)`);
      }),
  };
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
