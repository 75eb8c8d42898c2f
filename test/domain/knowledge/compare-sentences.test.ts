import { describe, expect, test } from 'vitest';
import type { Hit } from '../../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { rankHits } from '../../../src/domain/knowledge/retrieval/rank-hits.ts';
import {
  rerankBySentences,
  sentenceRerankDepth,
} from '../../../src/domain/knowledge/retrieval/rerank-by-sentences.ts';
import type { EmbeddingModel } from '../../../src/models/models.ts';
import { hashEmbedding } from '../../support/hash-embedding.ts';

const query = 'When was the piano tuned?';
const queryVector = hashEmbedding(query);

function countingModel(): EmbeddingModel & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    name: 'hash',
    texts,
    async embed(given) {
      texts.push(...given);
      return { vectors: given.map(hashEmbedding), tokens: given.length };
    },
  };
}

function hit(chunkId: string, content: string, score = 0.5): Hit {
  const place = {
    page: null,
    sourceUrl: null,
    metadata: {},
    startOffset: 0,
    endOffset: content.length,
    context: '',
  };
  const document = { documentId: chunkId, documentName: 'a' };
  return { chunkId, ...document, content, ...place, score, similarity: score, lexical: score };
}

const single = hit(
  'single',
  'The lounge holds forty guests and its windows open to the harbour and the old lighthouse.\n\nThe piano was tuned when the summer began.\n\nBreakfast is laid out on the long tables of the conservatory from seven until ten each day.',
);
const vague = hit(
  'vague',
  'Our musicians were asked about the instruments they had tried in the course of the year.',
);

function compare(model: EmbeddingModel, hits: readonly Hit[], vocabularyCoverage = 1) {
  const signal = new AbortController().signal;
  return rerankBySentences(
    model,
    { query, queryVector, vocabularyCoverage: vocabularyCoverage, hits },
    signal,
  );
}

test('a chunk with a matching sentence ranks before a chunk that is only similar as a whole', async () => {
  const { hits, embeddingTokens: tokens } = await compare(countingModel(), [vague, single]);
  expect(hits.map(({ chunkId }) => chunkId)).toEqual(['single', 'vague']);
  expect(hits[0]?.similarity).toBeGreaterThan(hits[1]?.similarity ?? 1);
  expect(hits[0]?.score).toBeCloseTo(0.45 * (hits[0]?.similarity ?? 0) + 0.55 * 0.5, 10);
  expect(tokens).toBeGreaterThan(0);
});

test('embeds one sentence of each of the first hits, and none if the model knows no word of the query', async () => {
  const many = Array.from({ length: 30 }, (_, n) => hit(`${n}`, single.content, 0.9 - n / 100));
  const model = countingModel();
  const { hits } = await compare(model, many);
  expect(model.texts).toHaveLength(sentenceRerankDepth);
  expect(hits).toHaveLength(30);
  const scores = hits.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((left, right) => right - left));

  const unused = countingModel();
  expect(await compare(unused, many, 0)).toEqual({ hits: many, embeddingTokens: 0 });
  expect(unused.texts).toEqual([]);
});

test('embeds a sentence once, and another sentence of the same chunk on demand', async () => {
  const model = countingModel();
  const first = await compare(model, [vague, single]);
  const again = await compare(model, [vague, single]);
  expect(model.texts).toHaveLength(2);
  expect(again.hits).toEqual(first.hits);
  expect(again.embeddingTokens).toBe(0);

  const query = 'Which windows of the lounge are open?';
  const signal = new AbortController().signal;
  const input = {
    query,
    queryVector: hashEmbedding(query),
    vocabularyCoverage: 1,
    hits: [vague, single],
  };
  const other = await rerankBySentences(model, input, signal);
  expect(model.texts).toHaveLength(3);
  expect(model.texts[2]).toContain('lounge');
  expect(other).toEqual({
    ...(await rerankBySentences(countingModel(), input, signal)),
    embeddingTokens: 1,
  });
});

test('caches a bounded number of the most recent sentences', async () => {
  const model = countingModel();
  const many = Array.from({ length: 4_200 }, (_, n) => hit(`${n}`, 'It was tuned.'));
  for (let n = 0; n < many.length; n += sentenceRerankDepth) {
    await compare(model, many.slice(n, n + sentenceRerankDepth));
  }
  expect(model.texts).toHaveLength(4_200);
  await compare(model, many.slice(-sentenceRerankDepth));
  expect(model.texts).toHaveLength(4_200);
  await compare(model, many.slice(0, sentenceRerankDepth));
  expect(model.texts).toHaveLength(4_200 + sentenceRerankDepth);
});

describe('a model on a server', () => {
  const ranking = { query, queryVector, vocabularyCoverage: 1, reranker: null, limit: 6 };
  async function similarities(model: EmbeddingModel) {
    const signal = new AbortController().signal;
    const { hits } = await rankHits({ ...ranking, model, hits: [vague, single] }, signal);
    return hits.map(({ similarity }) => similarity);
  }

  test('embeds sentences in one call if that is enabled', async () => {
    const off = countingModel();
    expect(await similarities(off)).toEqual([0.5, 0.5]);
    expect(off.texts).toEqual([]);
    const on = countingModel();
    expect(await similarities({ ...on, comparesSentences: true })).not.toContain(0.5);
    expect(on.texts).toHaveLength(2);
  });

  test('keeps the result of the search if it fails', async () => {
    const failing: EmbeddingModel = {
      name: 'failing',
      comparesSentences: true,
      embed: async () => Promise.reject(new Error('down')),
    };
    expect(await similarities(failing)).toEqual([0.5, 0.5]);
  });
});
