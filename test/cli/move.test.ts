import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type CommandResult, UsageError } from '../../src/cli/command.ts';
import type { MoveReport } from '../../src/cli/move/move-installation.ts';
import { leftOutTables } from '../../src/cli/move/tables.ts';
import { moveCommands } from '../../src/cli/move-command.ts';
import { readConfig } from '../../src/config/config.ts';
import { startEmbeddedDatabase } from '../../src/platform/embedded/start-embedded-database.ts';
import { newId } from '../../src/platform/ids.ts';
import { createSecretBox } from '../../src/platform/secrets/secret-box.ts';
import {
  createEmptyDatabase,
  createTestDatabase,
  serverUrl,
  type TestDatabase,
} from '../support/database/database.ts';
import { seedTables } from '../support/database/seed-tables.ts';
import { startSupabaseProject } from '../support/servers/supabase-project.ts';
import { startTestService } from '../support/service.ts';
import { directoryPrefix } from '../support/test-run.ts';
import { testSecretsKey } from '../support/test-secrets-key.ts';

// With TEST_DATABASE_URL, the Postgres is that server. Otherwise it is an embedded database in memory.

/** A new table must be here or in `leftOutTables`. Both lists are a decision: is it lost if the installation moves? */
const copiedTables = [
  ...['answer_days', 'answer_events', 'answer_traces', 'api_keys', 'audit_entries'],
  ...['budget_warnings', 'chunk_vectors', 'chunks'],
  ...['conversation_events', 'conversation_labels', 'conversation_notes', 'conversation_reads'],
  ...['conversations', 'documents', 'embedding_models', 'evaluation_results', 'evaluation_runs'],
  ...['evaluation_traces', 'handoff_satisfaction', 'handoffs'],
  ...['hidden_chunks', 'idempotency_keys', 'inbox_events', 'labels', 'members'],
  ...['message_feedback', 'messages', 'model_prices', 'operator_emails'],
  ...['operator_identities', 'organizations'],
  ...[
    'plans',
    'projects',
    'question_decisions',
    'question_sets',
    'saved_replies',
    'set_questions',
    'source_pages',
    'source_runs',
  ],
  ...['sources', 'storage_days', 'storage_usage', 'token_days', 'usage_days', 'usage_periods'],
  ...['webhook_attempts', 'webhook_deliveries', 'webhook_endpoints', 'webhook_events', 'widgets'],
];

const hardText = `NULL {"a",b} 'c' \\d \t\r\n ${'\u{1f600}'} é`;
const keyId = createSecretBox([Buffer.from(testSecretsKey, 'base64')]).currentKeyId;

let filled: TestDatabase;
/** Direct address: `move` needs the role that owns the tables. */
let filledUrl: string;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  filled = await createTestDatabase();
  filledUrl = directUrl(filled);
  const service = await startTestService({ database: filled });
  try {
    const { projectId, organizationId } = await seedTables(service);
    for (const statement of hardStatements(projectId, organizationId))
      await service.ownerPool.query(statement);
  } finally {
    await service.stop();
  }
  await query(filledUrl, waitingJobs);
}, 120_000);
afterAll(() => filled.drop());
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Rows whose values or references a careless copy changes or refuses. */
function hardStatements(projectId: string, organizationId: string): string[] {
  const text = pg.escapeLiteral(hardText);
  const [earlier, later] = [newId(), newId()];
  const question = (id: string) =>
    `select '${id}', conversation_id, project_id, ${id === earlier ? 1000 : 1001}, 'USER', ${text}
     from grounded.messages where project_id = '${projectId}' limit 1`;
  return [
    `update grounded.projects set instructions = ${text}, confidence_threshold = 0.1 + 0.2::float8 / 3,
       business_hours = '{"b": [1.0, null, "\\u00e9"], "a": {}}' where id = '${projectId}'`,
    `insert into grounded.messages (id, conversation_id, project_id, position, role, content) ${question(earlier)}`,
    `insert into grounded.messages (id, conversation_id, project_id, position, role, content) ${question(later)}`,
    `insert into grounded.question_decisions (message_id, project_id)
     values ('${earlier}', '${projectId}'), ('${later}', '${projectId}')`,
    `update grounded.question_decisions set merged_into = '${later}' where message_id = '${earlier}'`,
    // The first refers to the last, which is in a later batch.
    `insert into grounded.api_keys
       (id, organization_id, name, hash, prefix, last_four, scopes, created_by, creator_key_id)
     select md5('key' || n)::uuid, '${organizationId}', repeat('k', 20000), sha256(convert_to('key' || n, 'UTF8')),
       'sk', '0000', '{CHAT,KNOWLEDGE_READ}', 'system', case when n = 1 then md5('key200')::uuid end
     from generate_series(1, 200) n`,
    `update grounded.sources set secret = 'v1.${keyId}.c2VjcmV0' where project_id = '${projectId}'`,
    `insert into grounded.answer_events select id, 0, '{"text": "x"}' from grounded.messages where id = '${earlier}'`,
    `insert into grounded.operator_emails values (gen_random_uuid(), 'ada@example.com', '2026-01-01T00:00:00.123+02')`,
    `insert into grounded.operator_identities (issuer, subject, email) values (${text}, 's', 'ada@example.com')`,
    `insert into grounded.operator_sessions (hash, email, expires_at)
     values (sha256('s'), 'ada@example.com', now() + interval '1 day')`,
    `insert into grounded.storage_days values ('${organizationId}', '2020-02-29', 9007199254740993)`,
  ];
}

const waitingJobs = `
  insert into grounded_jobs.job (name, data, state) values
    ('deliver-webhook', '{"n": 1}', 'created'), ('ingest-document', '{"n": 2}', 'retry'),
    ('remove-file', '{"n": 3}', 'active'), ('remove-file', '{"n": 4}', 'completed'),
    ('close-stale-answers', '{}', 'created')`;

test('every table is copied or left out with a reason', async () => {
  const known = [...copiedTables, ...Object.keys(leftOutTables)].sort();
  expect(Object.keys(await readAllRows(filledUrl))).toEqual(known);
});

test('Postgres → embedded → Postgres: all rows and waiting jobs arrive', {
  timeout: 120_000,
}, async () => {
  const dataDir = await newDirectory();
  const secrets = { SECRETS_KEY: testSecretsKey };
  const first = await move('embedded', { DATABASE_URL: filledUrl, DATA_DIR: dataDir, ...secrets });
  expect(first.report.tables.filter(({ equal }) => !equal)).toEqual([]);
  expect(first.report.files).toBeNull();
  expect(first.report.secretKeys).toEqual([{ id: keyId, place: 'SECRETS_KEY' }]);
  expect(first.text).toContain(`the key ${keyId}, which is in SECRETS_KEY`);
  expect(first.text).not.toContain(testSecretsKey);

  const target = await databaseOfPlainRole();
  const second = await move(target.url, { DATA_DIR: dataDir });
  expect(second.isFailure).toBe(false);
  expect(second.report.secretKeys).toEqual([{ id: keyId, place: 'elsewhere' }]);
  expect(second.text).toMatch(/^documents +\d+ {2}yes$/m);

  const [before, after] = [await readAllRows(filledUrl), await readAllRows(target.url)];
  for (const table of copiedTables) {
    expect(before[table], table).not.toEqual([]);
    expect(after[table], table).toEqual(before[table]);
  }
  for (const table of Object.keys(leftOutTables)) expect(after[table], table).toEqual([]);
  const jobs = `select data->>'n' as n, state from grounded_jobs.job
    where name in ('deliver-webhook', 'ingest-document', 'remove-file') and data ? 'n' order by 1`;
  expect(await query(target.url, jobs)).toEqual([
    { n: '1', state: 'created' },
    { n: '2', state: 'retry' },
    { n: '3', state: 'active' },
  ]);
  expect(await query(target.url, schemaSql)).toEqual(await query(filledUrl, schemaSql));
  const [model] = await query(
    target.url,
    `insert into grounded.embedding_models (name, dimensions) values ('next', 8) returning id`,
  );
  expect(model?.id).toBeGreaterThan(1);

  const again = move(target.url, { DATA_DIR: dataDir });
  await expect(again).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringMatching(/already contains organizations\. Nothing was changed/),
  });
});

/** What the copy changes in its transaction. */
const schemaSql = `
  select t.tgname || t.tgenabled::text as text from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'grounded'::regnamespace and not tgisinternal
  union all select conname || condeferrable::text from pg_constraint where connamespace = 'grounded'::regnamespace
  order by 1`;

test('a target with an organization is refused before anything changes, also its schema', async () => {
  const target = await emptyDatabase();
  await query(
    target.url,
    `create schema grounded; create table grounded.organizations (n int); insert into grounded.organizations values (1)`,
  );
  await expect(
    move(target.url, { DATABASE_URL: filledUrl, DATA_DIR: await newDirectory() }),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(
    await query(
      target.url,
      `select relname from pg_class where relnamespace = 'grounded'::regnamespace`,
    ),
  ).toEqual([{ relname: 'organizations' }]);
});

test('a table that differs is reported, and the target stays as before', async () => {
  const target = await migratedDatabase();
  await query(
    target.url,
    `create rule spoil as on insert to grounded.saved_replies
     do also update grounded.saved_replies set content = 'spoiled'`,
  );
  const { isFailure, text, report } = await move(target.url, {
    DATABASE_URL: filledUrl,
    DATA_DIR: await newDirectory(),
  });
  expect(isFailure).toBe(true);
  expect(report.tables.filter(({ equal }) => !equal).map(({ table }) => table)).toEqual([
    'saved_replies',
  ]);
  expect(text).toMatch(/^saved_replies +1 {2}NO$/m);
  expect(text).toContain('The target is as before.');
  expect(await query(target.url, 'select from grounded.organizations')).toEqual([]);
});

test('an embedded database that a process uses is refused', async () => {
  const dataDir = await newDirectory();
  const running = await startEmbeddedDatabase({ dataDir: join(dataDir, 'postgres') });
  cleanUps.push(() => running.stop());
  const target = await emptyDatabase();
  await expect(move(target.url, { DATA_DIR: dataDir })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringMatching(/is in use by process \d+.*Stop that process first/),
  });
});

test('a data directory without a database is refused, and stays as it is', async () => {
  const dataDir = await newDirectory();
  const target = await emptyDatabase();
  await expect(move(target.url, { DATA_DIR: dataDir })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: `There is no organization to move in the embedded database in ${dataDir}.`,
  });
  expect(await readdir(dataDir)).toEqual([]);
});

test('the same database as source and target is refused, also by another name', async () => {
  const settings = { DATABASE_URL: filledUrl, DATA_DIR: await newDirectory() };
  const refusal = { code: 'CONFLICT', message: expect.stringContaining('the same database') };
  await expect(move(filledUrl, settings)).rejects.toMatchObject(refusal);
  if (serverUrl() === undefined) return; // the embedded database has one session
  const other = filledUrl.replace('127.0.0.1', 'localhost');
  await expect(move(other, settings)).rejects.toMatchObject(refusal);
});

test('a source whose role does not see all rows is refused', async () => {
  const url = new URL(filledUrl);
  url.username = `reader_${newId().replaceAll('-', '')}`;
  await query(
    filledUrl,
    `create role ${url.username} login; grant grounded_service to ${url.username}`,
  );
  cleanUps.push(() => query(filledUrl, `drop role ${url.username}`));
  const settings = { DATABASE_URL: url.href, DATA_DIR: await newDirectory() };
  await expect(move((await emptyDatabase()).url, settings)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/row-level security.*Use the role that owns the tables/),
  });
});

test.each([
  { to: 'mysql://127.0.0.1/x', error: '--to must be a Postgres URL' },
  { to: 'nonsense', error: 'or the word embedded' },
  { to: '', error: '--to is required' },
  { to: 'embedded', error: 'DATABASE_URL is not set' },
])('--to "$to" is wrong usage', async ({ to, error }) => {
  const failure = move(to, { DATA_DIR: await newDirectory() });
  await expect(failure).rejects.toThrow(UsageError);
  await expect(failure).rejects.toThrow(error);
});

test('a target that does not answer is named without its password', async () => {
  const failure = move('postgresql://ada:geheim@127.0.0.1:1/x', {
    DATABASE_URL: filledUrl,
    DATA_DIR: await newDirectory(),
  });
  await expect(failure).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'Cannot connect to the Postgres 127.0.0.1:1/x: connect ECONNREFUSED 127.0.0.1:1',
  });
});

test('a target may have several hosts, of which one must accept writes', async () => {
  const failure = move('postgresql://ada:geheim@127.0.0.1:1,127.0.0.1:2/x', {
    DATABASE_URL: filledUrl,
    DATA_DIR: await newDirectory(),
  });
  await expect(failure).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(
      /^Cannot connect to the Postgres 127.0.0.1:1, 127.0.0.1:2\/x: no host of the database accepts writes/,
    ),
  });
});

test('files go to the storage of the target, each verified by its hash', async () => {
  const project = await startSupabaseProject();
  cleanUps.push(() => project.close());
  const dataDir = await newDirectory();
  const source = await migratedDatabase();
  const contents = ['', 'one', 'two', 'damaged', 'missing', 'x'.repeat(300_000)];
  const [projectId, organizationId] = [newId(), newId()];
  await query(
    source.url,
    `insert into grounded.organizations (id, name) values ('${organizationId}', 'O');
     insert into grounded.projects (id, organization_id, name) values ('${projectId}', '${organizationId}', 'P')`,
  );
  await mkdir(join(dataDir, 'files', projectId), { recursive: true });
  const keys: string[] = [];
  for (const [index, content] of contents.entries()) {
    const [id, fileId] = [newId(), newId()];
    const hash = createHash('sha256').update(content).digest('hex');
    await query(
      source.url,
      `insert into grounded.documents
         (id, project_id, name, source_type, mime_type, size_bytes, content_hash, file_id)
       values ('${id}', '${projectId}', 'D', 'TEXT', 'text/plain', ${content.length}, '${hash}',
         ${index === 1 ? 'null' : `'${fileId}'`})`,
    );
    const name = index === 1 ? id : fileId;
    const stored = content === 'damaged' ? 'DAMAGED' : content;
    if (content !== 'missing') await writeFile(join(dataDir, 'files', projectId, name), stored);
    if (!['damaged', 'missing'].includes(content)) keys.push(`${projectId}/${name}`);
  }
  const settings = {
    ...{ DATABASE_URL: source.url, DATA_DIR: dataDir },
    ...{ SUPABASE_URL: project.url, SUPABASE_SECRET_KEY: project.secretKey },
  };
  const first = await move((await emptyDatabase()).url, settings);
  expect(first.report.files).toEqual({ copied: 4, present: 0, missing: 2 });
  expect(first.notes.filter((note) => note.includes('lacks the original'))).toHaveLength(2);
  const { objects } = project.storage.buckets.get('grounded-documents') ?? {};
  expect([...(objects?.keys() ?? [])].sort()).toEqual(keys.sort());

  const second = await move((await emptyDatabase()).url, settings);
  expect(second.report.files).toEqual({ copied: 0, present: 4, missing: 2 });
});

async function move(
  to: string,
  settings: Readonly<Record<string, string>>,
): Promise<CommandResult & { readonly report: MoveReport; readonly notes: string[] }> {
  const notes: string[] = [];
  const result = await moveCommands.move?.run(readConfig(settings), {
    ...{ argument: '', options: () => [], flag: () => false },
    option: (name) => (name === 'to' ? to : undefined),
    logProgress: (note) => notes.push(note),
    print: async () => {},
    printResult: async () => {},
  });
  if (!result) throw new Error('The command returned nothing.');
  return { ...result, report: result.json as MoveReport, notes };
}

/** Reads all rows of each table, independently of the order of rows and columns. */
async function readAllRows(url: string): Promise<Record<string, string[]>> {
  const tables = await query(
    url,
    `select relname from pg_class
     where relnamespace = 'grounded'::regnamespace and relkind in ('r', 'p') and not relispartition
     order by relname collate "C"`,
  );
  const found: Record<string, string[]> = {};
  for (const { relname } of tables) {
    const rows = await query(url, `select to_jsonb(t)::text as row from grounded.${relname} t`);
    found[String(relname)] = rows.map(({ row }) => String(row)).sort();
  }
  return found;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function emptyDatabase(): Promise<{ readonly url: string }> {
  const database = await createEmptyDatabase();
  cleanUps.push(() => database.drop());
  return { url: directUrl(database) };
}

/** Returns a migrated database. */
async function migratedDatabase(): Promise<{ readonly url: string }> {
  const database = await createTestDatabase();
  cleanUps.push(() => database.drop());
  return { url: directUrl(database) };
}

function directUrl({ url, directUrl = url }: TestDatabase): string {
  return directUrl;
}

/**
 * Returns an empty database as on Supabase: its owner is no superuser, pgvector is in a schema of its own, and Realtime
 * would broadcast inbox events. Here a broadcast fails.
 */
async function databaseOfPlainRole(): Promise<{ readonly url: string }> {
  const { url: direct } = await emptyDatabase();
  const role = `plain_${newId().replaceAll('-', '')}`;
  await query(
    direct,
    `create schema "of vectors"; create extension vector with schema "of vectors";
     create role ${role} login;
     do $$ begin create role grounded_service; exception when duplicate_object then null; end $$;
     grant grounded_service to ${role};
     grant usage on schema "of vectors" to ${role}, grounded_service;
     do $$ begin execute format('grant create on database %I to ${role}', current_database()); end $$;
     create schema realtime; grant usage on schema realtime to ${role};
     create function realtime.send(jsonb, text, text, boolean) returns void language plpgsql
       as $$ begin raise exception 'An event of the source is sent again'; end $$`,
  );
  cleanUps.push(() => query(direct, `drop owned by ${role} cascade; drop role ${role}`));
  const url = new URL(direct);
  url.username = role;
  return { url: url.href };
}

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), directoryPrefix()));
  cleanUps.push(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
