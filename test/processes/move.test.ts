import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startEmbeddedDatabase } from '../../src/platform/embedded/start-embedded-database.ts';
import { restClient } from '../support/api/rest-client.ts';
import {
  createEmptyDatabase,
  databaseSettings,
  type TestDatabase,
} from '../support/database/database.ts';
import { runCli } from '../support/programs/run-cli.ts';
import { startServiceProcess } from '../support/programs/service-process.ts';
import { directoryPrefix } from '../support/test-run.ts';

const chunks = 10_000;

let dataDir: string;
let key: string;
let target: TestDatabase;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), directoryPrefix()));
  target = await createEmptyDatabase();
  const service = await startServiceProcess({ DATA_DIR: dataDir });
  key = service.key ?? '';
  await service.stop();
  await onSource((client) => client.query(manyChunks));
}, 180_000);
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});
afterAll(async () => {
  await target?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Adds copies of a chunk of the demo document, each with another vector. */
const manyChunks = `
  with copy as (
    select *, md5('chunk' || n)::uuid as new_id
    from (select * from grounded.chunks limit 1) c, generate_series(1, ${chunks}) n
  ), added as (
    insert into grounded.chunks
      (id, project_id, document_id, position, content, context, start_offset, end_offset, token_count, terms, length, attempt)
    select new_id, project_id, document_id, 1000 + n, content, context, start_offset, end_offset, token_count, terms,
      length, attempt
    from copy
  )
  insert into grounded.chunk_vectors (project_id, chunk_id, model_id, embedding)
  select project_id, new_id, 1,
    (select array_agg(sin(n * i)::real / 14) from generate_series(1, 384) i)::vector
  from copy`;

test('a killed move leaves the target empty, and the next one moves everything', {
  timeout: 240_000,
}, async () => {
  await killWhenCopying();
  expect(await onTarget((client) => client.query('select from grounded.organizations'))).toEqual(
    [],
  );

  const startedAt = performance.now();
  const report = await runCli(['move', '--to', target.directUrl ?? target.url], {
    DATA_DIR: dataDir,
  });
  process.stdout.write(`moved ${chunks} chunks in ${performance.now() - startedAt} ms\n`);
  expect(report.tables.filter(({ equal }: { equal: boolean }) => !equal)).toEqual([]);
  const [moved] = await onTarget((client) => client.query(hashSql));
  expect([moved]).toEqual(await onSource((client) => client.query(hashSql)));
  expect(moved?.rows).toBeGreaterThan(chunks);

  const service = await startServiceProcess({ ...databaseSettings(target), DATA_DIR: dataDir });
  cleanUps.push(() => service.stop());
  const found = await restClient(`${service.url}/api/v1`, key).post('/knowledge/search', {
    query: 'What is this service?',
  });
  expect(found.status).toBe(200);
  expect((await found.json()).results.length).toBeGreaterThan(0);
});

const hashSql = `
  select count(*)::integer as rows, md5(string_agg(row, '' order by row)) as hash
  from (select md5((to_jsonb(c) || jsonb_build_object('vector', v.embedding::text))::text) as row
    from grounded.chunks c join grounded.chunk_vectors v on v.project_id = c.project_id and v.chunk_id = c.id) r`;

/** Starts the command, and kills it when it has sent the chunks, and not yet all of their vectors. */
async function killWhenCopying(): Promise<void> {
  const child = spawn(
    process.execPath,
    ['dist/src/cli/cli.js', 'move', '--to', target.directUrl ?? target.url],
    { env: { PATH: process.env.PATH, DATA_DIR: dataDir }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.startsWith('chunks: ')) child.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
}

async function onSource(work: Work): Promise<Record<string, unknown>[]> {
  const database = await startEmbeddedDatabase({ dataDir: join(dataDir, 'postgres') });
  try {
    return await withClient(database.url, work);
  } finally {
    await database.stop();
  }
}

function onTarget(work: Work): Promise<Record<string, unknown>[]> {
  return withClient(target.directUrl ?? target.url, work);
}

type Work = (client: pg.Client) => Promise<pg.QueryResult>;

async function withClient(url: string, work: Work): Promise<Record<string, unknown>[]> {
  // pgvector may be in the schema `extensions`.
  const client = new pg.Client({
    connectionString: url,
    options: '-c search_path=public,extensions',
  });
  await client.connect();
  try {
    return (await work(client)).rows;
  } finally {
    await client.end();
  }
}
