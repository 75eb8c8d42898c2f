import { expect, test } from 'vitest';
import { comparedChunks, compareSentences } from '../../src/domain/knowledge/compare-sentences.ts';
import type { Hit } from '../../src/domain/knowledge/hybrid-search.ts';
import type { EmbeddingModel } from '../../src/domain/models/models.ts';
import { hashEmbedding } from '../support/hash-embedding.ts';

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
  const place = { page: null, startOffset: 0, endOffset: content.length, context: '' };
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

function compare(model: EmbeddingModel, hits: readonly Hit[], familiarity = 1) {
  const signal = new AbortController().signal;
  return compareSentences(model, { query, queryVector, familiarity, hits }, signal);
}

test('a chunk with a sentence that says it comes before one that is merely as close as a whole', async () => {
  const { hits, tokens } = await compare(countingModel(), [vague, single]);
  expect(hits.map(({ chunkId }) => chunkId)).toEqual(['single', 'vague']);
  expect(hits[0]?.similarity).toBeGreaterThan(hits[1]?.similarity ?? 1);
  expect(hits[0]?.score).toBeCloseTo(0.45 * (hits[0]?.similarity ?? 0) + 0.55 * 0.5, 10);
  expect(tokens).toBeGreaterThan(0);
});

test('costs a sentence of each of the first hits, and nothing where the model knows no word', async () => {
  const many = Array.from({ length: 30 }, (_, n) => hit(`${n}`, single.content, 0.9 - n / 100));
  const model = countingModel();
  const { hits } = await compare(model, many);
  expect(model.texts).toHaveLength(comparedChunks);
  expect(hits).toHaveLength(30);
  const scores = hits.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((left, right) => right - left));

  const unused = countingModel();
  expect(await compare(unused, many, 0)).toEqual({ hits: many, tokens: 0 });
  expect(unused.texts).toEqual([]);
});

test('embeds a sentence once, and another of the same chunk when it is asked for', async () => {
  const model = countingModel();
  const first = await compare(model, [vague, single]);
  const again = await compare(model, [vague, single]);
  expect(model.texts).toHaveLength(2);
  expect(again.hits).toEqual(first.hits);
  expect(again.tokens).toBe(0);

  const query = 'Which windows of the lounge are open?';
  const signal = new AbortController().signal;
  const input = { query, queryVector: hashEmbedding(query), familiarity: 1, hits: [vague, single] };
  const other = await compareSentences(model, input, signal);
  expect(model.texts).toHaveLength(3);
  expect(model.texts[2]).toContain('lounge');
  expect(other).toEqual({
    ...(await compareSentences(countingModel(), input, signal)),
    tokens: 1,
  });
});

test('remembers a bounded number of sentences, the latest', async () => {
  const model = countingModel();
  const many = Array.from({ length: 4_200 }, (_, n) => hit(`${n}`, 'It was tuned.'));
  for (let n = 0; n < many.length; n += comparedChunks) {
    await compare(model, many.slice(n, n + comparedChunks));
  }
  expect(model.texts).toHaveLength(4_200);
  await compare(model, many.slice(-comparedChunks));
  expect(model.texts).toHaveLength(4_200);
  await compare(model, many.slice(0, comparedChunks));
  expect(model.texts).toHaveLength(4_200 + comparedChunks);
});
