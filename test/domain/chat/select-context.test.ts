import { expect, test } from 'vitest';
import { selectContext } from '../../../src/domain/chat/evidence/select-context.ts';
import type { Hit } from '../../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { defaultContextLimits } from '../../../src/models/context-limits.ts';
import { estimateTokens } from '../../../src/text/estimate-tokens.ts';

function hit(documentId: string, score: number): Hit {
  const place = {
    page: null,
    sourceUrl: null,
    metadata: {},
    startOffset: 0,
    endOffset: 1,
    context: '',
  };
  const chunk = { chunkId: `${documentId} ${score}`, content: 'x', ...place };
  return { documentId, documentName: documentId, ...chunk, score, similarity: 0, lexical: 0 };
}

function chosen(hits: readonly Hit[], isExtractive: boolean): string[] {
  return selectContext(hits, { isExtractive }).map(({ chunkId }) => chunkId);
}

const hits = [hit('a', 0.8), hit('b', 0.77), hit('c', 0.7), hit('a', 0.6), hit('a', 0.2)];

test('an extractive model receives the best document, and others only if they score as high', () => {
  expect(chosen(hits, true)).toEqual(['a 0.8', 'b 0.77', 'a 0.6']);
});

test('an extractive model receives another document from 90 % of the best score on', () => {
  expect(chosen([hit('a', 0.8), hit('b', 0.73), hit('c', 0.71)], true)).toEqual([
    'a 0.8',
    'b 0.73',
  ]);
});

test('for several questions, an extractive model receives another document from 60 % on', () => {
  const found = [hit('a', 0.8), hit('b', 0.5), hit('c', 0.45)];
  const of = (question: string) =>
    selectContext(found, { isExtractive: true }, question).map(({ chunkId }) => chunkId);
  expect(of('What does it cost and where is it?')).toEqual(['a 0.8', 'b 0.5']);
  expect(of('What does it cost?')).toEqual(['a 0.8']);
});

test('an extractive model receives chunks of the best document from 35 % of the best score on', () => {
  expect(chosen([hit('a', 0.8), hit('b', 0.5), hit('a', 0.29), hit('a', 0.27)], true)).toEqual([
    'a 0.8',
    'a 0.29',
  ]);
});

test('an extractive model receives other documents only if they are among the first four', () => {
  const near = Array.from({ length: 4 }, (_, n) => hit('a', 0.8 - n / 1000));
  expect(chosen([...near, hit('b', 0.79)], true)).toHaveLength(4);
});

test('a generative model receives every result near the best', () => {
  expect(chosen(hits, false)).toEqual(['a 0.8', 'b 0.77', 'c 0.7', 'a 0.6']);
});

test('there is at least one context chunk if there are results, and never too many', () => {
  expect(chosen([hit('a', 0)], true)).toEqual(['a 0']);
  expect(chosen([], false)).toEqual([]);
  const many = Array.from({ length: 20 }, (_, n) => hit('a', 0.8 - n / 1000));
  expect(chosen(many, true)).toHaveLength(6);
  expect(chosen(many, false)).toHaveLength(defaultContextLimits.maxChunks);
});

test('the chunks of a generative model are cut to its limits', () => {
  const long = Array.from({ length: 6 }, (_, n) => ({
    ...hit('a', 0.8 - n / 1000),
    content: 'word '.repeat(100),
  }));
  const count = (maxChunks: number, maxTokens: number) =>
    selectContext(long, { contextLimits: { maxChunks, maxTokens, maxSectionTokens: 0 } }).length;
  expect(count(4, 100_000)).toBe(4);
  expect(count(10, 3 * estimateTokens(long[0]?.content ?? ''))).toBe(3);
  expect(count(10, 1)).toBe(1);
});
