import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chunkTerms } from '../../src/domain/knowledge/ingestion/chunk-terms.ts';
import { hybridSearch, vectorLiteral } from '../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { hashEmbedding } from '../support/hash-embedding.ts';

const projects = Array.from({ length: 12 }, () => randomUUID());
const facts = [
  'The sauna opens at four.',
  'Breakfast is served until ten.',
  'The pool is closed in winter.',
];

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({
    connectionString: database.url,
    max: 2,
    options: '-c grounded.tenant=system',
  });
  const organizationId = randomUUID();
  await pool.query(`insert into grounded.organizations (id, name) values ($1, 'Test')`, [
    organizationId,
  ]);
  await pool.query(`insert into grounded.embedding_models (name, dimensions) values ('hash', 64)`);
  for (const projectId of projects) await addProject(organizationId, projectId);
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

async function addProject(organizationId: string, projectId: string): Promise<void> {
  const documentId = randomUUID();
  await pool.query(
    `insert into grounded.projects (id, organization_id, name) values ($1, $2, 'Test')`,
    [projectId, organizationId],
  );
  await pool.query(
    `insert into grounded.documents (id, project_id, name, source_type, mime_type, size_bytes, content_hash)
     values ($1, $2, 'Facts.txt', 'TEXT', 'text/plain', 1, '')`,
    [documentId, projectId],
  );
  for (const [position, content] of facts.entries()) {
    const id = randomUUID();
    const { terms, length } = chunkTerms(projectId, 'Facts.txt', { context: '', content });
    await pool.query(
      `insert into grounded.chunks (id, project_id, document_id, position, content, context, start_offset,
         end_offset, token_count, terms, length)
       values ($1, $2, $3, $4, $5, '', 0, 1, 1, $6, $7)`,
      [id, projectId, documentId, position, content, terms, length],
    );
    await pool.query(
      `insert into grounded.chunk_vectors (model_id, chunk_id, project_id, embedding)
       values (1, $1, $2, $3::grounded.embedding)`,
      [id, projectId, vectorLiteral(hashEmbedding(content))],
    );
  }
}

test('chunks of all partitions are found, by words and by vectors', async () => {
  for (const projectId of projects) {
    const query = 'When does the sauna open?';
    const queryVector = hashEmbedding(facts[0] ?? '');
    const input = { projectId, modelId: 1, queryVector, query, limit: 10 };
    const { hits } = await hybridSearch(pool, input);
    expect(hits).toHaveLength(facts.length);
    expect(hits[0]).toMatchObject({ content: facts[0], lexical: expect.toSatisfy((n) => n > 0.1) });
    expect(hits[0]?.similarity).toBeCloseTo(1, 5);
  }
});

test('chunks and vectors of the projects are spread over the same partitions', async () => {
  const { rows } = await pool.query(
    `select distinct right(c.tableoid::regclass::text, 2) as chunk, right(v.tableoid::regclass::text, 2) as vector
     from grounded.chunks c join grounded.chunk_vectors v on v.project_id = c.project_id and v.chunk_id = c.id`,
  );
  expect(rows.length).toBeGreaterThan(1);
  for (const { chunk, vector } of rows) expect(vector).toBe(chunk);
});

test('a deleted project deletes its own chunks and vectors only', async () => {
  await pool.query('delete from grounded.projects where id = $1', [projects[0]]);
  const { rows } = await pool.query(
    `select (select count(*)::int from grounded.chunks) as chunks,
       (select count(*)::int from grounded.chunk_vectors) as vectors`,
  );
  const left = facts.length * (projects.length - 1);
  expect(rows).toEqual([{ chunks: left, vectors: left }]);
});

test('a chunk cannot reference a document of another project', async () => {
  await expect(
    pool.query('update grounded.chunks set document_id = $1', [randomUUID()]),
  ).rejects.toThrow('chunks_document');
});
