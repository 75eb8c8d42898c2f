import { expect, test } from 'vitest';
import { earlierMessageWeights } from '../../../src/domain/knowledge/retrieval/earlier-message-weights.ts';
import { removeNearDuplicates } from '../../../src/domain/knowledge/retrieval/remove-near-duplicates.ts';

const sentence = 'The mainsail will be delivered on 3 May.';
const correction = 'Sorry, the mainsail will be delivered on 10 May instead.';
const title = 'Earlier message (On Mon, 2 Mar 2026, Petra wrote)';
const hit = (documentId: string, content: string, score = 0.5, startOffset = 0) => ({
  documentId,
  content,
  context: '',
  score,
  startOffset,
});
const old = hit('one', `From: Petra\nDate: 2026-03-02 10:12 UTC\n\n${sentence}`, 0.6);
const quoted = hit('two', `${title}\n\n${sentence}`, 0.5, 60);
const newer = hit('two', correction);

test('a message that another e-mail quotes ranks below the newer one, as a quotation and as an e-mail', () => {
  const weightOf = earlierMessageWeights([old, quoted, newer]);
  expect([old, quoted, newer].map(weightOf)).toEqual([0.6, 0.6, 1]);
});

test('of messages that quote each other, the newest that fits the query ranks first', () => {
  const thanks = hit('three', 'Thank you, that is fine.', 0.2);
  const second = hit('three', `Earlier message (On Tue, Petra wrote)\n\n${correction}`, 0.5, 40);
  const first = hit('three', `${title}\n\n${sentence}`, 0.5, 120);
  const part = { ...first, content: 'It is 12 metres high.', context: `Mail › ${title}` };
  const hits = [old, newer, second, first, part, thanks];
  expect(hits.map(earlierMessageWeights(hits))).toEqual([0.6, 1, 1, 0.6, 0.6, 1]);
  const all = hits.map((one) => (one === thanks ? { ...one, score: 0.4 } : one));
  const weights = all.map(earlierMessageWeights(all));
  expect(weights).toEqual([0.36, 0.6, 0.6, 0.36, 0.36, 1]);
});

test('without a newer message that fits the query, a quoted message keeps its score', () => {
  const weightOf = earlierMessageWeights([old, quoted, hit('two', 'Thank you.', 0.1)]);
  expect([old, quoted].map(weightOf)).toEqual([1, 1]);
  expect(earlierMessageWeights([old, newer])(old)).toBe(1);
});

test('a passage of a document that quotes no message does not make an e-mail older', () => {
  const weightOf = earlierMessageWeights([old, quoted, hit('page', correction, 0.9)]);
  expect([old, quoted].map(weightOf)).toEqual([1, 1]);
});

test('a quotation counts as a near-duplicate of the e-mail that it quotes', () => {
  expect(removeNearDuplicates([quoted, old], 5)).toEqual([old]);
});
