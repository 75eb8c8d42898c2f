import { expect, it, test } from 'vitest';
import { sentenceSpans } from '../../src/text/sentence-spans.ts';

it.each([
  ['The U.S. District Court ruled in May. It was final.', 2],
  ['Sales rose in the U.S. The company opened a shop.', 2],
  ['Harbour Works, Inc. (“Harbour”) filed a lawsuit. It lost.', 2],
  ['The shop belongs to Harbour Works, Inc. Customers like it.', 2],
  ['The U.K. Parliament met.', 1],
  ['Fill in the form here (https://a.example/form?id=7!x#top). It takes a day.', 2],
  ['See https://a.example/form. Then wait?', 2],
  ['It opened in May.[12] Its owner [3] sold it.[4][5] It closed.', 3],
])('"%s" has %i sentences', (text, count) => {
  expect(sentenceSpans(text).map(({ start, end }) => text.slice(start, end))).toHaveLength(count);
});

test('a long text without spaces after its address takes linear time', () => {
  const text = `https://a.example/${'b?'.repeat(300_000)}`;
  expect(sentenceSpans(text).at(-1)?.end).toBe(text.length);
});
