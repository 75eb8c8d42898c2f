import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { migrate } from '../../supabase/migrate.ts';
import { type Migration, readMigrations } from '../../supabase/migration-files.ts';
import { lastBaselineVersion, replacedVersions } from '../../supabase/replaced-migrations.ts';
import { createEmptyDatabase } from '../support/database/database.ts';

// With TEST_DATABASE_URL, these tests run on a real Postgres. Otherwise they run on the embedded database.
describe('migrate', { timeout: 60_000 }, () => {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  async function newDatabase() {
    const database = await createEmptyDatabase();
    cleanUps.push(() => database.drop());
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    cleanUps.push(() => client.end());
    const rows = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;
    return { url: database.url, rows };
  }

  const record =
    'select version, name, statements from supabase_migrations.schema_migrations order by 1';

  it('updates an empty database to the latest schema, and changes nothing on a second run', async () => {
    const { url, rows } = await newDatabase();
    const files = readMigrations();
    const versions = files.map(({ version }) => version);
    expect(await migrate(url)).toEqual({ applied: versions, changed: [] });
    expect(await migrate(url)).toEqual({ applied: [], changed: [] });
    expect(await rows(record)).toEqual(
      files.map(({ version, name, sql }) => ({ version, name, statements: [sql] })),
    );
  });

  it('applies each migration once if several processes start together', async () => {
    const { url } = await newDatabase();
    const reports = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    const applied = reports.flatMap((report) => report.applied).sort();
    expect(applied).toEqual(readMigrations().map(({ version }) => version));
  });

  it('continues from the migrations applied by the Supabase CLI', async () => {
    const { url, rows } = await newDatabase();
    await rows(`create schema supabase_migrations;
      create table supabase_migrations.schema_migrations (version text not null primary key);
      alter table supabase_migrations.schema_migrations add column statements text[], add name text;
      insert into supabase_migrations.schema_migrations (version, name, statements)
      values ('20260101000000', 'a', array['create table a (n int)', 'create table b (n int)']);
      create table a (n int); create table b (n int)`);
    const report = await migrate(url, [
      migration('20260101000000_a', 'create table a (n int);\n\ncreate table b (n int);\n'),
      migration('20260101000001_c', 'create table c (n int);'),
    ]);
    expect(report).toEqual({ applied: ['20260101000001'], changed: [] });
  });

  it('reports an applied migration whose file was changed', async () => {
    const { url } = await newDatabase();
    await migrate(url, [migration('20260101000000_a', 'create table a (n int);')]);
    const report = await migrate(url, [migration('20260101000000_a', 'create table a (n text);')]);
    expect(report).toEqual({ applied: [], changed: ['20260101000000'] });
  });

  it('rejects a database migrated by newer code, and changes nothing', async () => {
    const { url, rows } = await newDatabase();
    const old = migration('20260101000000_a', 'create table a (n int);');
    const future = migration('20300101000000_b', 'create schema grounded;');
    await migrate(url, [old, future]);
    await expect(migrate(url, [old, migration('20260101000001_c', 'select 1')])).rejects.toThrow(
      'newer version of the service (20300101000000)',
    );
    expect(await rows(record)).toHaveLength(2);
  });

  it('ignores the migrations of other applications', async () => {
    const { url } = await newDatabase();
    await migrate(url, [migration('20300101000000_theirs', 'create table theirs (n int);')]);
    const report = await migrate(url, [
      migration('20260101000000_ours', 'create schema grounded;'),
    ]);
    expect(report).toEqual({ applied: ['20260101000000'], changed: [] });
  });

  it('rolls back a failed migration, keeps earlier ones, and names file and line', async () => {
    const { url, rows } = await newDatabase();
    const migrations = [
      migration('20260101000000_good', 'create table good (n int);'),
      migration('20260101000001_bad', 'create table bad (n int);\n\nselect nonsense from bad;'),
      migration('20260101000002_never', 'create table never (n int);'),
    ];
    await expect(migrate(url, migrations)).rejects.toThrow(
      /20260101000001_bad\.sql:3 failed: .*column "nonsense" does not exist/,
    );
    expect(await rows(`select tablename from pg_tables where schemaname = 'public'`)).toEqual([
      { tablename: 'good' },
    ]);
    expect(await rows('select version from supabase_migrations.schema_migrations')).toEqual([
      { version: '20260101000000' },
    ]);
  });

  it('is not bound by the statement timeout of its role', async () => {
    const { url } = await newDatabase();
    const limited = new URL(url);
    limited.searchParams.set('options', '-c statement_timeout=1000');
    const slow = migration('20260101000000_slow', 'select pg_sleep(2)');
    expect(await migrate(limited.href, [slow])).toMatchObject({ applied: ['20260101000000'] });
  });

  it('runs dollar-quoted bodies unchanged', async () => {
    const { url, rows } = await newDatabase();
    const body = `declare n int := 1; begin n := n + 1; return n; -- $not$ ; \n end;`;
    const sql = `create function two() returns int language plpgsql as $body$ ${body} $body$;`;
    await migrate(url, [migration('20260101000000_f', sql)]);
    expect(await rows('select two()')).toEqual([{ two: 2 }]);
  });

  it('works with a role that may only create schemas, if pgvector and the service role exist', async () => {
    const { url, rows } = await newDatabase();
    const role = `migrator_${randomUUID().slice(0, 8)}`;
    await rows('create schema extensions; create extension vector with schema extensions');
    await rows(`create role ${role} login; do $$ begin create role grounded_service; exception
      when duplicate_object then null; end $$; grant grounded_service to ${role};
      grant usage on schema extensions to ${role}, grounded_service; do $$ begin
      execute format('grant create on database %I to ${role}', current_database()); end $$`);
    cleanUps.push(() => rows(`drop owned by ${role} cascade; drop role ${role}`));
    const asRole = new URL(url);
    asRole.username = role;
    expect((await migrate(asRole.href)).applied).toHaveLength(readMigrations().length);
    expect(await migrate(asRole.href)).toEqual({ applied: [], changed: [] });
  });

  describe('in a database from before the baseline', () => {
    const baseline = readMigrations().filter(({ version }) => version <= lastBaselineVersion);

    /** Returns a database with the schema of the baseline and some rows. Its migration records name `versions`. */
    async function oldDatabase(versions: readonly string[]) {
      const database = await newDatabase();
      await migrate(database.url, baseline);
      await database.rows(`insert into grounded.organizations (id, name)
        values ('${randomUUID()}', 'Museum'); delete from supabase_migrations.schema_migrations;
        insert into supabase_migrations.schema_migrations
        select unnest('{${versions.join()}}'::text[]), '{select from grounded.plans}', 'old'`);
      return database;
    }

    const objects = `select 'organization' as kind, id::text, name, xmin::text from grounded.organizations
      union all select 'relation', oid::text, relname, relfilenode::text from pg_class
      where relnamespace = 'grounded'::regnamespace
      union all select 'function', oid::text, proname, xmin::text from pg_proc
      where pronamespace = 'grounded'::regnamespace
      order by 1, 2`;
    const records = baseline.map(({ version, name, sql }) => ({
      version,
      name,
      statements: [sql],
    }));

    it('replaces the records of all earlier migrations once, and changes neither schema nor rows', async () => {
      const { url, rows } = await oldDatabase(replacedVersions);
      const before = await rows(objects);
      expect(await migrate(url, baseline)).toEqual({ applied: [], changed: [] });
      expect(await rows(record)).toEqual(records);
      expect(await rows(objects)).toEqual(before);
      expect(before.filter(({ kind }) => kind === 'organization')).toHaveLength(1);
      const xmin = 'select version, xmin::text from supabase_migrations.schema_migrations';
      const written = await rows(xmin);
      expect(await migrate(url, baseline)).toEqual({ applied: [], changed: [] });
      expect(await rows(xmin)).toEqual(written);
    });

    it('keeps the records of other applications, and applies migrations that are newer than the baseline', async () => {
      const { url, rows } = await oldDatabase(replacedVersions);
      const theirs = `('20260101000000', '{create table theirs (n int)}', 'theirs')`;
      await rows(`insert into supabase_migrations.schema_migrations values ${theirs}`);
      const newer = migration('20300101000000_newer', 'create table grounded.newer (n int)');
      const report = await migrate(url, [...baseline, newer]);
      expect(report).toEqual({ applied: ['20300101000000'], changed: [] });
      expect((await rows(record)).map(({ name }) => name)).toEqual([
        'theirs',
        ...records.map(({ name }) => name),
        'newer',
      ]);
    });

    it('works if several processes start together', async () => {
      const { url, rows } = await oldDatabase(replacedVersions);
      const reports = await Promise.all([1, 2, 3].map(() => migrate(url, baseline)));
      expect(reports.flatMap(({ applied }) => applied)).toEqual([]);
      expect(await rows(record)).toEqual(records);
    });

    it.each([
      ['the last is missing', replacedVersions.slice(0, -1)],
      ['only the first is applied', replacedVersions.slice(0, 1)],
    ])('refuses if %s, names the guide, and changes nothing', async (_name, versions) => {
      const { url, rows } = await oldDatabase(versions);
      const before = await rows(record);
      await expect(migrate(url)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringMatching(
          `^This database is older than version 0.1.0: it has ${versions.length} of the ${replacedVersions.length} migrations .*operations.md`,
        ),
      });
      expect(await rows(record)).toEqual(before);
    });

    it('refuses if newer code has migrated it since, and changes nothing', async () => {
      const { url, rows } = await oldDatabase([...replacedVersions, '20300101000000']);
      await expect(migrate(url)).rejects.toThrow('newer version of the service (20300101000000)');
      expect(await rows(record)).toHaveLength(replacedVersions.length + 1);
    });

    it('is refused by earlier code afterwards', async () => {
      const { url } = await oldDatabase(replacedVersions);
      await migrate(url, baseline);
      await expect(migrate(url, [migration('20260101000000_a', 'select 1')])).rejects.toThrow(
        `newer version of the service (${records.map(({ version }) => version).join(', ')})`,
      );
    });
  });

  it('explains what to do if pgvector is missing or too old', async () => {
    const { url, rows } = await newDatabase();
    await rows(`create schema fake; create table fake.pg_available_extensions
      (name text, default_version text, installed_version text)`);
    const faked = new URL(url);
    faked.searchParams.set('options', '-c search_path=fake,pg_catalog');
    const find = (available: string, installed: string) =>
      rows(`truncate fake.pg_available_extensions;
        insert into fake.pg_available_extensions values ('vector', ${available}, ${installed})`);
    await expect(migrate(faked.href, [])).rejects.toThrow('lacks the extension pgvector');
    await find(`'0.7.4'`, 'null');
    await expect(migrate(faked.href, [])).rejects.toThrow('has pgvector 0.7.4, and needs 0.8');
    await find(`'0.8.1'`, `'0.5.0'`);
    await expect(migrate(faked.href, [])).rejects.toThrow('alter extension vector update');
    await find(`'1.0.0'`, 'null');
    await expect(migrate(faked.href, [])).resolves.toEqual({ applied: [], changed: [] });
  });
});

function migration(file: string, sql: string): Migration {
  const [version = '', name = ''] = file.split(/_(.*)/);
  return { file: `${file}.sql`, version, name, sql };
}
