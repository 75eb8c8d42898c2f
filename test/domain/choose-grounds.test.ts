import { expect, test } from 'vitest';
import { chooseGrounds, maxGrounds } from '../../src/domain/chat/choose-grounds.ts';
import type { Hit } from '../../src/domain/knowledge/hybrid-search.ts';

function hit(documentId: string, score: number): Hit {
  const place = { page: null, startOffset: 0, endOffset: 1, context: '' };
  const chunk = { chunkId: `${documentId} ${score}`, content: 'x', ...place };
  return { documentId, documentName: documentId, ...chunk, score, similarity: 0, lexical: 0 };
}

function chosen(hits: readonly Hit[], isExtractive: boolean): string[] {
  return chooseGrounds(hits, { isExtractive }).map(({ chunkId }) => chunkId);
}

const hits = [hit('a', 0.8), hit('b', 0.77), hit('c', 0.7), hit('a', 0.6), hit('a', 0.3)];

test('a model that quotes gets the best document, and others only where they are as good', () => {
  expect(chosen(hits, true)).toEqual(['a 0.8', 'b 0.77', 'a 0.6']);
});

test('a model that reads gets all that is near the best', () => {
  expect(chosen(hits, false)).toEqual(['a 0.8', 'b 0.77', 'c 0.7', 'a 0.6']);
});

test('there is always a ground where something was found, and never too many', () => {
  expect(chosen([hit('a', 0)], true)).toEqual(['a 0']);
  expect(chosen([], false)).toEqual([]);
  const many = Array.from({ length: 20 }, (_, n) => hit('a', 0.8 - n / 1000));
  expect(chosen(many, false)).toHaveLength(maxGrounds);
});
