import { describe, expect, it } from 'vitest';
import {
  type FoldCount,
  fitConfidenceMap,
} from '../../../src/domain/calibration/confidence-map.ts';
import { seededRandom } from '../../../src/domain/evaluation/seeded-random.ts';

describe('fitConfidenceMap', () => {
  it('finds the share of accepted answers of a project whose confidence is too high', () => {
    const map = fitConfidenceMap(sample(4_000, (confidence) => confidence ** 3, 1));
    expect(map?.verdict).toBe('BETTER');
    expect(map?.calibrationErrorBefore).toBeGreaterThan(0.2);
    expect(map?.calibrationErrorAfter).toBeLessThan(0.05);
    const at = (confidence: number) =>
      map?.points.find((point) => Math.abs(point.confidence - confidence) < 1e-9)?.accepted;
    expect(at(0.5)).toBeCloseTo(0.125, 1);
    expect(at(0.9)).toBeCloseTo(0.729, 1);
  });

  it('changes nothing that the answers can show if the confidence is right', () => {
    const map = fitConfidenceMap(sample(2_000, (confidence) => confidence, 2));
    expect(map?.verdict).toBe('NO_DIFFERENCE');
    for (const { confidence, low, high } of map?.points ?? []) {
      expect(low).toBeLessThan(confidence + 0.1);
      expect(high).toBeGreaterThan(confidence - 0.1);
    }
  });

  it('has an interval that contains the true share, and narrows with more answers', () => {
    const truth = (confidence: number) =>
      1 / (1 + Math.exp(1 - 1.5 * Math.log(confidence / (1 - confidence))));
    const widthAt = (size: number) => {
      let hits = 0;
      let width = 0;
      for (let seed = 0; seed < 100; seed += 1) {
        const point = fitConfidenceMap(sample(size, truth, seed))?.points[14];
        if (point === undefined) continue;
        hits += Number(point.low <= truth(0.7) && truth(0.7) <= point.high);
        width += point.high - point.low;
      }
      expect(hits / 100).toBeGreaterThan(0.9);
      return width / 100;
    };
    expect(widthAt(2_000)).toBeLessThan(widthAt(300) / 2);
  });

  it('follows a share that rises in one step, and stays below 1 above it', () => {
    const map = fitConfidenceMap(
      sample(2_000, (confidence) => (confidence < 0.55 ? 0.3 : 0.93), 3),
    );
    expect(map?.method).toBe('ISOTONIC');
    const at = (step: number) => map?.points[step];
    for (const [step, share] of [
      [4, 0.3],
      [8, 0.3],
      [14, 0.93],
      [19, 0.93],
    ] as const) {
      expect(at(step)?.low).toBeLessThan(share + 0.02);
      expect(at(step)?.high).toBeGreaterThan(share - 0.02);
      expect(at(step)?.accepted).toBeCloseTo(share, 0);
    }
  });

  it('never falls as the confidence rises', () => {
    for (let seed = 10; seed < 30; seed += 1) {
      const map = fitConfidenceMap(sample(150, (confidence) => 0.4 + 0.4 * confidence ** 4, seed));
      const shares = map?.points.map(({ accepted }) => accepted) ?? [];
      expect(shares).toHaveLength(21);
      if (map?.method === 'ISOTONIC') expect(shares).toEqual(shares.toSorted((a, b) => a - b));
      for (const { accepted, low, high } of map?.points ?? []) {
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        // Apart from rounding.
        expect(accepted).toBeGreaterThanOrEqual(low - 1e-9);
        expect(accepted).toBeLessThanOrEqual(high + 1e-9);
      }
    }
  });

  it('is off until there are enough answers of both kinds', () => {
    const few = (answers: number, accepted: number): FoldCount[] => [
      { confidence: 0.5, answers, accepted, fold: 0 },
    ];
    expect(fitConfidenceMap([])).toBeNull();
    expect(fitConfidenceMap(few(99, 50))).toBeNull();
    expect(fitConfidenceMap(few(1_000, 991))).toBeNull();
    expect(fitConfidenceMap(few(1_000, 9))).toBeNull();
    expect(fitConfidenceMap(few(100, 90))).not.toBeNull();
  });

  it('stays finite if a confidence separates accepted answers from the others', () => {
    const counts = Array.from({ length: 200 }, (_, n) => ({
      ...{ confidence: n < 100 ? 0 : 1, answers: 1, accepted: Number(n >= 100), fold: n % 5 },
    }));
    const map = fitConfidenceMap(counts);
    expect(map?.points[0]?.accepted).toBeLessThan(0.05);
    expect(map?.points[20]?.accepted).toBeGreaterThan(0.95);
  });
});

function sample(
  size: number,
  acceptedAt: (confidence: number) => number,
  seed: number,
): FoldCount[] {
  const random = seededRandom(seed + 1);
  return Array.from({ length: size }, (_, n) => {
    const confidence = 0.02 + 0.96 * random();
    return {
      confidence,
      answers: 1,
      accepted: Number(random() < acceptedAt(confidence)),
      fold: n % 5,
    };
  });
}
