import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureEmbeddingModel } from '../../../src/domain/knowledge/ingestion/embedding-model-row.ts';
import {
  readAllChunks,
  readChunks,
} from '../../../src/domain/knowledge/retrieval/project-index/read-chunks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';

let database: TestDatabase;
let pool: pg.Pool;
let modelId: number;
const projectId = randomUUID();
const chunkCount = 2_000;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({
    connectionString: database.url,
    max: 1,
    options: '-c grounded.tenant=system',
  });
  const organizationId = randomUUID();
  const documentId = randomUUID();
  await pool.query(`insert into grounded.organizations (id, name) values ($1, 'Test')`, [
    organizationId,
  ]);
  await pool.query(
    `insert into grounded.projects (id, organization_id, name) values ($1, $2, 'Test')`,
    [projectId, organizationId],
  );
  modelId = await ensureEmbeddingModel(pool, { name: 'test', dimensions: 3 });
  await pool.query(
    `insert into grounded.documents (id, project_id, name, source_type, mime_type, size_bytes, content_hash, status)
     values ($1, $2, 'Doc', 'TEXT', 'text/plain', 1, 'hash', 'READY')`,
    [documentId, projectId],
  );
  await pool.query(
    `with chunk as (
       insert into grounded.chunks (id, project_id, document_id, position, content, context, start_offset, end_offset,
         token_count, terms, length)
       select gen_random_uuid(), $1, $2, n, 'Room ' || n, '', n, n + 1, 2, 'room:1', 1
       from generate_series(1, ${chunkCount}) n returning id)
     insert into grounded.chunk_vectors (project_id, chunk_id, model_id, embedding)
     select $1, id, $3, '[1,0,0]' from chunk`,
    [projectId, documentId, modelId],
  );
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

test('reads every published chunk once, with its vector', async () => {
  const ids = new Set<string>();
  for await (const chunks of readChunks(pool, { projectId, modelId })) {
    for (const { id, vector } of chunks) {
      ids.add(id);
      expect(vector).toEqual(Float32Array.of(1, 0, 0));
    }
  }
  expect(ids.size).toBe(chunkCount);
});

test('a batch reads one vector per chunk, although the tables have no statistics yet', async () => {
  const first = [projectId, modelId, '00000000-0000-0000-0000-000000000000', -1, -1];
  const values = first.map((value) => `'${value}'`).join(', ');
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await pool.query(`set plan_cache_mode = ${mode}`);
    await pool.query(`prepare ${mode} (uuid, smallint, uuid, int, int) as ${readAllChunks.text}`);
    const { rows } = await pool.query(`explain (analyze, format json) execute ${mode} (${values})`);
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    expect(vectorsRead(plan)).toBe(200);
  }
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns the number of rows that the plan reads from the tables of vectors. */
function vectorsRead(node: PlanNode): number {
  const { Plans: children = [], 'Actual Rows': rows, 'Actual Loops': loops } = node;
  const isVectors = node['Relation Name']?.startsWith('chunk_vectors') ?? false;
  const own = isVectors ? (rows + (node['Rows Removed by Filter'] ?? 0)) * loops : 0;
  return children.reduce((sum, child) => sum + vectorsRead(child), own);
}
