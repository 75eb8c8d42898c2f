import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../src/domain/evaluation/seeded-random.ts';
import type { DocumentFilter } from '../../../src/domain/knowledge/filter/document-filter.ts';
import { ensureEmbeddingModel } from '../../../src/domain/knowledge/ingestion/embedding-model-row.ts';
import { removeOldDocumentChangesJob } from '../../../src/domain/knowledge/remove-old-document-changes.ts';
import {
  hybridSearch,
  type SearchInput,
  type SearchResult,
} from '../../../src/domain/knowledge/retrieval/hybrid-search.ts';
import {
  createProjectIndexCache,
  type ProjectIndexCache,
} from '../../../src/domain/knowledge/retrieval/project-index/project-index-cache.ts';
import { readAllChunks } from '../../../src/domain/knowledge/retrieval/project-index/read-chunks.ts';
import { searchProjectIndex } from '../../../src/domain/knowledge/retrieval/project-index/search-project-index.ts';
import { chunkText } from '../../../src/extract/chunks/chunk-text.ts';
import { extractFromPlainText } from '../../../src/extract/text-formats/txt.ts';
import type { SqlClient } from '../../../src/platform/postgres/run-sql.ts';
import { systemTenant, type Tenant } from '../../../src/platform/tenancy/tenant.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import { recordingPool } from '../../support/database/recording-pool.ts';
import { replaceChunks } from '../../support/database/replace-chunks.ts';
import { hashEmbedding } from '../../support/hash-embedding.ts';
import { runRemoval } from '../../support/run-removal.ts';
import { pick, type Random } from '../../support/seeded-random.ts';
import { silentMetrics } from '../../support/silent-metrics.ts';
import { waitUntil } from '../../support/wait-until.ts';

let database: TestDatabase;
let pool: pg.Pool;
let modelId: number;
let cache: ProjectIndexCache;
const organizationId = randomUUID();
const log = pino({ level: 'silent' });

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({
    connectionString: database.url,
    max: 2,
    options: '-c search_path= -c grounded.tenant=system',
  });
  await pool.query(`insert into grounded.organizations (id, name) values ($1, 'Test')`, [
    organizationId,
  ]);
  modelId = await ensureEmbeddingModel(pool, { name: 'hash', dimensions: 64 });
  cache = createCache();
});
afterAll(async () => {
  await cache?.stop();
  await pool?.end();
  await database?.drop();
});

const systemClient = (client: SqlClient) => ({ client, tenant: systemTenant });

function createCache(maxBytes = 2 ** 28): ProjectIndexCache {
  return createProjectIndexCache({ pool, maxBytes, metrics: silentMetrics, log });
}

async function createProject(): Promise<string> {
  const projectId = randomUUID();
  await pool.query(
    `insert into grounded.projects (id, organization_id, name) values ($1, $2, 'Test')`,
    [projectId, organizationId],
  );
  return projectId;
}

interface DocumentInput {
  readonly projectId: string;
  readonly content: string;
  readonly name?: string;
  readonly documentId?: string;
  readonly hasVectors?: boolean;
}

/** Adds a READY document. If the document exists, replaces its chunks. */
async function putDocument(input: DocumentInput): Promise<string> {
  const { projectId, content, documentId = randomUUID(), name = 'Doc.txt' } = input;
  const chunks = chunkText(extractFromPlainText(content, 1_000_000));
  const hasVectors = input.hasVectors ?? true;
  await pool.query(
    `insert into grounded.documents
       (id, project_id, name, status, source_type, mime_type, size_bytes, content_hash, chunk_count, source_url)
     values ($1::uuid, $2, $3, 'READY', 'TEXT', 'text/plain', 1, '', $4, $1::uuid::text) on conflict do nothing`,
    [documentId, projectId, name, chunks.length],
  );
  const vectors = hasVectors ? chunks.map((chunk) => hashEmbedding(chunk.content)) : [];
  const model = hasVectors ? modelId : null;
  const batch = { projectId, documentId, documentName: name, modelId: model, chunks, vectors };
  await replaceChunks(pool, batch);
  return documentId;
}

async function deleteDocument(id: string): Promise<void> {
  await pool.query('delete from grounded.documents where id = $1', [id]);
}

/**
 * If `isHidden`, hides the chunks of a document as `hideAttempt` does. Otherwise shows them as `publishAttempt` does.
 */
async function setHidden(projectId: string, id: string, isHidden: boolean): Promise<void> {
  await (isHidden
    ? pool.query('insert into grounded.hidden_chunks values ($1, $2, 0, 100)', [projectId, id])
    : pool.query('delete from grounded.hidden_chunks where document_id = $1', [id]));
  await pool.query('update grounded.documents set processed_at = clock_timestamp() where id = $1', [
    id,
  ]);
}

const queryOf = (projectId: string, query: string, limit = 10): SearchInput => {
  return { projectId, modelId, query, queryVector: hashEmbedding(query), limit };
};

/** Matches the documents of `putDocument` with these ids. */
const sourceUrlIn = (ids: readonly string[]): DocumentFilter => {
  return { type: 'equal', field: { name: 'sourceUrl' }, values: ids };
};

/** Searches in memory, and repeats the search until the index is loaded. The first search only starts the loading. */
async function searchMemory(input: SearchInput, indexes = cache): Promise<SearchResult> {
  let result: SearchResult | null = null;
  await waitUntil(
    async () => {
      result = await searchProjectIndex(systemClient(pool), indexes, input);
      return result !== null;
    },
    { timeoutMs: 20_000, intervalMs: 10 },
  );
  return result ?? expect.fail('The index was not loaded');
}

async function expectSameResults(input: SearchInput): Promise<SearchResult> {
  const actual = await searchMemory(input);
  const expected = await hybridSearch(pool, input);
  expect(actual.unknownTerms).toEqual(expected.unknownTerms);
  expect([...actual.termWeights.keys()]).toEqual([...expected.termWeights.keys()]);
  for (const [term, weight] of expected.termWeights) {
    expect(actual.termWeights.get(term)).toBeCloseTo(weight, 6);
  }
  expect(actual.hits).toHaveLength(expected.hits.length);
  const byId = new Map(expected.hits.map((hit) => [hit.chunkId, hit]));
  for (const [rank, hit] of actual.hits.entries()) {
    const { score, similarity, lexical } = hit;
    expect(Math.abs(score - (expected.hits[rank]?.score ?? 0))).toBeLessThan(1e-4);
    // If two scores differ by less than this, the chunks may have another order, and another chunk may be the last.
    const same = byId.get(hit.chunkId);
    if (same === undefined) {
      expect(Math.abs(score - (expected.hits.at(-1)?.score ?? 0))).toBeLessThan(1e-4);
      continue;
    }
    expect({ ...hit, score: 0, similarity: 0, lexical: 0 }).toEqual({
      ...same,
      score: 0,
      similarity: 0,
      lexical: 0,
    });
    for (const [value, other] of [
      [score, same.score],
      [similarity, same.similarity],
      [lexical, same.lexical],
    ] as const) {
      expect(Math.abs(value - other)).toBeLessThan(1e-4);
    }
  }
  return actual;
}

const words =
  'sauna pool breakfast lighthouse harbour parking refund invoice warranty battery charger garden window kitchen towel safety möbel straße 價格 退款 error-4711 v2.3.1 naïve the of and is for'.split(
    ' ',
  );

function randomText(random: Random, wordCount: number): string {
  const text = Array.from({ length: wordCount }, (_, n) => {
    const word = random() < 0.4 ? pick(random, words.slice(0, 6)) : pick(random, words);
    return n % 12 === 11 ? `${word}.\n\n` : word;
  });
  return text.join(' ');
}

const randomQuery = (random: Random) =>
  `${randomText(random, 1 + Math.floor(random() * 6))} ${random() < 0.2 ? 'unheardof' : ''}`;

test.each([1, 2, 3, 4])(
  'finds the same chunks with the same scores as the database, whatever changes: seed %i',
  async (seed) => {
    const random = seededRandom(seed);
    const projectId = await createProject();
    const documents: string[] = [];
    const add = async () => {
      const content = randomText(random, 5 + Math.floor(random() * 300));
      const name = `${pick(random, words)} ${documents.length}.txt`;
      documents.push(await putDocument({ projectId, content, name, hasVectors: random() < 0.9 }));
    };
    for (let n = 0; n < 8; n += 1) await add();
    for (let round = 0; round < 12; round += 1) {
      const documentId = documents.at(Math.floor(random() * documents.length)) ?? '';
      const action = random();
      if (action < 0.35) await add();
      else if (action < 0.6) {
        const content = randomText(random, 5 + Math.floor(random() * 200));
        await putDocument({ projectId, documentId, content });
      } else if (action < 0.8) {
        await deleteDocument(documentId);
        documents.splice(documents.indexOf(documentId), 1);
      } else if (action < 0.95) {
        await setHidden(projectId, documentId, true);
        await expectSameResults(queryOf(projectId, randomQuery(random)));
        await setHidden(projectId, documentId, false);
      }
      const query = randomQuery(random);
      await expectSameResults(queryOf(projectId, query, pick(random, [1, 5, 40])));
      await expectSameResults({ ...queryOf(projectId, query), queryVector: null });
      const similarityScale = { factor: 0.8, offset: 0.1 };
      await expectSameResults({
        ...queryOf(projectId, randomQuery(random)),
        vocabularyCoverage: random(),
        similarityScale,
      });
      const ids = documents.filter(() => random() < 0.5);
      await expectSameResults({ ...queryOf(projectId, query, 5), filter: sourceUrlIn(ids) });
    }
  },
);

test('with a filter, finds a chunk that only common words find, and none of other documents', async () => {
  const projectId = await createProject();
  const ids: string[] = [];
  for (let n = 0; n < 8; n += 1) {
    const content = Array.from({ length: 40 }, () => `The sauna opens at noon ${n}.`).join('\n\n');
    ids.push(await putDocument({ projectId, content, hasVectors: false }));
  }
  const [first = ''] = ids;
  const input = { ...queryOf(projectId, 'sauna'), queryVector: null };
  const { hits } = await expectSameResults({ ...input, filter: sourceUrlIn([first]) });
  expect(hits.length).toBeGreaterThan(0);
  expect(new Set(hits.map(({ documentId }) => documentId))).toEqual(new Set([first]));
  expect((await expectSameResults({ ...input, filter: sourceUrlIn([]) })).hits).toEqual([]);
});

test('a document that stops to match while it is ranked is not returned', async () => {
  const projectId = await createProject();
  const id = await putDocument({ projectId, content: 'The sauna opens at noon.' });
  const input = { ...queryOf(projectId, 'sauna'), filter: sourceUrlIn([id]) };
  expect((await searchMemory(input)).hits).toHaveLength(1);
  let statements = 0;
  const changing = new Proxy(pool, {
    get(target, key) {
      const value = Reflect.get(target, key);
      if (key !== 'query') return typeof value === 'function' ? value.bind(target) : value;
      return async (...args: unknown[]) => {
        const result = await value.apply(target, args);
        statements += 1;
        if (statements === 1) {
          await target.query('update grounded.documents set source_url = null where id = $1', [id]);
        }
        return result;
      };
    },
  });
  const result = await searchProjectIndex(systemClient(changing), cache, input);
  expect(result?.hits).toEqual([]);
  expect(statements).toBe(2);
});

test('finds nearly all of the best chunks of a project that the database only samples', async () => {
  const random = seededRandom(9);
  const projectId = await createProject();
  const vocabulary = Array.from({ length: 1_500 }, (_, n) => `w${(n * 7919).toString(36)}x`);
  const text = (count: number) =>
    Array.from({ length: count }, () => vocabulary[Math.floor(1_500 * random() ** 2)]).join(' ');
  for (let n = 0; n < 12; n += 1) {
    const content = Array.from({ length: 40 }, () => text(120)).join('.\n\n');
    await putDocument({ projectId, content });
  }
  let found = 0;
  let expected = 0;
  for (let n = 0; n < 20; n += 1) {
    const input = queryOf(projectId, text(5));
    const ids = new Set((await searchMemory(input)).hits.map(({ chunkId }) => chunkId));
    for (const { chunkId } of (await hybridSearch(pool, input)).hits) {
      expected += 1;
      if (ids.has(chunkId)) found += 1;
    }
  }
  expect(expected).toBe(200);
  expect(found / expected).toBeGreaterThanOrEqual(0.97);
}, 60_000);

test('a change that commits late is found, although a later one was already seen', async () => {
  const projectId = await createProject();
  const early = await putDocument({ projectId, content: 'The sauna opens at noon.' });
  const late = await putDocument({ projectId, content: 'The pool opens at noon.' });
  const chunkOf = async (query: string) => (await searchMemory(queryOf(projectId, query))).hits;
  expect(await chunkOf('opens')).toHaveLength(2);
  const isServer = process.env.TEST_DATABASE_URL !== undefined;
  // The embedded database runs one transaction at a time, so the test opens a second connection only on a server.
  const client = isServer ? await pool.connect() : null;
  await client?.query('begin');
  await client?.query('delete from grounded.documents where id = $1', [early]);
  await deleteDocument(late);
  expect(await chunkOf('opens')).toHaveLength(1);
  await client?.query('commit');
  client?.release();
  if (!isServer) await deleteDocument(early);
  expect(await chunkOf('opens')).toHaveLength(0);
});

test('returns nothing to a caller who may not read the project', async () => {
  const projectId = await createProject();
  await putDocument({ projectId, content: 'The sauna opens at noon.' });
  const input = queryOf(projectId, 'sauna');
  expect((await searchMemory(input)).hits).toHaveLength(1);
  const own: Promise<SearchResult>[] = [];
  const client = await pool.connect();
  try {
    const tenant = randomUUID() as Tenant;
    await client.query(
      `begin; set local role grounded_service; set local grounded.tenant = '${tenant}'`,
    );
    // Searches of one tenant share statements. Searches of different tenants do not.
    own.push(...Array.from({ length: 8 }, () => searchMemory(input)));
    const result = await searchProjectIndex({ client, tenant }, cache, input);
    expect(result).toMatchObject({ hits: [], termWeights: new Map() });
  } finally {
    await client.query('rollback');
    client.release();
  }
  for (const { hits } of await Promise.all(own)) expect(hits).toHaveLength(1);
});

test('simultaneous searches share statements, and each receives its own hits', async () => {
  const projectId = await createProject();
  const words = Array.from(
    { length: 30 },
    (_, n) => `lighthouse${String.fromCharCode(97 + (n % 26))}${n}`,
  );
  for (const word of words) await putDocument({ projectId, content: `About the ${word}.` });
  const inputs = words.map((word) => queryOf(projectId, word, 3));
  const expected: SearchResult[] = [];
  for (const input of inputs) expected.push(await searchMemory(input));
  // This cache does not contain the texts that the searches above have read.
  const fresh = createCache();
  await searchMemory(queryOf(projectId, 'nothing'), fresh);
  const { pool: recorded, statements } = recordingPool(pool);
  const results = await Promise.all(
    inputs.map((input) => searchProjectIndex(systemClient(recorded), fresh, input)),
  );
  expect(results).toEqual(expected);
  expect(statements.length).toBeLessThan(15);
  await fresh.stop();
});

test('records of changes are deleted after a day, and none is left for a deleted project', async () => {
  const count = async (projectId: string) => {
    const text = 'select from grounded.document_changes where project_id = $1';
    return (await pool.query(text, [projectId])).rowCount;
  };
  const projectId = await createProject();
  await putDocument({ projectId, content: 'The sauna opens at noon.' });
  const old = await putDocument({ projectId, content: 'The pool opens at noon.' });
  expect(await count(projectId)).toBe(2);
  await pool.query(
    `update grounded.document_changes set changed_at = now() - interval '25 hours'
     where document_id = $1`,
    [old],
  );
  await runRemoval(removeOldDocumentChangesJob, { pool });
  expect(await count(projectId)).toBe(1);

  const removed = await createProject();
  await putDocument({ projectId: removed, content: 'The sauna opens at noon.' });
  await pool.query('delete from grounded.document_changes where project_id = $1', [removed]);
  await pool.query('delete from grounded.projects where id = $1', [removed]);
  expect(await count(removed)).toBe(0);
});

test('vectors of another model are never compared', async () => {
  const projectId = await createProject();
  await putDocument({ projectId, content: 'The sauna opens at noon.' });
  const input = queryOf(projectId, 'sauna');
  expect((await searchMemory(input)).hits[0]?.similarity).toBeGreaterThan(0);
  const other = await ensureEmbeddingModel(pool, { name: 'other', dimensions: 64 });
  const { hits } = await searchMemory({ ...input, modelId: other });
  expect(hits).toMatchObject([{ similarity: 0 }]);
});

test('a project without room is searched in the database, and its memory is freed', async () => {
  const projectId = await createProject();
  for (let n = 0; n < 10; n += 1) {
    await putDocument({ projectId, content: `Room ${n} has a view of the sauna.` });
  }
  const loads: string[] = [];
  const metrics = {
    ...silentMetrics,
    recordIndexLoad: (outcome: string, bytes: number) => loads.push(`${outcome} ${bytes}`),
  };
  const small = createProjectIndexCache({ pool, maxBytes: 10_000, metrics, log });
  const search = () => searchProjectIndex(systemClient(pool), small, queryOf(projectId, 'sauna'));
  for (let n = 0; n < 5; n += 1) expect(await search()).toBeNull();
  await waitUntil(() => loads.length > 0);
  expect(loads).toEqual(['REFUSED 0']);
  expect(await search()).toBeNull();
  await small.stop();
});

test('the first search starts to load the index, and nothing is loaded if the setting is 0', async () => {
  const projectId = await createProject();
  await putDocument({ projectId, content: 'The sauna opens at noon.' });
  const corpus = { projectId, modelId };
  const off = createCache(0);
  for (let n = 0; n < 5; n += 1) expect(off.find(corpus)).toBeNull();
  await off.stop();
  const indexes = createCache();
  expect(indexes.find(corpus)).toBeNull();
  await waitUntil(() => indexes.find(corpus) !== null);
  await indexes.stop();
  expect(indexes.find(corpus)).toBeNull();
});

test('an index is loaded from the pool for bulk reads, and updated from the primary', async () => {
  const projectId = await createProject();
  await putDocument({ projectId, content: 'The sauna opens at noon.' });
  const statements: string[] = [];
  const bulkPool = () =>
    Object.assign(Object.create(pool), {
      query: (statement: pg.QueryConfig) => {
        statements.push(statement.name ?? statement.text);
        return pool.query(statement);
      },
    });
  const maxBytes = 2 ** 28;
  const indexes = createProjectIndexCache({
    pool,
    bulkPool,
    maxBytes,
    metrics: silentMetrics,
    log,
  });
  await searchMemory(queryOf(projectId, 'sauna'), indexes);
  expect(statements).toContain(readAllChunks.name);
  const loaded = statements.length;
  await putDocument({ projectId, content: 'The sauna closes at nine.' });
  expect((await searchMemory(queryOf(projectId, 'sauna'), indexes)).hits).toHaveLength(2);
  expect(statements).toHaveLength(loaded);
  await indexes.stop();
});

test('after an error, a project is loaded again within seconds', async () => {
  const projectId = await createProject();
  await putDocument({ projectId, content: 'The sauna opens at noon.' });
  const corpus = { projectId, modelId };
  const loads: string[] = [];
  const recordIndexLoad = (outcome: string) => loads.push(outcome);
  const metrics = { ...silentMetrics, recordIndexLoad };
  let failures = 1;
  const flaky = new Proxy(pool, {
    get(target, key) {
      if (key === 'query' && failures-- > 0) return () => Promise.reject(new Error('busy'));
      const value = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const indexes = createProjectIndexCache({ pool: flaky, maxBytes: 2 ** 28, metrics, log });
  expect(indexes.find(corpus)).toBeNull();
  await waitUntil(() => loads.length === 1);
  expect(loads).toEqual(['REFUSED']);
  await waitUntil(() => indexes.find(corpus) !== null, { timeoutMs: 20_000 });
  await indexes.stop();
});
