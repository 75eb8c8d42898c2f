import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../src/domain/evaluation/seeded-random.ts';
import { buildVectorIndexes } from '../../src/domain/knowledge/ingestion/build-vector-indexes.ts';
import { ensureEmbeddingModel } from '../../src/domain/knowledge/ingestion/embedding-model-row.ts';
import { readCorpusStatistics } from '../../src/domain/knowledge/retrieval/corpus-statistics.ts';
import { maxExactChunks } from '../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { clusteredVectors } from '../benchmark/clustered-vectors.ts';
import { generatePassages } from '../benchmark/generated-passages.ts';
import { findProjects, type GeneratedProject, loadProjects } from '../benchmark/load-projects.ts';
import { fillBuckets, measureFilteredSearch } from '../benchmark/measure-filtered-search.ts';
import { questionsFor } from '../benchmark/measure-search.ts';
import { createTestDatabase, serverUrl, type TestDatabase } from '../support/database/database.ts';

// Runs a small version of test/benchmark/filtered-search.ts. The embedded database has no vector indexes.
const isEmbedded = serverUrl() === undefined;
const chunks = isEmbedded ? 4_000 : 12_000;
const dimensions = 48;
const random = seededRandom(7);
const vectors = clusteredVectors(random, { dimensions, clusters: 40, intrinsic: 20 });
const passages = generatePassages(random, 300);

let database: TestDatabase;
let pool: pg.Pool;
let modelId: number;
let project: GeneratedProject;

beforeAll(async () => {
  database = await createTestDatabase();
  const options = '-c search_path= -c grounded.tenant=system';
  pool = new pg.Pool({ connectionString: database.url, max: 4, options });
  modelId = await ensureEmbeddingModel(pool, { name: 'generated', dimensions });
  await loadProjects(pool, { sizes: [chunks], modelId, vectors, passages, random });
  await fillBuckets(pool);
  await pool.query('analyze grounded.chunks, grounded.chunk_vectors');
  const { signal } = new AbortController();
  await buildVectorIndexes({ pool, signal, log: pino({ level: 'silent' }) });
  const [loaded] = await findProjects(pool);
  if (loaded === undefined) throw new Error('no project');
  project = loaded;
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

test.each([1, 10, 50, 90])(
  'a search finds the nearest chunks of the documents that a filter for %i in 100 of them matches',
  async (buckets) => {
    const questions = questionsFor(project, { count: 20, random, vectors, passages });
    const { recall } = await measureFilteredSearch(pool, modelId, questions, buckets);
    expect(recall).toBeGreaterThanOrEqual(0.98);
  },
  60_000,
);

test('a filter that matches much is searched by the index, if there is one', async () => {
  const corpus = { projectId: project.id, modelId };
  const limit = maxExactChunks(await readCorpusStatistics(pool, corpus, []));
  expect(limit > chunks / 100).toBe(true);
  expect(limit < chunks / 2).toBe(!isEmbedded);
});
