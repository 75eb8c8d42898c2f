import { describe, expect, it } from 'vitest';
import { binomialAtMost, upperBound } from '../../../src/domain/calibration/binomial.ts';

describe('binomialAtMost', () => {
  it('equals the sum of the probabilities', () => {
    expect(binomialAtMost(0, 10, 0.1)).toBeCloseTo(0.9 ** 10, 12);
    expect(binomialAtMost(2, 4, 0.5)).toBeCloseTo((1 + 4 + 6) / 16, 12);
    expect(binomialAtMost(4, 4, 0.5)).toBe(1);
  });

  it('works for numbers whose terms do not fit into a float', () => {
    // Median of a binomial distribution.
    expect(binomialAtMost(10_000, 20_000, 0.5)).toBeCloseTo(0.5, 2);
    expect(binomialAtMost(20, 20_000, 0.5)).toBe(0);
  });
});

describe('upperBound', () => {
  // Values of the beta distribution, which Clopper and Pearson's interval uses: qbeta(.95, wrong + 1, n - wrong).
  it.each([
    [0, 59, 0.0495],
    [1, 93, 0.05001],
    [5, 100, 0.10225],
    [50, 1_000, 0.06294],
  ])('of %i wrong of %i', (wrong, answers, bound) => {
    expect(upperBound(wrong, answers, 0.95)).toBeCloseTo(bound, 3);
  });

  it('is 1 without answers, and if all are wrong', () => {
    expect(upperBound(0, 0, 0.95)).toBe(1);
    expect(upperBound(3, 3, 0.95)).toBe(1);
  });
});
