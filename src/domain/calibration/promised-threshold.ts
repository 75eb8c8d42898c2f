import { binomialAtMost, upperBound } from './binomial.ts';

/** Given answers with a confidence from `step / 100` to below `(step + 1) / 100`. */
export interface StepCount {
  readonly step: number;
  readonly answers: number;
  readonly wrong: number;
}

/** Certainty of a promise and of the bound of the share of wrong answers. */
const certainty = 0.95;

/** Answers at or above a threshold. */
export interface AnswersFrom {
  readonly threshold: number;
  readonly answers: number;
  readonly wrong: number;
}

/**
 * Returns the lowest threshold that keeps the promise "at most `maxWrong` of the given answers are wrong" with 95 %
 * certainty. Returns null if no threshold does.
 *
 * Tests thresholds from the highest downwards, each with an exact binomial test, and stops at the first that fails, so
 * that the certainty holds for the threshold that is chosen (fixed sequence testing: Angelopoulos et al. 2021, 'Learn
 * then Test'). The first threshold is chosen by numbers of answers alone: it keeps a quarter of them, and as many as a
 * test without any wrong answer needs. Thresholds between two measured confidences are not tested, so that none below
 * the lowest measured confidence is chosen.
 */
export function promisedThreshold(
  counts: readonly StepCount[],
  maxWrong: number,
): AnswersFrom | null {
  const total = counts.reduce((sum, { answers }) => sum + answers, 0);
  const first = Math.max(answersNeeded(maxWrong), total / 4);
  let [answers, wrong] = [0, 0];
  let chosen: AnswersFrom | null = null;
  for (const count of counts.toSorted((left, right) => right.step - left.step)) {
    answers += count.answers;
    wrong += count.wrong;
    if (answers < first) continue;
    if (binomialAtMost(wrong, answers, maxWrong) > 1 - certainty) break;
    chosen = { threshold: count.step / 100, answers, wrong };
  }
  return chosen;
}

/** Returns the answers at or above a threshold that was chosen without regard to them. */
export function answersFrom(counts: readonly StepCount[], threshold: number): AnswersFrom {
  const above = counts.filter(({ step }) => step >= Math.round(threshold * 100));
  const answers = above.reduce((sum, count) => sum + count.answers, 0);
  const wrong = above.reduce((sum, count) => sum + count.wrong, 0);
  return { threshold, answers, wrong };
}

/** Number of answers, all of them right, from which a promise can be made. */
export function answersNeeded(maxWrong: number): number {
  return Math.ceil(Math.log(1 - certainty) / Math.log1p(-maxWrong));
}

/** Returns the upper bound of the share of wrong answers, with 95 % certainty. */
export function wrongAtMost({ wrong, answers }: AnswersFrom): number {
  return upperBound(wrong, answers, certainty);
}
