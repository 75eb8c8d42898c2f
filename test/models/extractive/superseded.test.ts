import { expect, test } from 'vitest';
import { supersededPenalty } from '../../../src/models/extractive/superseded.ts';

const old = [
  'Until 31 May 2024 the fee was £6.',
  'Bis zum 31. Dezember 2024 galten 30 Cent.',
  "Jusqu'au 29 février 2024, il était limité à un jour.",
  'Früher waren es zehn Zeichen.',
];
const current = [
  'From 1 June 2024 the fee is £8.',
  'You can cancel until 6 pm two days before arrival.',
  'Until the dock is free, wait.',
];

test.each(old)('a statement that ended is no answer: %s', (text) => {
  expect(supersededPenalty('What is the fee?')(text)).toBeGreaterThan(0);
  expect(supersededPenalty('What was the previous fee?')(text)).toBe(0);
});

test.each(current)('a statement that applies is one: %s', (text) => {
  expect(supersededPenalty('What is the fee?')(text)).toBe(0);
});

test('for the old rule, a row with its end is the answer', () => {
  const penaltyOf = supersededPenalty('How much could I claim under the old rules?');
  expect(penaltyOf('Desk — Version 3 (until 31 August): £180, Version 4: £250')).toBe(0);
  expect(penaltyOf('You may claim up to £250 for a desk.')).toBeGreaterThan(0);
  expect(supersededPenalty('How old is the building?')('You may claim up to £250.')).toBe(0);
});
