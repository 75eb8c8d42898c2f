import { expect, test } from 'vitest';
import { preferCitedDocument } from '../../../src/domain/chat/prefer-cited-document.ts';
import type { Hit } from '../../../src/domain/knowledge/retrieval/hybrid-search.ts';

const hit = (documentId: string, score: number) => ({ documentId, score }) as unknown as Hit;
const history = [
  { role: 'USER', content: 'May I bring a dog?' },
  { role: 'ASSISTANT', content: 'Dogs are welcome. [1]', citedDocumentId: 'house-rules' },
] as const;
const hits = [hit('speaker-guide', 0.5), hit('house-rules', 0.4), hit('speaker-guide', 0.3)];
const order = (question: string, about: Parameters<typeof preferCitedDocument>[1] = history) =>
  preferCitedDocument(question, about, hits).map(({ documentId }) => documentId);

test('a short question stays with the document of the latest answer', () => {
  expect(order('And the fee?')[0]).toBe('house-rules');
  expect(order('When must I leave the room?')[0]).toBe('house-rules');
});

test('a long question, and the first one, are found by their own words', () => {
  const long =
    'Which expenses of speakers does the conference in Lisbon refund before the workshop?';
  expect(order(long)[0]).toBe('speaker-guide');
  expect(order('And the fee?', [])[0]).toBe('speaker-guide');
});

test('a document without a hit changes nothing, and scores stay at most 1', () => {
  const other = [{ ...history[1], citedDocumentId: 'elsewhere' }];
  expect(preferCitedDocument('And the fee?', other, hits)).toEqual(hits);
  expect(preferCitedDocument('And the fee?', history, [hit('house-rules', 0.9)])[0]?.score).toBe(1);
});
