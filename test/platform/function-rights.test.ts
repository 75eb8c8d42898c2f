import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

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

async function functionsWhere(condition: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select proname as name from pg_proc
     where pronamespace = 'grounded'::regnamespace and ${condition} order by 1`,
  );
  return rows.map(({ name }) => name);
}

test('no function of the service may be executed by everybody', async () => {
  expect(await functionsWhere('prosecdef')).toContain('tenant_projects');
  expect(await functionsWhere(`has_function_privilege('public', oid, 'execute')`)).toEqual([]);
});

test('every function fixes its search path', async () => {
  const isFixed = `coalesce(array_to_string(proconfig, ','), '') ~ '(^|,)search_path='`;
  expect(await functionsWhere(`not ${isFixed}`)).toEqual([]);
});

test('the functions of a search read the snapshot of their statement', async () => {
  const nearest = await functionsWhere(`proname like 'nearest%'`);
  expect(nearest).toHaveLength(4);
  expect(await functionsWhere(`proname like 'nearest%' and provolatile = 's'`)).toEqual(nearest);
});

test('the service writes through no view, because a view has no row-level security', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'grounded'::regnamespace and c.relkind = 'v'
       and has_table_privilege('grounded_service', c.oid, 'insert, update, delete')`,
  );
  expect(rows).toEqual([]);
});
