import { expect, test } from 'vitest';
import { computeAgreement } from '../../../src/domain/evaluation/agreement.ts';

const counts = (
  bothRight: number,
  onlyModelRight: number,
  onlyMarkRight: number,
  bothWrong: number,
) => computeAgreement({ bothRight, onlyModelRight, onlyMarkRight, bothWrong });

test('there is none without marks', () => {
  expect(counts(0, 0, 0, 0)).toBeNull();
});

test('18 of 20, worked out by hand', () => {
  const agreement = counts(12, 1, 1, 6);
  expect(agreement).toMatchObject({ n: 20, share: 0.9 });
  // Wilson: (0.9 + 0.19208 / 2 ± 1.96 · √((0.09 + 0.04802) / 20)) / 1.19208
  expect(agreement?.low).toBeCloseTo(0.699, 3);
  expect(agreement?.high).toBeCloseTo(0.9721, 3);
  // By chance: (13 · 13 + 7 · 7) / 400 = 0.545. Kappa: (0.9 − 0.545) / 0.455
  expect(agreement?.kappa).toBeCloseTo(0.7802, 4);
});

test('kappa is 1 for full agreement, 0 for that of chance, and negative below', () => {
  expect(counts(3, 0, 0, 2)).toMatchObject({ share: 1, high: 1, kappa: 1 });
  expect(counts(4, 4, 4, 4)?.kappa).toBe(0);
  expect(counts(0, 5, 5, 0)).toMatchObject({ share: 0, low: 0, kappa: -1 });
});

test('the agreement of a model that always finds the same is worth nothing', () => {
  expect(counts(18, 2, 0, 0)).toMatchObject({ share: 0.9, kappa: 0 });
});

test('kappa is undefined if all verdicts and marks are the same', () => {
  expect(counts(7, 0, 0, 0)).toMatchObject({ n: 7, share: 1, kappa: null });
});
