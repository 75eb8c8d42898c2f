import { describe, expect, it } from 'vitest';
import {
  answersFrom,
  answersNeeded,
  promisedThreshold,
  type StepCount,
  wrongAtMost,
} from '../../../src/domain/calibration/promised-threshold.ts';
import { seededRandom } from '../../../src/domain/evaluation/seeded-random.ts';

describe('promisedThreshold', () => {
  it('chooses the lowest threshold that keeps the promise', () => {
    const counts = [
      { step: 90, answers: 100, wrong: 0 },
      { step: 60, answers: 100, wrong: 3 },
      { step: 30, answers: 100, wrong: 40 },
    ];
    expect(promisedThreshold(counts, 0.05)).toMatchObject({
      threshold: 0.6,
      answers: 200,
      wrong: 3,
    });
    expect(promisedThreshold(counts, 0.03)?.threshold).toBe(0.9);
  });

  it('chooses none below the lowest measured confidence', () => {
    expect(promisedThreshold([{ step: 42, answers: 200, wrong: 0 }], 0.05)?.threshold).toBe(0.42);
  });

  it('needs enough answers', () => {
    expect(answersNeeded(0.05)).toBe(59);
    expect(promisedThreshold([{ step: 42, answers: 58, wrong: 0 }], 0.05)).toBeNull();
    expect(wrongAtMost({ threshold: 0.42, answers: 59, wrong: 0 })).toBeLessThan(0.05);
    expect(promisedThreshold([], 0.05)).toBeNull();
  });

  it('chooses none if the best answers are wrong too often', () => {
    expect(promisedThreshold([{ step: 90, answers: 1_000, wrong: 60 }], 0.05)).toBeNull();
  });

  it('describes any threshold', () => {
    const counts = [
      { step: 90, answers: 50, wrong: 1 },
      { step: 29, answers: 50, wrong: 9 },
    ];
    expect(answersFrom(counts, 0.29)).toMatchObject({ answers: 100, wrong: 10 });
    expect(answersFrom(counts, 0.3)).toMatchObject({ answers: 50, wrong: 1 });
    expect(answersFrom(counts, 0.95)).toMatchObject({ answers: 0, wrong: 0 });
  });

  describe('breaks a promise in at most 5 % of the projects', () => {
    const worlds = [
      { name: 'a good score', wrongAt: (score: number) => 0.5 * (1 - score) ** 2 },
      { name: 'a score that says little', wrongAt: (score: number) => 0.08 - 0.06 * score },
      { name: 'a score that says nothing', wrongAt: () => 0.055 },
      { name: 'best answers that are bad', wrongAt: (score: number) => (score > 0.9 ? 0.2 : 0.03) },
    ];
    const sizes = [100, 400, 2_000];
    it.each(worlds.flatMap((world) => sizes.map((size) => ({ ...world, size }))))(
      'with $name and $size answers',
      ({ wrongAt, size }) => {
        const random = seededRandom(size);
        const projects = 600;
        let broken = 0;
        for (let project = 0; project < projects; project += 1) {
          const chosen = promisedThreshold(sample(size, wrongAt, random), 0.05);
          if (chosen !== null && trueShareWrong(chosen.threshold, wrongAt) > 0.05) broken += 1;
        }
        // Three standard deviations above 5 %.
        expect(broken / projects).toBeLessThanOrEqual(
          0.05 + 3 * Math.sqrt((0.05 * 0.95) / projects),
        );
      },
    );
  });

  it('finds a threshold if there is a clear one', () => {
    const wrongAt = (score: number) => (score > 0.5 ? 0.01 : 0.4);
    const random = seededRandom(1);
    const chosen = Array.from({ length: 200 }, () =>
      promisedThreshold(sample(1_000, wrongAt, random), 0.05),
    ).filter((one) => one !== null && one.threshold <= 0.6);
    expect(chosen.length).toBeGreaterThan(180);
  });
});

/** Scores are equally frequent at each step. */
function sample(
  size: number,
  wrongAt: (score: number) => number,
  random: () => number,
): StepCount[] {
  const counts = Array.from({ length: 100 }, (_, step) => ({ step, answers: 0, wrong: 0 }));
  for (let n = 0; n < size; n += 1) {
    const count = counts[Math.floor(random() * 100)];
    if (count === undefined) continue;
    count.answers += 1;
    count.wrong += Number(random() < wrongAt(count.step / 100));
  }
  return counts.filter(({ answers }) => answers > 0);
}

function trueShareWrong(threshold: number, wrongAt: (score: number) => number): number {
  const steps = Array.from({ length: 100 }, (_, step) => step).filter(
    (step) => step >= Math.round(threshold * 100),
  );
  return steps.reduce((sum, step) => sum + wrongAt(step / 100), 0) / steps.length;
}
