import { expect, test } from 'vitest';
import { signTest } from '../../../src/domain/evaluation/statistics.ts';

test.each([
  [0, 0, 1],
  [1, 0, 1],
  [5, 0, 0.0625],
  [6, 0, 0.03125],
  // Computed with exact integers.
  [12, 2, 0.0129394531],
  [4, 12, 0.0768127441],
  [8, 8, 1],
])('of %i and %i changes has the exact p-value %d', (left, right, p) => {
  expect(signTest(left, right)).toBeCloseTo(p, 9);
  expect(signTest(right, left)).toBe(signTest(left, right));
});

test('of thousands of changes is between 0 and 1', () => {
  expect(signTest(5_000, 5_000)).toBe(1);
  expect(signTest(5_100, 4_900)).toBeCloseTo(0.0466, 3);
  expect(signTest(10_000, 0)).toBe(0);
});
