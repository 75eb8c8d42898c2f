import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobs } from '../../src/server/jobs.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { tableBounds as bounds, type TableBound } from '../support/database/table-bounds.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.directUrl ?? database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

async function names(sql: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(sql);
  return rows.map(({ name }) => name);
}

test('every table has a bound', async () => {
  const tables = await names(
    `select relname as name from pg_class
     where relnamespace = 'grounded'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  expect(tables.sort()).toEqual(Object.keys(bounds).sort());
});

test('triggers count exactly the tables that count in the storage, for each kind of change', async () => {
  const counted = Object.keys(bounds).filter((table) => bounds[table] === 'STORAGE');
  for (const trigger of ['count_inserted', 'count_updated', 'count_deleted']) {
    const tables = await names(
      `select relname as name from pg_trigger join pg_class c on c.oid = tgrelid where tgname = '${trigger}'`,
    );
    expect(tables.sort()).toEqual(counted);
  }
  const withBytes = await names(
    `select table_name as name from information_schema.columns
     where table_schema = 'grounded' and column_name = 'stored_bytes'`,
  );
  expect(withBytes.sort()).toEqual(counted);
});

test('the bytes of a counted row include each of its texts', async () => {
  // Names of models and agents, and the texts of messages that the allowance bounds.
  const notCounted: Readonly<Record<string, readonly string[]>> = {
    evaluation_runs: ['bounds', 'error', 'failed_bounds', 'figures', 'judge_model'],
    conversation_notes: ['author'],
    handoffs: ['claimed_by'],
    messages: ['author', 'author_name', 'citations', 'content', 'model', 'model_tokens'],
  };
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.columns bytes
       on bytes.table_schema = c.table_schema and bytes.table_name = c.table_name and bytes.column_name = 'stored_bytes'
     where c.table_schema = 'grounded' and c.data_type in ('text', 'jsonb', 'ARRAY', 'bytea')
       and position(c.column_name in coalesce(bytes.generation_expression, '')) = 0
     order by 1, 2`,
  );
  const missing = rows.filter(({ table, column }) => !(notCounted[table] ?? []).includes(column));
  expect(missing).toEqual([]);
});

test('jobs delete the rows of tables that are bounded by age', () => {
  const known = new Set(jobs.map(({ name }) => name));
  const named = Object.values(bounds).flatMap((bound) =>
    typeof bound === 'object' && 'AGE' in bound ? [bound.AGE] : [],
  );
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('each chain of parents ends at a table with a bound of its own, or of the operator', () => {
  for (const table of Object.keys(bounds)) {
    const seen = new Set<string>();
    for (let at: string | undefined = table; at !== undefined; ) {
      expect(seen.has(at), `${table} is its own parent`).toBe(false);
      seen.add(at);
      const bound: TableBound | undefined = bounds[at];
      expect(bound, `${at} of ${table}`).toBeDefined();
      if (typeof bound !== 'object') break;
      at = 'PARENT' in bound ? bound.PARENT : 'COUNT' in bound ? bound.of : undefined;
    }
  }
});
