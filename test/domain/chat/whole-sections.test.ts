import { expect, test } from 'vitest';
import {
  addWholeSections,
  isWholeSection,
  type NearChunk,
} from '../../../src/domain/chat/evidence/whole-sections.ts';
import type { Hit } from '../../../src/domain/knowledge/retrieval/hybrid-search.ts';

const limits = { maxChunks: 10, maxTokens: 4_000, maxSectionTokens: 100 };

/** A chunk of ten words. `blocks` begins with `h` if its first block is a heading. */
function chunk(position: number, blocks: string | null, documentId = 'guide'): NearChunk {
  const place = { context: '', page: null, startOffset: position, endOffset: position + 1 };
  const content = `part ${position} `.repeat(5);
  return { chunkId: `${documentId} ${position}`, documentId, position, content, blocks, ...place };
}
const hit = (position: number, documentId = 'guide') =>
  ({ ...chunk(position, null, documentId), score: 1 }) as unknown as Hit;
const added = (hits: readonly Hit[], near: readonly NearChunk[], others = {}) =>
  addWholeSections(hits, near, { ...limits, ...others })
    .map(({ chunkId }) => chunkId)
    .filter((id) => !hits.some(({ chunkId }) => chunkId === id));

const guide = [
  chunk(0, 'h0,5 p2,9'),
  chunk(1, 'h0,5 p2,9'),
  chunk(2, 'p0,9'),
  chunk(3, 'i0,9'),
  chunk(4, 'h0,5 p2,9'),
];

test('a section is completed from its heading to the next one', () => {
  expect(added([hit(2)], guide)).toEqual(['guide 1', 'guide 3']);
  expect(added([hit(0)], guide)).toEqual([]);
  expect(added([hit(4)], guide)).toEqual([]);
});

test('each chunk is there once, and sections of other documents are not mixed', () => {
  expect(added([hit(2), hit(3)], guide)).toEqual(['guide 1']);
  const other = [chunk(1, 'p0,9', 'other'), chunk(2, 'p0,9', 'other')];
  expect(added([hit(2)], [...guide, ...other])).toEqual(['guide 1', 'guide 3']);
});

test('a section that does not fit is left out', () => {
  expect(added([hit(2)], guide, { maxSectionTokens: 15 })).toEqual([]);
  expect(added([hit(2)], guide, { maxTokens: 20 })).toEqual([]);
  expect(added([hit(2)], guide, { maxSectionTokens: 0 })).toEqual([]);
});

test('a whole section takes the place of the last hits', () => {
  const last = hit(1, 'other');
  const found = addWholeSections([hit(2), last], guide, { ...limits, maxChunks: 3 });
  expect(found.map(({ chunkId }) => chunkId)).toEqual(['guide 2', 'guide 1', 'guide 3']);
});

test('a section whose start or end was not read is left out', () => {
  expect(added([hit(2)], guide.slice(2))).toEqual([]);
  const long = Array.from({ length: 9 }, (_, n) => chunk(n, n === 0 ? 'h0,5' : 'p0,9'));
  expect(added([hit(4)], long)).toEqual([]);
  expect(added([hit(7)], long.slice(3))).toEqual([]);
});

test('a chunk without known blocks counts as a section of its own', () => {
  expect(added([hit(1)], [chunk(0, null), chunk(1, null), chunk(2, null)])).toEqual([]);
});

test('a short chunk that begins with a heading, or with its document, is a whole section', () => {
  const short = { ...hit(3), blocks: 'h0,5 p2,9' };
  expect(isWholeSection(short)).toBe(true);
  expect(isWholeSection({ ...short, blocks: 'p0,9' })).toBe(false);
  expect(isWholeSection({ ...short, blocks: 'p0,9', startOffset: 0 })).toBe(true);
  expect(isWholeSection({ ...short, content: 'word '.repeat(200) })).toBe(false);
});
