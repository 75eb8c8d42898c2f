import { beforeAll, describe, expect, test } from 'vitest';
import { readCorpusStatistics } from '../../../src/domain/knowledge/retrieval/corpus-statistics.ts';
import { createCorpusStatisticsCache } from '../../../src/domain/knowledge/retrieval/corpus-statistics-cache.ts';
import { hybridSearch } from '../../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { newId } from '../../../src/platform/ids.ts';
import { countStatements } from '../../support/conversations.ts';
import { replaceChunks } from '../../support/database/replace-chunks.ts';
import { addDocuments } from '../../support/knowledge.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let projectId: string;

const words = ['harbour', 'sauna', 'invoice', 'warranty', 'garden', 'battery', 'printer', 'ticket'];

/** Adds a READY document with one chunk per sentence and no vectors. */
async function addChunks(documentName: string, sentences: readonly string[]): Promise<string> {
  const { db } = service.system;
  const row = { name: documentName, mimeType: 'text/plain', sizeBytes: 1, contentHash: '' };
  const { id: documentId } = await db.document.create({
    data: { id: newId(), projectId, ...row, sourceType: 'TEXT', status: 'READY' },
  });
  const chunks = sentences.map((content, position) => ({
    ...{ position, content, context: '', page: null, tokenCount: 9, blocks: '' },
    ...{ startOffset: position * 100, endOffset: position * 100 + content.length },
    ...{ start: position * 100, end: position * 100 + content.length },
  }));
  await replaceChunks(db, {
    projectId,
    documentId,
    documentName,
    modelId: null,
    chunks,
    vectors: [],
  });
  return documentId;
}

beforeAll(async () => {
  service = await sharedService();
  ({ projectId } = await service.createTenant());
  const topics = Array.from({ length: 400 }, (_, n) => words[n % words.length]);
  const sentences = topics.map(
    (topic, n) => `The ${topic} ${n} has rule ${n % 40}, ${'a '.repeat(n % 7)}b.`,
  );
  await addChunks('Handbook.md', sentences);
});

const corpus = () => ({ projectId, modelId: null });
const search = (query: string, cache?: ReturnType<typeof createCorpusStatisticsCache>) =>
  hybridSearch(service.system.pool, {
    ...{ ...corpus(), queryVector: null, query, limit: 20 },
    ...(cache && { statistics: cache }),
  });

/** Returns a cache that has loaded the project. */
async function filledCache() {
  const cache = createCorpusStatisticsCache({ minRefreshMs: 0 });
  const { pool } = service.system;
  await expect
    .poll(() => countStatements(pool, () => cache.get(pool, corpus(), ['sauna'])))
    .toBe(0);
  return cache;
}

describe('the cached statistics of a large project', () => {
  test('give the same hits, scores and unknown terms as those read for the search', async () => {
    const cache = await filledCache();
    for (const query of ['sauna rule 17', 'which warranty has rules', 'lighthouse of the garden']) {
      const found = await search(query, cache);
      expect(found).toEqual(await search(query));
      expect(found.hits.length).toBeGreaterThan(0);
    }
    expect((await search('lighthouse garden', cache)).unknownTerms).toContain('lighthous');
  });

  test('do not hide a new document or return a deleted one', async () => {
    const cache = await filledCache();
    const id = await addChunks('Zeppelin.txt', ['The zeppelin leaves at noon.']);
    expect((await search('zeppelin', cache)).hits[0]?.documentName).toBe('Zeppelin.txt');
    await service.system.db.document.delete({ where: { id } });
    expect((await search('zeppelin', cache)).hits).toEqual([]);
  });

  test('are read again after a change was reported', async () => {
    const cache = await filledCache();
    const before = await cache.get(service.system.pool, corpus(), []);
    cache.markStale(projectId);
    // If statistics are only slightly out of date, a search uses them and does not wait for new ones.
    expect(await cache.get(service.system.pool, corpus(), [])).toBe(before);
    await expect.poll(() => cache.get(service.system.pool, corpus(), [])).not.toBe(before);
  });
});

test('a small project is read for each search, so that its weights are exact', async () => {
  const { projectId: small } = await service.createTenant();
  const cache = createCorpusStatisticsCache();
  const { pool } = service.system;
  for (const chunks of [1, 2]) {
    await addDocuments(service, small, { [`Sauna ${chunks}.txt`]: `The sauna ${chunks} is warm.` });
    const statistics = await cache.get(pool, { projectId: small, modelId: null }, ['sauna']);
    expect(statistics).toMatchObject({ chunks, sampled: chunks });
    expect(statistics.termCounts.get('sauna')).toBe(chunks);
  }
});

test('all terms of the sample are counted as each term is', async () => {
  const all = await readCorpusStatistics(service.system.pool, corpus());
  const terms = ['sauna', 'warranti', 'lighthous'];
  const some = await readCorpusStatistics(service.system.pool, corpus(), terms);
  expect(all).toMatchObject({ chunks: some.chunks, averageLength: some.averageLength });
  for (const term of terms) expect(all.termCounts.get(term)).toBe(some.termCounts.get(term));
  expect(some.termCounts.get('sauna')).toBeGreaterThan(0);
});
