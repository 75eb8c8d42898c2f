import { expect, test } from 'vitest';
import { earlierMessageWeights } from '../../../src/domain/knowledge/retrieval/earlier-message-weights.ts';
import { removeNearDuplicates } from '../../../src/domain/knowledge/retrieval/remove-near-duplicates.ts';

const sentence = 'The mainsail will be delivered on 3 May.';
const hit = (content: string, score = 0.5) => ({ content, context: '', score });
const old = hit(`From: Petra\nDate: 2026-03-02 10:12 UTC\n\n${sentence}`, 0.6);
const quoted = hit(`Earlier message (On Mon, 2 Mar 2026, Petra wrote)\n\n${sentence}`);
const newer = hit('Sorry, the mainsail will be delivered on 10 May instead.');

test('a message that another e-mail quotes ranks below the newer one, as a quotation and as an e-mail', () => {
  const weightOf = earlierMessageWeights([old, quoted, newer]);
  expect([old, quoted, newer].map(weightOf)).toEqual([0.6, 0.6, 1]);
});

test('without a newer message that fits the query, a quoted message keeps its score', () => {
  const weightOf = earlierMessageWeights([old, quoted, hit('Thank you.', 0.1)]);
  expect([old, quoted].map(weightOf)).toEqual([1, 1]);
  expect(earlierMessageWeights([old, newer])(old)).toBe(1);
});

test('a quotation counts as a near-duplicate of the e-mail that it quotes', () => {
  expect(removeNearDuplicates([quoted, old], 5)).toEqual([old]);
});
