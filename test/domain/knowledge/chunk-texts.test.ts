import { expect, test } from 'vitest';
import { createChunkTexts } from '../../../src/domain/knowledge/retrieval/project-index/chunk-texts.ts';

const textOf = (content: string) => ({
  content,
  context: '',
  page: 1,
  startOffset: 0,
  endOffset: 1,
});

test('returns texts of the same project only', () => {
  const texts = createChunkTexts(10_000);
  texts.add('p1', 'c1', textOf('sauna'));
  expect(texts.find('p1', 'c1')).toEqual(textOf('sauna'));
  expect(texts.find('p2', 'c1')).toBeNull();
  expect(texts.find('p1', 'c2')).toBeNull();
});

test('stays within its limit and keeps the texts that are found', () => {
  const texts = createChunkTexts(10_000);
  texts.add('p1', 'often', textOf('x'.repeat(500)));
  for (let n = 0; n < 1_000; n += 1) {
    texts.add('p1', `c${n}`, textOf('x'.repeat(500)));
    expect(texts.bytes).toBeLessThanOrEqual(10_000);
    expect(texts.find('p1', 'often')).not.toBeNull();
  }
  expect(texts.find('p1', 'c999')).not.toBeNull();
  expect(texts.find('p1', 'c1')).toBeNull();
});

test('a text that alone exceeds the limit is not kept', () => {
  const texts = createChunkTexts(1_000);
  texts.add('p1', 'c1', textOf('x'.repeat(5_000)));
  expect(texts.find('p1', 'c1')).toBeNull();
  expect(texts.bytes).toBe(0);
});
