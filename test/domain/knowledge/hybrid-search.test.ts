import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureEmbeddingModel } from '../../../src/domain/knowledge/ingestion/embedding-model-row.ts';
import {
  type Hit,
  hybridSearch,
  type SearchResult,
} from '../../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { chunkText } from '../../../src/extract/chunks/chunk-text.ts';
import { extractFromPlainText } from '../../../src/extract/text-formats/txt.ts';
import type { SqlClient } from '../../../src/platform/postgres/run-sql.ts';
import { queryTerms } from '../../../src/text/query-terms.ts';
import { tokenize } from '../../../src/text/tokenize.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import { replaceChunks } from '../../support/database/replace-chunks.ts';
import { hashEmbedding } from '../../support/hash-embedding.ts';

let database: TestDatabase;
let pool: pg.Pool;
let sql: SqlClient;
let modelId: number;
const organizationId = randomUUID();

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({
    connectionString: database.url,
    max: 2,
    options: '-c search_path= -c grounded.tenant=system',
  });
  sql = pool;
  await pool.query(`insert into grounded.organizations (id, name) values ($1, 'Test')`, [
    organizationId,
  ]);
  modelId = await ensureEmbeddingModel(sql, { name: 'hash', dimensions: 64 });
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

async function createProject(
  documents: Readonly<Record<string, string>> = {},
  projectId: string = randomUUID(),
): Promise<string> {
  await pool.query(
    `insert into grounded.projects (id, organization_id, name) values ($1, $2, 'Test')`,
    [projectId, organizationId],
  );
  for (const [name, content] of Object.entries(documents))
    await addDocument(projectId, name, content);
  return projectId;
}

async function addDocument(projectId: string, documentName: string, content: string) {
  const documentId = randomUUID();
  const chunks = chunkText(extractFromPlainText(content, 1_000_000));
  await pool.query(
    `insert into grounded.documents
       (id, project_id, name, status, source_type, mime_type, size_bytes, content_hash, chunk_count)
     values ($1, $2, $3, 'READY', 'TEXT', 'text/plain', 1, '', $4)`,
    [documentId, projectId, documentName, chunks.length],
  );
  const vectors = chunks.map((chunk) => hashEmbedding(chunk.content));
  await replaceChunks(sql, { projectId, documentId, documentName, modelId, chunks, vectors });
  return { documentId, documentName, chunks, vectors };
}

async function search(projectId: string, query: string, limit = 10): Promise<Hit[]> {
  const queryVector = hashEmbedding(query);
  return (await hybridSearch(sql, { projectId, modelId, queryVector, query, limit })).hits;
}

function searchWith(projectId: string, query: string): Promise<SearchResult> {
  return hybridSearch(sql, {
    projectId,
    modelId,
    queryVector: hashEmbedding(query),
    query,
    limit: 10,
  });
}

function searchTerms(projectId: string, query: string, limit = 10): Promise<SearchResult> {
  return hybridSearch(sql, { projectId, modelId: null, queryVector: null, query, limit });
}

async function searchWords(projectId: string, query: string, limit = 10): Promise<Hit[]> {
  return (await searchTerms(projectId, query, limit)).hits;
}

test('finds chunks by words and by meaning, best first, with all fields of a result', async () => {
  const projectId = await createProject({
    'Sauna.txt': 'The sauna opens at 16:00.',
    'Breakfast.txt': 'Breakfast is served until ten.',
    'Pool.txt': 'The pool is closed in winter.',
  });
  const hits = await search(projectId, 'When does the sauna open?');
  expect(hits.map(({ documentName }) => documentName)).toHaveLength(3);
  expect(hits[0]).toMatchObject({
    documentName: 'Sauna.txt',
    content: 'The sauna opens at 16:00.',
    context: '',
    page: null,
    startOffset: 0,
    endOffset: 25,
  });
  for (const [index, hit] of hits.entries()) {
    expect(hit.score).toBeLessThanOrEqual(hits[index - 1]?.score ?? 1);
    expect(hit.score).toBeCloseTo(0.45 * hit.similarity + 0.55 * hit.lexical, 10);
    for (const value of [hit.score, hit.similarity, hit.lexical]) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
    }
  }
});

test("similarity is the cosine, weighted by the model's vocabulary coverage of the query", async () => {
  const projectId = await createProject({ 'A.txt': 'one two three', 'B.txt': 'four five six' });
  const queryVector = hashEmbedding('four five six');
  const input = { projectId, modelId, queryVector, query: 'one two three', limit: 2 };
  const { hits: known } = await hybridSearch(sql, { ...input, vocabularyCoverage: 1 });
  const { hits: unknown } = await hybridSearch(sql, { ...input, vocabularyCoverage: 0 });
  expect(known.find((hit) => hit.documentName === 'B.txt')?.similarity).toBeCloseTo(1, 5);
  const shareOf = (hits: Hit[]) => hits.find((hit) => hit.documentName === 'B.txt')?.score;
  expect(shareOf(known)).toBeCloseTo(0.45, 5);
  expect(shareOf(unknown)).toBeCloseTo(0.1, 5);
});

test('it returns the terms that no chunk of the project contains', async () => {
  const projectId = await createProject({ 'Sauna.txt': 'The sauna opens at noon' });
  await createProject({ 'Other.txt': 'The lighthouse opens at noon' });
  const { hits, unknownTerms } = await searchTerms(projectId, 'when opens the sauna lighthouse');
  expect(hits).toHaveLength(1);
  expect([...unknownTerms]).toEqual(expect.arrayContaining(['when', 'lighthous']));
  expect(unknownTerms).not.toContain('sauna');
  const nothing = await searchTerms(projectId, 'lighthouse');
  expect(nothing).toMatchObject({ hits: [], unknownTerms: new Set(['lighthous', 'light*']) });
});

test('function words that no chunk contains do not lower the score', async () => {
  const projectId = await createProject({ 'Sauna.txt': 'Sauna noon', 'Pool.txt': 'Pool evening' });
  const [plain] = await searchWords(projectId, 'sauna noon');
  const [wordy] = await searchWords(projectId, 'what is the sauna and when is it noon');
  const [missing] = await searchWords(projectId, 'sauna noon lighthouse');
  expect(wordy?.lexical).toBeCloseTo(plain?.lexical ?? 0, 5);
  expect(missing?.lexical).toBeLessThan(0.8 * (plain?.lexical ?? 0));
  // The index of English text has no first letters. But a query without function words is not recognized as English, so
  // it also searches for first letters.
  const english = await createProject({ 'E.txt': 'The warranty of the harbour is for the boat.' });
  const [short] = await searchWords(english, 'warranty harbour');
  const [long] = await searchWords(english, 'what is the warranty of the harbour');
  expect(short?.lexical).toBeCloseTo(long?.lexical ?? 0, 1);
});

test('lexical is BM25 as a share of the maximum for the query', async () => {
  const contents = [
    'apple banana cherry',
    'apple apple apple',
    'banana and many other words that make this one rather longer than the rest of them',
    'cherry date elderberry fig',
  ];
  const projectId = await createProject(
    Object.fromEntries(contents.map((content, index) => [`${index}.txt`, content])),
  );
  const query = 'apple cherry papaya';
  const hits = await searchWords(projectId, query);
  const expected = referenceBm25(
    contents.map((content, index) => `${index}\n${index}\n${content}`),
    query,
  );
  expect(hits).toHaveLength(3);
  for (const hit of hits) {
    expect(hit.lexical).toBeCloseTo(expected[Number.parseInt(hit.documentName, 10)] ?? 0, 1.7);
    expect(hit.score).toBe(hit.lexical);
  }
});

test('it returns a higher weight for a term that fewer chunks contain', async () => {
  const projectId = await createProject({
    'Sauna.txt': 'The sauna opens at noon.',
    'Pool.txt': 'The pool opens at nine.',
  });
  const { termWeights } = await searchTerms(projectId, 'sauna opens lighthouse');
  const [opens = 0, sauna = 0, lighthouse = 0] = ['open', 'sauna', 'lighthous'].map(
    (term) => termWeights.get(term) ?? 0,
  );
  expect(opens).toBeGreaterThan(0);
  expect(sauna).toBeGreaterThan(opens);
  expect(lighthouse).toBeGreaterThan(sauna);
});

test('chunks of another project are never found, even if they are identical', async () => {
  const documents = { 'Sauna.txt': 'The sauna opens at 16:00.' };
  const [own] = [await createProject(documents), await createProject(documents)];
  const empty = await createProject();
  expect(await search(own, 'sauna', 50)).toHaveLength(1);
  expect(await search(empty, 'sauna', 50)).toEqual([]);
  expect(await searchWords(empty, 'sauna', 50)).toEqual([]);
});

test('a document is found by its name', async () => {
  const projectId = await createProject({
    'Quarterly_report_Q3-2023.pdf': 'Revenue went up.',
    'Quarterly_report_Q2-2023.pdf': 'Revenue went up.',
  });
  const [best] = await searchWords(projectId, 'revenue Q3 2023');
  expect(best?.documentName).toBe('Quarterly_report_Q3-2023.pdf');
});

test('new chunks replace the old ones, whatever their number', async () => {
  const projectId = await createProject();
  const paragraph = `${'Some words that fill a paragraph of the document. '.repeat(25)}\n\n`;
  const document = await addDocument(projectId, 'Long.txt', paragraph.repeat(250));
  expect(document.chunks.length).toBeGreaterThan(200);
  const [first] = document.chunks;
  if (first === undefined) throw new Error('no chunk');
  await replaceChunks(sql, {
    ...document,
    projectId,
    modelId,
    chunks: [{ ...first, content: 'Only this is left.' }],
    vectors: [hashEmbedding('Only this is left.')],
  });
  expect((await search(projectId, 'words', 50)).map(({ content }) => content)).toEqual([
    'Only this is left.',
  ]);
  await pool.query('delete from grounded.documents where id = $1', [document.documentId]);
  const { rows } = await pool.query(
    'select count(*)::int from grounded.chunk_vectors where project_id = $1',
    [projectId],
  );
  expect(rows[0]).toEqual({ count: 0 });
});

test('ignores hidden chunks, however many are nearer, and finds them once they are published', async () => {
  const projectId = await createProject({
    'Pool.txt': 'The pool opens at seven in the morning.',
    'Bar.txt': 'The bar closes at midnight.',
  });
  const query = 'When does the pool open?';
  const before = await searchWith(projectId, query);
  const { documentId } = await addDocument(
    projectId,
    'New.txt',
    'When does the pool open? At six.',
  );
  const copies = 300;
  await insertCopies(projectId, copies, documentId);
  const found = await searchWith(projectId, query);
  expect(found.hits[0]?.documentId).toBe(documentId);

  await pool.query(`insert into grounded.hidden_chunks values ($1, $2, 0, $3)`, [
    projectId,
    documentId,
    copies + 1,
  ]);
  expect(await searchWith(projectId, query)).toEqual(before);
  await pool.query('update grounded.hidden_chunks set attempt = 1 where document_id = $1', [
    documentId,
  ]);
  expect((await searchWith(projectId, query)).hits[0]?.documentId).toBe(documentId);
  await pool.query('delete from grounded.hidden_chunks where document_id = $1', [documentId]);
});

test.each([
  ['quotes and backslashes', `it's "a" \\ test\\' of 'quoting'`],
  ['query operators', "apple & !banana | (cherry <-> date):*A 'x':B"],
  ['NUL, lone surrogates and emoji', 'apple\u0000 \ud800 👩‍👩‍👧 \udc00'],
  ['nothing to find', '?! …'],
  ['very many words', Array.from({ length: 4_000 }, (_, index) => `w${index}`).join(' ')],
  ['words that are everywhere', 'the the of and'],
])('a query of %s returns results', async (_, query) => {
  const projectId = await createProject({ 'A.txt': `The fruit's "apple" and ${query}` });
  const hits = await search(projectId, query);
  expect(hits.length).toBeGreaterThan(0);
  for (const { score } of hits) expect(score).toBeLessThanOrEqual(1);
  expect((await searchWords(projectId, query)).length).toBeLessThanOrEqual(hits.length);
});

describe('a small project among large ones', () => {
  let small: string;

  beforeAll(async () => {
    small = await createProject(
      Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [`${index}.txt`, `The sauna number ${index}.`]),
      ),
    );
    const { rows } = await pool.query(samePartitionIdSql, [small]);
    const large = await createProject({ 'Large.txt': 'The sauna number is large.' }, rows[0].id);
    await insertCopies(large, 3_000);
    await pool.query('analyze grounded.chunks; analyze grounded.chunk_vectors');
  });

  test('receives the requested number of rows', async () => {
    expect(await search(small, 'sauna number', 20)).toHaveLength(20);
    expect(await searchWords(small, 'the sauna', 20)).toHaveLength(20);
  });

  test('reads only its own rows, and one partition of each table', async () => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const query = 'what is the sauna number';
      const queryVector = hashEmbedding(query);
      const before = await rowsRead(client);
      await hybridSearch(client, {
        projectId: small,
        modelId,
        queryVector,
        query,
        limit: 10,
      });
      const read = [...(await rowsRead(client))]
        .map(([name, rows]) => ({
          name: name.replace(/\d+$/, ''),
          rows: rows - (before.get(name) ?? 0),
        }))
        .filter(({ rows }) => rows > 0);
      // A search reads each of the 20 rows several times: for the sample, once per term, as a candidate and in the
      // result.
      const few = expect.toSatisfy((rows) => rows <= 10 * 20);
      expect(read).toEqual([
        { name: 'chunk_vectors_p', rows: few },
        { name: 'chunks_p', rows: few },
      ]);
      expect((await client.query(lockedPartitionsSql)).rows).toHaveLength(2);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

/**
 * Returns the rows that this connection has read, per table. Postgres publishes these counters only between
 * transactions.
 */
async function rowsRead(client: pg.PoolClient): Promise<Map<string, number>> {
  const { rows } = await client.query(
    `select relname as name, seq_tup_read + coalesce(idx_tup_fetch, 0) as rows
     from pg_stat_xact_user_tables where schemaname = 'grounded' and relname like 'chunk%' order by name`,
  );
  return new Map(rows.map(({ name, rows }) => [String(name), Number(rows)]));
}

const samePartitionIdSql = `
  select id from (select gen_random_uuid() as id from generate_series(1, 1000)) g, generate_series(0, 15) r
  where satisfies_hash_partition('grounded.chunks'::regclass, 16, r, $1::uuid)
    and satisfies_hash_partition('grounded.chunks'::regclass, 16, r, g.id)
  limit 1`;

/** Lists the tables that a search uses. Planning and execution lock each of these tables until the transaction ends. */
const lockedPartitionsSql = `
  select distinct c.relname from pg_locks l join pg_class c on c.oid = l.relation
  where l.pid = pg_backend_pid() and c.relispartition and c.relkind = 'r'`;

/** Inserts copies of the project's only chunk and its vector. If a document is given, copies its only chunk. */
async function insertCopies(
  projectId: string,
  copies: number,
  documentId: string | null = null,
): Promise<void> {
  await pool.query(
    `with copy as (
       insert into grounded.chunks (id, project_id, document_id, position, content, context, page,
         start_offset, end_offset, token_count, terms, length)
       select gen_random_uuid(), c.project_id, c.document_id, n, c.content, c.context, c.page,
         c.start_offset, c.end_offset, c.token_count, c.terms, c.length
       from grounded.chunks c, generate_series(1, $2::int) n
       where c.project_id = $1 and c.document_id = coalesce($3, c.document_id)
       returning id, project_id)
     insert into grounded.chunk_vectors (project_id, chunk_id, model_id, embedding)
     select v.project_id, copy.id, v.model_id, v.embedding
     from copy cross join lateral (
       select v.* from grounded.chunk_vectors v join grounded.chunks c on c.project_id = v.project_id and c.id = v.chunk_id
       where v.project_id = copy.project_id and c.document_id = coalesce($3, c.document_id) limit 1) v`,
    [projectId, copies, documentId],
  );
}

/**
 * Returns the BM25 score of each text, divided by the sum of the idf of the query terms. k1 = 1.2, b = 0.75, idf = ln(1
 * + (N - n + 0.5) / (n + 0.5)).
 */
function referenceBm25(texts: readonly string[], query: string): number[] {
  const documents = texts.map((text) => tokenize(text));
  const average = documents.reduce((sum, tokens) => sum + tokens.length, 0) / documents.length;
  const holds = (tokens: readonly (readonly string[])[], term: string) =>
    tokens.filter((token) => token.includes(term)).length;
  const weights = queryTerms(query).map((term) => {
    const found = documents.filter((tokens) => holds(tokens, term) > 0).length;
    return { term, idf: Math.log(1 + (documents.length - found + 0.5) / (found + 0.5)) };
  });
  const best = weights.reduce((sum, { idf }) => sum + idf, 0);
  return documents.map((tokens) => {
    const saturation = 1.2 * (0.25 + (0.75 * tokens.length) / average);
    const scores = weights.map(({ term, idf }) => {
      const frequency = holds(tokens, term);
      return (idf * frequency) / (frequency + saturation);
    });
    return scores.reduce((sum, score) => sum + score, 0) / best;
  });
}
