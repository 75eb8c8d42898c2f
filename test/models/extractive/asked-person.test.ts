import { expect, test } from 'vitest';
import { asksForPerson, namesPerson } from '../../../src/models/extractive/asked-person.ts';

test.each([
  ['Who is the head of IT?', true],
  ["Who's your CEO?", true],
  ['Wer ist der Leiter der IT?', true],
  ['Who can vote?', false],
  ['Who is allowed to vote?', false],
  ['Who was the largest producer of oil?', false],
  ['Who is responsible for the budget?', true],
  ['Wer ist für den Einkauf zuständig?', true],
])('%s', (question, expected) => {
  expect(asksForPerson(question)).toBe(expected);
});

test.each([
  ['The head of IT is Omar Reyes.', true],
  ['IT — Head: Omar', true],
  ['Head of IT is Nils since May.', true],
  ['Position Summary: The head of IT leads all projects of Harbour.', false],
  ['The head of IT (CIO) is a key member of the team.', false],
])('%s', (text, expected) => {
  expect(namesPerson(text, 'Who is the head of IT at Harbour?')).toBe(expected);
});
