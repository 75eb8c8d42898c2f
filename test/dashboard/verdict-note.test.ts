import { expect, test } from 'vitest';
import { verdictNote } from '../../src/dashboard/evaluation/compare/verdict-note.ts';

test('a verdict without a difference is explained if the figures differ much', () => {
  const figure = { verdict: 'NO_DIFFERENCE', before: 1, after: 7 / 11, n: 11 } as const;
  const note = 'With 11 questions, a difference of this size can be chance.';
  expect(verdictNote(figure)).toBe(note);
  expect(verdictNote({ ...figure, before: 7 / 11, after: 1 })).toBe(note);
});

test.each([
  { verdict: 'NO_DIFFERENCE', before: 0.9, after: 0.88, n: 11 },
  { verdict: 'NO_DIFFERENCE', before: 0, after: 0, n: 11 },
  { verdict: 'WORSE', before: 1, after: 0.6, n: 40 },
  { verdict: 'TOO_FEW', before: 1, after: 0.6, n: 5 },
] as const)('$verdict from $before to $after needs no explanation', (figure) => {
  expect(verdictNote(figure)).toBeNull();
});
