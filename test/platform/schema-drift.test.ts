import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

/** Tables that only raw SQL uses, so schema.prisma does not contain them. */
const rawTables = [
  'answer_days',
  'answer_events',
  'budget_warnings',
  'caller_windows',
  'chunk_vectors',
  'chunks',
  'document_changes',
  'embedding_models',
  'hidden_chunks',
  'idempotency_keys',
  'model_prices',
  'operator_emails',
  'operator_identities',
  'operator_sessions',
  'rate_windows',
  'replica_beats',
  'request_windows',
  'sign_in_links',
  'storage_days',
  'storage_usage',
  'token_days',
  'usage_days',
  'usage_periods',
  'visitor_windows',
];

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
}

const nativeTypes: Readonly<Record<string, string>> = {
  String: 'text',
  Boolean: 'boolean',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Bytes: 'bytea',
  Json: 'jsonb',
  Uuid: 'uuid',
  Timestamptz: 'timestamp with time zone(3)',
};

const prismaSchema = readFileSync('supabase/schema.prisma', 'utf8');
const enums = mapOfBlocks('enum', (lines) => lines.map((line) => line.trim()));
const models = mapOfBlocks('model', (lines) => lines.flatMap(columnOf));

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

test('schema.prisma contains the tables of the migrations, except those used only by raw SQL', async () => {
  const { rows } = await client.query(
    `select relname as name from pg_class
     where relnamespace = 'grounded'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...models.keys(), ...rawTables].sort());
});

test('row-level security is enabled on every table', async () => {
  const { rows } = await client.query(
    `select relname from pg_class
     where relnamespace = 'grounded'::regnamespace and relkind in ('r', 'p') and not relrowsecurity`,
  );
  expect(rows).toEqual([]);
});

test.each([...models])('%s has the columns of schema.prisma', async (table, columns) => {
  const { rows } = await client.query(
    `select column_name as name, is_nullable = 'YES' as "isNullable",
       case when data_type = 'USER-DEFINED' then udt_name
            when data_type = 'ARRAY' then substr(udt_name, 2) || '[]'
            when datetime_precision is not null then data_type || '(' || datetime_precision || ')'
            else data_type end as type
     from information_schema.columns where table_schema = 'grounded' and table_name = $1`,
    [table],
  );
  const byName = (a: Column, b: Column) => a.name.localeCompare(b.name);
  expect(rows.sort(byName)).toEqual([...columns].sort(byName));
});

test.each([...enums])('%s has the values of schema.prisma', async (name, values) => {
  const { rows } = await client.query(
    `select e.enumlabel as value from pg_enum e join pg_type t on t.oid = e.enumtypid
     where t.typname = $1 order by e.enumsortorder`,
    [name],
  );
  expect(rows.map(({ value }) => value)).toEqual(values);
});

/** Returns the blocks of one kind in the Prisma schema, by their names in the database. */
function mapOfBlocks<T>(kind: string, read: (lines: string[]) => T): Map<string, T> {
  const blocks = prismaSchema.matchAll(new RegExp(`^${kind} \\w+ \\{\\n(.*?)^\\}`, 'gms'));
  return new Map(
    [...blocks].map(([, body = '']) => {
      const lines = body.split('\n').filter((line) => line.trim() !== '');
      const name = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '';
      return [name, read(lines.filter((line) => !line.trim().startsWith('@@')))];
    }),
  );
}

/** Returns the column of a field, or an empty array for a relation. */
function columnOf(line: string): Column[] {
  const [, field = '', type = '', mark = ''] = /^\s*(\w+)\s+(\w+)(\?|\[\])?/.exec(line) ?? [];
  const native = /@db\.(\w+)/.exec(line)?.[1];
  const column = nativeTypes[native ?? type] ?? enumName(type);
  if (column === undefined) return [];
  return [
    {
      name: /@map\("(\w+)"\)/.exec(line)?.[1] ?? field,
      type: mark === '[]' ? `${column}[]` : column,
      isNullable: mark === '?',
    },
  ];
}

function enumName(type: string): string | undefined {
  return new RegExp(`^enum ${type} \\{.*?@@map\\("(\\w+)"\\)`, 'ms').exec(prismaSchema)?.[1];
}
