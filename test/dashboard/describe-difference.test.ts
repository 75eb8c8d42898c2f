import { expect, test } from 'vitest';
import { describeDifference } from '../../src/dashboard/playground/compare/describe-difference.ts';

const answer = (content: string, ...chunkIds: string[]) => ({
  content,
  citations: chunkIds.map((chunkId) => ({ chunkId })),
});

test.each([
  ['Only A answers. B refuses.', answer('Noon [1]', 'a'), answer('I do not know')],
  ['Only B answers. A refuses.', answer('I do not know'), answer('Noon [1]', 'a')],
  ['Both refuse.', answer('I do not know'), answer('I do not know')],
  ['Both give the same answer.', answer('Noon [1]', 'a'), answer('Noon [1]', 'a')],
  [
    'Both give the same answer, from different sources.',
    answer('Noon [1]', 'a'),
    answer('Noon [1]', 'b'),
  ],
  ['Both answer, with different texts.', answer('Noon [1]', 'a'), answer('At noon [1]', 'a')],
])('%s', (sentence, a, b) => {
  expect(describeDifference(a, b)).toBe(sentence);
});
