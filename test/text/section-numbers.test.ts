import { expect, test } from 'vitest';
import { answerCandidates } from '../../src/models/extractive/answer-candidates.ts';
import { scoreByWords } from '../../src/models/extractive/rank-candidates.ts';
import {
  askedSections,
  sectionNumbers,
  separateSectionNumber,
} from '../../src/text/section-numbers.ts';

test.each([
  ['What does section 3.2 say?', ['3.2']],
  ['article 4.2 n', ['4.2']],
  ['Was steht in § 12?', ['12']],
  ['Compare clauses 2.1 and section 2.3.', ['2.1', '2.3']],
  ['Is version 3.2 supported?', []],
  ['How much are 3.2 kg?', []],
])('%s', (question, numbers) => {
  expect(askedSections(question)).toEqual(numbers);
});

test('the number at the start of a heading is its section', () => {
  const headings = [
    '3 Liability',
    '3.2. Ice',
    '§ 12 Pets',
    'Article 4.2',
    'Ice 3.2',
    '2026 plan',
    '3.2Ice',
  ];
  expect(sectionNumbers(headings)).toEqual(['3', '3.2', '12', '4.2', '3.2']);
});

test('a question for section 3.2 prefers its text to that of 3.12, 13.2, 2.3 and 32', () => {
  const numbers = ['13.2', '3.12', '2.3', '3.2', '32'];
  const sources = numbers.map((number) => ({
    documentName: 'terms',
    context: 'Terms',
    content: `${number} Pier\n\nThe pier of ${number.replaceAll('.', ' ')} is closed in winter.`,
  }));
  const ranked = scoreByWords('What does section 3.2 say?', answerCandidates(sources));
  const best = ranked.toSorted((left, right) => right.score - left.score)[0];
  expect(best?.text).toBe('The pier of 3 2 is closed in winter.');
});

test.each([
  ['3.2Ice', '3.2 Ice'],
  ['3.2.Ice', '3.2. Ice'],
  ['10.1.12Über uns', '10.1.12 Über uns'],
  ['3.2 Ice', '3.2 Ice'],
  ['3Dimensions', '3Dimensions'],
  ['2.4GHz networks', '2.4GHz networks'],
  ['1.5kg bags', '1.5kg bags'],
])('the number of the heading %s is separate', (heading, separated) => {
  expect(separateSectionNumber(heading)).toBe(separated);
});

test('in a file of LibreOffice, the number of each heading is separate', () => {
  expect(separateSectionNumber('3Liability', true)).toBe('3 Liability');
  expect(separateSectionNumber('2026 plan', true)).toBe('2026 plan');
});
