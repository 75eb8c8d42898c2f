import { describe, expect, test } from 'vitest';
import { problemsOf } from '../../src/dashboard/evaluation/runs/result-problems.ts';

const right = {
  mustRefuse: false,
  rank: 1,
  firstCitationRight: true,
  containsExpected: true,
  refused: false,
  error: null,
};

describe('the problems of an answer', () => {
  test('are none if it is as expected, or if nothing is expected', () => {
    const nothing = { rank: null, firstCitationRight: null, containsExpected: null };
    expect(problemsOf(right)).toEqual([]);
    expect(problemsOf({ ...right, ...nothing })).toEqual([]);
    expect(problemsOf({ ...right, ...nothing, mustRefuse: true, refused: true })).toEqual([]);
  });

  test('are all judgements that are not as expected', () => {
    const wrong = { rank: null, firstCitationRight: false, containsExpected: false, refused: true };
    expect(problemsOf({ ...right, ...wrong })).toEqual([
      'Refused wrongly',
      'Expected text is missing',
      'Document not found',
      'First citation is wrong',
    ]);
    expect(problemsOf({ ...right, mustRefuse: true })).toEqual(['Should have been refused']);
    expect(problemsOf({ ...right, refused: null, error: 'Too slow' })).toEqual(['No answer']);
  });
});
