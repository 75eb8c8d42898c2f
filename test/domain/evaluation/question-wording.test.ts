import { expect, test } from 'vitest';
import { wordingOf } from '../../../src/domain/evaluation/question-wording.ts';

test.each([
  ['case', 'When does the SAUNA open?'],
  ['white space at the ends', '  When does the sauna open?\n'],
  ['white space between words', 'When\tdoes  the\u00a0sauna\r\nopen?'],
])('questions that differ in %s have the same wording', (_difference, question) => {
  expect(wordingOf(question)).toBe(wordingOf('When does the sauna open?'));
});

test('composed and decomposed letters have the same wording', () => {
  expect(wordingOf('Où est le cafe\u0301 ?')).toBe(wordingOf('où est le café ?'));
});

test('questions with other words or punctuation have different wordings', () => {
  const wordings = ['When does it open?', 'When does it open', 'When does it close?', 'Wann?'];
  expect(new Set(wordings.map(wordingOf)).size).toBe(wordings.length);
});

test.each(['', ' ', '\n\t\u00a0'])('a blank question has an empty wording', (question) => {
  expect(wordingOf(question)).toBe('');
});
