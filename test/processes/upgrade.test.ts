import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { migrate } from '../../supabase/migrate.ts';
import { createEmptyDatabase, databaseSettings } from '../support/database/database.ts';
import { runCli } from '../support/programs/run-cli.ts';
import { startServiceProcess } from '../support/programs/service-process.ts';
import { callRest } from '../support/releases/fill-installation.ts';
import { readInstallation } from '../support/releases/read-installation.ts';
import { type RecordedRelease, unpackRelease } from '../support/releases/unpack-release.ts';
import { directoryPrefix } from '../support/test-run.ts';

const releases = await readdir(new URL('../fixtures/releases', import.meta.url));
/** Tables whose rows an upgrade changes: 0.2.0 counts more kinds of rows as storage. */
const recountedTables = ['storage_usage', 'storage_days'];

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

describe.each(releases)('an installation of release %s', { timeout: 180_000 }, (release) => {
  test('on the embedded database is upgraded by its start: everything is read as before, and answered', async () => {
    const dataDir = await newFolder();
    const recorded = await unpackRelease(release, 'embedded', dataDir);
    await expectUpgraded({ DATA_DIR: dataDir }, recorded);
  });

  test('restored from a dump is upgraded: no row changes, everything is read as before, and answered', async () => {
    const dataDir = await newFolder();
    const recorded = await unpackRelease(release, 'postgres', dataDir);
    const database = await createEmptyDatabase();
    cleanUps.push(() => database.drop());
    const { url, directUrl = url } = database;
    await restore(directUrl, await readFile(join(dataDir, 'database.sql'), 'utf8'));
    const before = await readRows(directUrl);
    expect(Object.keys(before).length).toBeGreaterThan(30);
    expect(await migrate(directUrl)).toMatchObject({ changed: [] });
    const after = await readRows(directUrl);
    for (const [table, rows] of Object.entries(before))
      if (!recountedTables.includes(table))
        expect({ table, rows: rowsWithColumns(after[table], rows) }).toEqual({ table, rows });
    const key = (await readFile(join(dataDir, 'secrets-key'), 'utf8')).trim();
    const settings = { ...databaseSettings(database), DATA_DIR: dataDir, SECRETS_KEY: key };
    await expectUpgraded(settings, recorded);
  });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), directoryPrefix()));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Starts this version on an older installation. Its old key must read the recorded results, and get right answers.
 */
async function expectUpgraded(
  settings: Record<string, string>,
  { key, read }: RecordedRelease,
): Promise<void> {
  const service = await startServiceProcess(settings);
  cleanUps.push(() => service.stop());
  const { token } = await runCli(['token', '--role', 'service_role'], settings);
  const installation = { url: service.url, key, token };
  expect(await readInstallation(installation)).toMatchObject(read);
  for (const [message, expected] of [
    ['How many days of paid leave do full-time staff have?', /28 days/],
    ['When does the pool open on working days?', /7:30/],
    ['What is the capital of France?', /^Ask at reception\.$/],
  ] as const) {
    const { content } = await callRest<{ content: string }>(installation, 'POST', '/chat', {
      message,
    });
    expect(content).toMatch(expected);
  }
}

/** Executes a dump in SQL. The lines with a backslash are for psql. */
async function restore(url: string, dump: string): Promise<void> {
  await query(
    url,
    `do $$ begin create role grounded_service nologin; exception when duplicate_object then null; end $$`,
  );
  await query(url, dump.replace(/^\\.*$/gm, ''));
}

type Rows = Record<string, Record<string, unknown>[]>;

/** Returns the rows of all tables of the service, sorted. */
async function readRows(url: string): Promise<Rows> {
  const tables = await query<{ name: string }>(
    url,
    `select relname as name from pg_class where relnamespace = 'grounded'::regnamespace and relkind = 'r' order by 1`,
  );
  const rows: Rows = {};
  for (const { name } of tables) {
    const found = await query<{ row: Record<string, unknown> }>(
      url,
      `select to_jsonb(t) as row from grounded.${name} t order by t::text collate "C"`,
    );
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}

/** Returns the rows with only those columns that the old rows have. */
function rowsWithColumns(rows: Rows[string] = [], old: Rows[string]): Rows[string] {
  const columns = Object.keys(old[0] ?? {});
  return rows.map((row) =>
    Object.fromEntries(columns.flatMap((name) => (name in row ? [[name, row[name]]] : []))),
  );
}

async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}
