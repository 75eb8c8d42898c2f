import { expect, test, vi } from 'vitest';
import type { Hit } from '../../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { missingMeaning } from '../../../src/domain/knowledge/retrieval/missing-meaning.ts';
import { retrieve } from '../../../src/domain/knowledge/retrieval/retrieve.ts';
import { searchKnowledge } from '../../../src/domain/knowledge/retrieval/search-knowledge.ts';
import type { EmbeddingModel } from '../../../src/models/models.ts';
import { hashEmbedding } from '../../support/hash-embedding.ts';
import { addDocuments } from '../../support/knowledge.ts';
import { sharedService } from '../../support/shared-service.ts';

const { signal } = new AbortController();

function embeddingModel(isInProcess: boolean) {
  const embed = vi.fn(async (texts: readonly string[]) => ({
    vectors: texts.map(hashEmbedding),
    tokens: texts.length,
  }));
  const model: EmbeddingModel = { name: 'hash', isInProcess, embed };
  return { model, embed };
}

function inputOf(query: string, content: string) {
  const hit: Hit = {
    ...{
      chunkId: 'c',
      documentId: 'd',
      documentName: 'Sauna.md',
      content,
      context: '',
      page: null,
      sourceUrl: null,
      metadata: {},
    },
    ...{ startOffset: 0, endOffset: 1, score: 0.5, similarity: 0.5, lexical: 0.5 },
  };
  return { query, queryVector: hashEmbedding(query), vocabularyCoverage: 1, hits: [hit] };
}

test('is the distance between the query with and without each missing word', async () => {
  const { model, embed } = embeddingModel(true);
  const query = 'when does the sauna in Berlin open';
  const { share, embeddingTokens } = await missingMeaning(
    model,
    inputOf(query, 'It opens at noon.'),
    signal,
  );
  expect(embed.mock.calls[0]?.[0]).toEqual(['when does the sauna in open']);
  expect(share).toBeGreaterThan(0.02);
  expect(embeddingTokens).toBe(1);
});

test('embeds nothing if no word is missing, and with a model outside of this process', async () => {
  const { model, embed } = embeddingModel(true);
  const found = await missingMeaning(model, inputOf('When open?', 'It opens at noon.'), signal);
  expect(found).toEqual({ share: 0, embeddingTokens: 0 });
  const remote = embeddingModel(false);
  const query = 'Who sells kayaks in Berlin?';
  const skipped = await missingMeaning(remote.model, inputOf(query, 'It opens.'), signal);
  expect(skipped).toEqual({ share: 0, embeddingTokens: 0 });
  expect([...embed.mock.calls, ...remote.embed.mock.calls]).toEqual([]);
});

test('embeds at most five texts, and is at most 1', async () => {
  const { model, embed } = embeddingModel(true);
  const query = 'kayak tent stove lantern compass whistle rope';
  const { share } = await missingMeaning(model, inputOf(query, 'It opens at noon.'), signal);
  expect(embed.mock.calls[0]?.[0]).toHaveLength(5);
  expect(share).toBeGreaterThan(0.2);
  expect(share).toBeLessThanOrEqual(1);
});

test('is not measured for a search, which has no confidence', async () => {
  const service = await sharedService();
  const { projectId } = await service.createTenant();
  await addDocuments(service, projectId, { 'Sauna.md': 'The sauna opens at noon.' });
  const serving = await service.adapters.models.servingEmbedding();
  const texts: string[] = [];
  const model: EmbeddingModel | null = serving.model && {
    ...serving.model,
    embed: (embedded, options) => {
      texts.push(...embedded);
      return serving.model?.embed(embedded, options) ?? Promise.reject(new Error('no model'));
    },
  };
  const models = {
    ...service.adapters.models,
    servingEmbedding: async () => ({ ...serving, model }),
  };
  const context = { ...service.system, models };
  const query = 'when does the sauna in Berlin open';

  await searchKnowledge(context, { projectId, query });
  expect(texts).toContain(query);
  expect(texts).not.toContain('when does the sauna in open');
  await retrieve(context, { projectId, query, limit: 5 });
  expect(texts).toContain('when does the sauna in open');
});
