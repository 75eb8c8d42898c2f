import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { migrate } from '../../supabase/migrate.ts';
import { readMigrations } from '../../supabase/migration-files.ts';
import { createEmptyDatabase, serverUrl } from '../support/database/database.ts';

/** Path of the Supabase CLI. `test/support/supabase-cli.sh` installs it. */
const cli = process.env.SUPABASE_CLI || undefined;
const canRun = cli !== undefined && serverUrl() !== undefined;

describe.skipIf(!canRun)('the Supabase CLI (needs SUPABASE_CLI and TEST_DATABASE_URL)', () => {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  const versions = readMigrations().map(({ version }) => version);

  async function newDatabase() {
    const { url, drop } = await createEmptyDatabase();
    cleanUps.push(drop);
    const run = async (sql: string) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows;
      } finally {
        await client.end();
      }
    };
    return { url, run };
  }

  test('pushes migrations that our runner then finds applied and unchanged', async () => {
    const { url } = await newDatabase();
    await supabase('db', 'push', `--remote=${url}`, '--yes');
    expect(await migrate(url)).toEqual({ applied: [], changed: [] });
    expect(await supabase('db', 'push', `--remote=${url}`, '--yes')).toContain('is up to date');
  });

  test('recognizes the migrations applied by our runner, and continues after them', async () => {
    const { url } = await newDatabase();
    await migrate(url, readMigrations().slice(0, 3));
    const pushed = await supabase('db', 'push', `--remote=${url}`, '--yes');
    expect(applied(pushed)).toEqual(versions.slice(3));
    expect(await migrate(url)).toEqual({ applied: [], changed: [] });
    const list = await supabase('migration', 'list', `--remote=${url}`);
    for (const version of versions) expect(list).toMatch(pairOf(version));
  });

  test('pushes as a role that is no superuser', async () => {
    const { url, run } = await newDatabase();
    const role = `pusher_${randomUUID().slice(0, 8)}`;
    await run(`create schema extensions; create extension vector with schema extensions;
      create role ${role} login createrole; grant usage on schema extensions to ${role}; do $$ begin
        if not exists (select from pg_roles where rolname = 'grounded_service') then
          create role grounded_service;
        end if;
        execute format('grant create on database %I to ${role}', current_database()); end $$;
      grant grounded_service to ${role}`);
    cleanUps.push(() => run(`drop owned by ${role} cascade; drop role ${role}`));
    const asRole = new URL(url);
    asRole.username = role;
    const pushed = await supabase('db', 'push', `--remote=${asRole.href}`, '--yes');
    expect(applied(pushed)).toEqual(versions);
  });

  test("lints our functions without findings, except Realtime's absence here and results by query", async () => {
    const { url } = await newDatabase();
    await migrate(url);
    const output = await supabase(
      ...['db', 'lint', `--remote=${url}`, '--schema', 'grounded', '--level', 'warning'],
    );
    const found = [...output.matchAll(/"message": "(.*)",?$/gm)].map(([, message]) => message);
    const known = /^schema \\"realtime\\" does not exist$|^OUT variable .* is maybe unmodified$/;
    expect(output).toContain('Linting schema: grounded');
    expect(found.filter((message) => !known.test(message ?? ''))).toEqual([]);
  });

  test('gives no advice, except for a function that we add to see that it advises', async () => {
    const { url, run } = await newDatabase();
    await run(readFileSync(resolve(import.meta.dirname, '../support/realtime-schema.sql'), 'utf8'));
    await migrate(url);
    await run('create function grounded.control() returns integer language sql return 1');
    const advice: unknown = JSON.parse(
      (await supabase('db', 'advisors', `--remote=${url}`)).replace(/^[^[]*/, ''),
    );
    if (!Array.isArray(advice)) throw new Error('no list of advice');
    expect(advice.map(({ name, metadata }) => `${name} ${metadata.name}`)).toEqual([
      'function_search_path_mutable control',
    ]);
  });
});

async function supabase(...args: string[]): Promise<string> {
  const workdir = resolve(import.meta.dirname, '../..');
  const env = { ...process.env, DO_NOT_TRACK: '1', SUPABASE_TELEMETRY_DISABLED: '1' };
  const { stdout, stderr } = await promisify(execFile)(cli ?? '', ['--workdir', workdir, ...args], {
    env,
    timeout: 60_000,
  });
  return args[1] === 'advisors' ? stdout : stdout + stderr;
}

function applied(output: string): (string | undefined)[] {
  return [...output.matchAll(/Applying migration (\d{14})_/g)].map((match) => match[1]);
}

/** Matches a line that has the migration version in both columns of the list. */
function pairOf(version: string): RegExp {
  return new RegExp(`${version}\\W+${version}`);
}
