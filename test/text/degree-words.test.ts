import { expect, it } from 'vitest';
import { degreeWords } from '../../src/text/degree-words.ts';

it.each([
  ['How high is the fee?', ['high']],
  ['Wie groß ist das Zelt und wie schwer?', ['gross', 'schwer']],
  ['How do I reset it?', []],
  ['Is the tower high?', []],
  ['How longing feels', []],
])('%s', (question, words) => {
  expect(degreeWords(question)).toEqual(words);
});
