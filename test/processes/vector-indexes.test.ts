import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/domain/evaluation/seeded-random.ts';
import { buildVectorIndexes } from '../../src/domain/knowledge/ingestion/build-vector-indexes.ts';
import { ensureEmbeddingModel } from '../../src/domain/knowledge/ingestion/embedding-model-row.ts';
import { requestVectorIndex } from '../../src/domain/knowledge/ingestion/request-vector-index.ts';
import { readCorpusStatistics } from '../../src/domain/knowledge/retrieval/corpus-statistics.ts';
import {
  maxScannedVectors,
  vectorLiteral,
} from '../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { clusteredVectors } from '../benchmark/clustered-vectors.ts';
import { generatePassages } from '../benchmark/generated-passages.ts';
import {
  findProjects,
  type GeneratedProject,
  loadProjects,
  projectSizes,
} from '../benchmark/load-projects.ts';
import {
  listReadPartitions,
  questionsFor,
  recallAtTen,
  searchLatency,
} from '../benchmark/measure-search.ts';
import { createTestDatabase, serverUrl, type TestDatabase } from '../support/database/database.ts';
import { countVectorIndexScans } from '../support/database/vector-index-scans.ts';

// A small version of test/benchmark/growth.ts. The embedded database has no vector indexes, so it runs fewer tests.
const isEmbedded = serverUrl() === undefined;
const total = isEmbedded ? 2_000 : 15_000;
const largest = isEmbedded ? 1_000 : 12_000;
const dimensions = 48;
const random = seededRandom(7);
const vectors = clusteredVectors(random, { dimensions, clusters: 40, intrinsic: 20 });
const passages = generatePassages(random, 300);
const log = pino({ level: 'silent' });
const signal = new AbortController().signal;

let database: TestDatabase;
let pool: pg.Pool;
let modelId: number;
let projects: GeneratedProject[];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({
    connectionString: database.url,
    max: 4,
    options: '-c search_path= -c grounded.tenant=system',
  });
  modelId = await ensureEmbeddingModel(pool, { name: 'generated', dimensions });
  const sizes = projectSizes({ total, projects: 40, largest, smallest: 20 });
  await loadProjects(pool, { sizes, modelId, vectors, passages, random });
  await pool.query('analyze grounded.chunks, grounded.chunk_vectors');
  projects = await findProjects(pool);
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

function ask(project: GeneratedProject | undefined, count: number) {
  if (project === undefined) throw new Error('no project');
  return questionsFor(project, { count, random, vectors, passages });
}

/** Returns a statement that writes the first or the last vector of a project again. */
const insertChunkSql = (order: 'asc' | 'desc') => `
  update grounded.chunk_vectors set embedding = embedding
  where project_id = $1 and chunk_id = (
    select chunk_id from grounded.chunk_vectors where project_id = $1 order by chunk_id ${order} limit 1)`;

async function vectorIndexes(): Promise<{ name: string; isValid: boolean; scans: number }[]> {
  const { rows } = await pool.query(
    `select c.relname as name, x.indisvalid as "isValid", coalesce(s.idx_scan, 0)::int as scans
     from pg_index x join pg_class c on c.oid = x.indexrelid
     left join pg_stat_all_indexes s on s.indexrelid = c.oid
     where c.relname ~ '_hnsw_' order by name`,
  );
  return rows;
}

describe.skipIf(isEmbedded)('the vector index', () => {
  test('of an interrupted build is removed and rebuilt, without blocking writers', async () => {
    const writer = await pool.connect();
    const breaking = new AbortController();
    await writer.query('begin');
    await writer.query(insertChunkSql('asc'), [projects[0]?.id]);
    const broken = buildVectorIndexes({ pool, signal: breaking.signal, log });
    await expect.poll(vectorIndexes).toMatchObject([{ isValid: false }]);
    // While one process builds the index, another process skips it, and writes do not wait for it.
    expect(await buildVectorIndexes({ pool, signal, log })).toBe(0);
    await pool.query(insertChunkSql('desc'), [projects[0]?.id]);
    breaking.abort();
    await expect(broken).rejects.toThrow('cancel');
    await writer.query('rollback');
    writer.release();

    expect(await buildVectorIndexes({ pool, signal, log })).toBe(1);
    expect(await vectorIndexes()).toMatchObject([{ isValid: true }]);
    expect(await buildVectorIndexes({ pool, signal, log })).toBe(0);
  });

  test('is used for the large project and not for a small one', async () => {
    const scansFor = async (project: GeneratedProject | undefined) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const corpus = { projectId: project?.id ?? '', modelId };
        const most = maxScannedVectors(await readCorpusStatistics(client, corpus, []));
        const before = await countVectorIndexScans(client);
        await client.query(
          'select from grounded.nearest_vectors($1, $2::smallint, $3::text::grounded.embedding, $4, 100, 100)',
          [project?.id, modelId, vectorLiteral(vectors.draw(0, random)), most],
        );
        return (await countVectorIndexScans(client)) - before;
      } finally {
        await client.query('rollback');
        client.release();
      }
    };
    expect(await scansFor(projects[0])).toBe(1);
    expect(await scansFor(projects[1])).toBe(0);
    expect(await scansFor(projects.at(-1))).toBe(0);
  });

  test('is requested when a large project without one receives a document', async () => {
    const requested: string[] = [];
    const queue = {
      enqueue: async (_db: unknown, job: { readonly name: string }) =>
        void requested.push(job.name),
    };
    const request = (project: GeneratedProject | undefined, hasWaitingDocuments = false) =>
      requestVectorIndex({ database: pool, pool, db: pool, queue } as never, project?.id ?? '', {
        hasWaitingDocuments,
      });
    await request(projects[0]);
    await request(projects.at(-1));
    expect(requested).toEqual([]);
    const [index] = await vectorIndexes();
    await pool.query(`drop index grounded.${index?.name}`);
    await request(projects.at(-1));
    // More documents of this project are waiting. Building the index after them is faster than adding each of them to
    // it.
    await request(projects[0], true);
    expect(requested).toEqual([]);
    await request(projects[0]);
    expect(requested).toEqual(['build-vector-indexes']);
    expect(await buildVectorIndexes({ pool, signal, log })).toBe(1);
  });

  test.each(['RETIRED', 'CANDIDATE'])('is deleted with a model that is %s', async (status) => {
    await pool.query('update grounded.embedding_models set status = $1', [status]);
    expect(await buildVectorIndexes({ pool, signal, log })).toBe(0);
    expect(await vectorIndexes()).toEqual([]);
    await pool.query(`update grounded.embedding_models set status = 'ACTIVE'`);
    expect(await buildVectorIndexes({ pool, signal, log })).toBe(1);
  });
});

test.runIf(isEmbedded)('the embedded database scans exactly: no index is built', async () => {
  expect(await buildVectorIndexes({ pool, signal, log })).toBe(0);
  expect(await vectorIndexes()).toEqual([]);
});

test('every project receives the requested number of rows', async () => {
  for (const project of projects) {
    for (const limit of [10, 20]) {
      const options = { clients: 1, limit };
      const { fewestHits } = await searchLatency(pool, modelId, ask(project, 1), options);
      expect(fewestHits).toBe(limit);
    }
  }
}, 60_000);

test.each([
  ['largest', 0],
  ['smallest', -1],
])(
  'the %s project receives at least 97 of 100 nearest vectors',
  async (_, at) => {
    const questions = ask(projects.at(at), 50);
    expect(await recallAtTen(pool, modelId, questions)).toBeGreaterThanOrEqual(0.97);
  },
  60_000,
);

test('a search reads one partition of each table, whatever the size of its project', async () => {
  for (const project of [projects[0], projects[20], projects.at(-1)]) {
    const [question] = ask(project, 1);
    if (question === undefined) throw new Error('no question');
    const kinds = (await listReadPartitions(pool, modelId, question)).map((name) =>
      name.replace(/\d+$/, ''),
    );
    expect(kinds).toEqual(['chunk_vectors_p', 'chunks_p']);
  }
});
