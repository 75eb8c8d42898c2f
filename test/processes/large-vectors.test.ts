import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../src/domain/evaluation/seeded-random.ts';
import { buildVectorIndexes } from '../../src/domain/knowledge/ingestion/build-vector-indexes.ts';
import { ensureEmbeddingModel } from '../../src/domain/knowledge/ingestion/embedding-model-row.ts';
import { readCorpusStatistics } from '../../src/domain/knowledge/retrieval/corpus-statistics.ts';
import {
  maxScannedVectors,
  vectorLiteral,
} from '../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { clusteredVectors } from '../benchmark/clustered-vectors.ts';
import { generatePassages } from '../benchmark/generated-passages.ts';
import { findProjects, type GeneratedProject, loadProjects } from '../benchmark/load-projects.ts';
import { questionsFor, recallAtTen, searchLatency } from '../benchmark/measure-search.ts';
import { createTestDatabase, serverUrl, type TestDatabase } from '../support/database/database.ts';
import { countVectorIndexScans } from '../support/database/vector-index-scans.ts';

// Number of dimensions of OpenAI's text-embedding-3-large. Such vectors are too large for one Postgres page and for an
// index on `vector`.
const dimensions = 3_072;
const isEmbedded = serverUrl() === undefined;
const random = seededRandom(11);
const vectors = clusteredVectors(random, { dimensions, clusters: 20, intrinsic: 20 });
const passages = generatePassages(random, 100);

let database: TestDatabase;
let pool: pg.Pool;
let modelId: number;
let project: GeneratedProject;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({
    connectionString: database.url,
    max: 2,
    options: '-c search_path= -c grounded.tenant=system',
  });
  modelId = await ensureEmbeddingModel(pool, { name: 'large', dimensions });
  await loadProjects(pool, {
    // With so many dimensions, the service uses an index from 2,000 chunks on. It only estimates the number, so this project has clearly more.
    sizes: [isEmbedded ? 300 : 2_700],
    modelId,
    vectors,
    passages,
    random,
  });
  await pool.query('analyze grounded.chunks, grounded.chunk_vectors');
  const [loaded] = await findProjects(pool);
  if (loaded === undefined) throw new Error('no project');
  project = loaded;
  const signal = new AbortController().signal;
  const built = await buildVectorIndexes({ pool, signal, log: pino({ level: 'silent' }) });
  expect(built).toBe(isEmbedded ? 0 : 1);
}, 240_000);
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

test('a search finds at least 97 of 100 nearest vectors', async () => {
  const questions = questionsFor(project, { count: 30, random, vectors, passages });
  expect(await recallAtTen(pool, modelId, questions)).toBeGreaterThanOrEqual(0.97);
  const latency = await searchLatency(pool, modelId, questions, { clients: 1, limit: 10 });
  expect(latency.fewestHits).toBe(10);
}, 120_000);

test.skipIf(isEmbedded)('a search uses the index', async () => {
  const statistics = await readCorpusStatistics(pool, { projectId: project.id, modelId }, []);
  expect(maxScannedVectors(statistics)).toBeGreaterThan(0);
  const client = await pool.connect();
  try {
    await client.query('begin');
    const before = await countVectorIndexScans(client);
    await client.query(
      'select from grounded.nearest_vectors($1, $2::smallint, $3::text::grounded.embedding, $4, 100, 100)',
      [project.id, modelId, vectorLiteral(vectors.draw(0, random)), maxScannedVectors(statistics)],
    );
    expect((await countVectorIndexScans(client)) - before).toBe(1);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('a vector of more than 4,000 dimensions is refused with what to do', async () => {
  await expect(
    ensureEmbeddingModel(pool, { name: 'too large', dimensions: 4_001 }),
  ).rejects.toThrow(
    'The embedding model returns vectors of 4001 dimensions. Set EMBEDDING_DIMENSIONS to 4000 or less, or use another model',
  );
  expect(await ensureEmbeddingModel(pool, { name: 'largest', dimensions: 4_000 })).toBeGreaterThan(
    0,
  );
});
