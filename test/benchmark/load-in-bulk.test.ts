import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { seededRandom } from '../../src/domain/evaluation/seeded-random.ts';
import { ensureEmbeddingModel } from '../../src/domain/knowledge/ingestion/embedding-model-row.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { clusteredVectors } from './clustered-vectors.ts';
import { generatePassages } from './generated-passages.ts';
import { loadInBulk } from './load-in-bulk.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  const connectionString = database.directUrl ?? database.url;
  pool = new pg.Pool({ connectionString, max: 1, options: '-c grounded.tenant=system' });
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

it('has the same indexes after loading in bulk', async () => {
  const before = await listIndexes();
  const random = seededRandom(1);
  const dimensions = 8;
  vi.spyOn(console, 'log').mockImplementation(() => {});
  await loadInBulk(pool, {
    ...{ sizes: [50], random, passages: generatePassages(random, 10) },
    vectors: clusteredVectors(random, { dimensions, clusters: 2, intrinsic: 2 }),
    modelId: await ensureEmbeddingModel(pool, { name: 'generated', dimensions }),
  });
  expect(await listIndexes()).toEqual(before);
  const { rows } = await pool.query('select count(*)::int as chunks from grounded.chunks');
  expect(rows).toEqual([{ chunks: 50 }]);
});

/** Returns the definitions of all valid indexes of the chunks and their partitions. */
async function listIndexes(): Promise<string[]> {
  const { rows } = await pool.query<{ definition: string }>(
    `select pg_get_indexdef(indexrelid) as definition from pg_index
     where indisvalid and indrelid::regclass::text like 'grounded.chunks%'`,
  );
  return rows.map(({ definition }) => definition).sort();
}
