import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vacuumDueTables } from '../../src/platform/embedded/autovacuum.ts';
import type { RunSql } from '../../src/platform/embedded/session-settings.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database/database.ts';

describe('the maintenance of the embedded database', () => {
  let database: TestDatabase;
  let client: pg.Client;
  const runSql: RunSql = async (text) => {
    const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array' });
    return rows;
  };
  const maintain = () => vacuumDueTables((work) => work(runSql), new AbortController().signal);

  beforeAll(async () => {
    database = await createEmptyDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('keeps a frequently updated table from growing', async () => {
    await runSql('create table "Jobs" (id int primary key, content text)');
    await runSql(`insert into "Jobs" select n, repeat('x', 500) from generate_series(1, 500) n`);
    const size = async () => Number((await runSql(`select pg_relation_size('"Jobs"')`))[0]?.[0]);
    const updateAll = async () => {
      await runSql(`update "Jobs" set content = content`);
      await maintain();
    };
    await updateAll();
    const sizeBytes = await size();
    for (let round = 0; round < 5; round += 1) await updateAll();
    expect(await size()).toBeLessThanOrEqual(sizeBytes * 1.5);
  });

  it('updates the planner statistics of a table', async () => {
    await runSql('create table known (n int)');
    await runSql('insert into known select n % 3 from generate_series(1, 2000) n');
    await maintain();
    const statistics = `select c.reltuples::int, s.n_distinct::int
      from pg_class c join pg_stats s on s.tablename = c.relname where c.relname = 'known'`;
    expect(await runSql(statistics)).toEqual([[2_000, 3]]);
  });
});
