import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isStatementFault, isWriteOnReplica } from '../../src/platform/replicas/statement-fault.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

const fail = async (sql: string): Promise<unknown> => {
  await client.query('begin read only');
  const error = await client.query(sql).catch((reason: unknown) => reason);
  await client.query('rollback');
  return error;
};

test.each([
  ['22012', 'select 1 / 0'],
  ['22P02', `select 'x'::uuid`],
  ['42601', 'selec 1'],
  ['42P01', 'select from no_such_table'],
  ['42501', "set role grounded_service; select pg_read_file('x')"],
  ['0A000', 'select distinct on (1) 1 for update'],
  ['21000', 'select (select generate_series(1, 2))'],
  ['54011', `select ${Array(1_665).fill('1')}`],
  ['P0001', `do $$ begin raise exception 'refused'; end $$`],
  ['25006', 'delete from grounded.plans'],
])('an error %s is the fault of the statement', async (code, sql) => {
  const error = await fail(sql);
  expect(error).toMatchObject({ code });
  expect(isStatementFault(error)).toBe(true);
  expect(isWriteOnReplica(error)).toBe(code === '25006');
});

test.each([
  '08006',
  '08P01',
  '28P01',
  '3D000',
  '40001',
  '40P01',
  '53100',
  '53300',
  '55000',
  '57P01',
  '57P02',
  '57P03',
  '58030',
  'XX000',
])('an error %s is the fault of the replica', (code) => {
  const error = Object.assign(new pg.DatabaseError('x', 0, 'error'), { code });
  expect(isStatementFault(error)).toBe(false);
});

test('a statement that was cancelled is its own fault, also by its timeout', () => {
  const error = Object.assign(new pg.DatabaseError('x', 0, 'error'), { code: '57014' });
  expect(isStatementFault(error)).toBe(true);
});

test('a lost connection is the fault of the replica', async () => {
  const lost = new pg.Client({ connectionString: 'postgresql://127.0.0.1:1/none' });
  const error = await lost.connect().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(isStatementFault(error)).toBe(false);
  expect(isStatementFault(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).toBe(false);
});
