import type { Outcome } from './ask.ts';
import { auroc, type Bin, calibrationError, mean, quantile, reliability } from './statistics.ts';

/** What is measured over some questions; null where nothing could be. Shares are 0 to 1, times milliseconds. */
export interface Measures {
  readonly questions: number;
  readonly recallAt1: number | null;
  readonly recallAt5: number | null;
  readonly mrrAt10: number | null;
  /** An expected answer stands in the first five chunks. */
  readonly spanAt5: number | null;
  /** An expected short answer stands in the reply. */
  readonly containment: number | null;
  readonly wordsMedian: number | null;
  /** Of the answerable: the first citation is of a right document; no citation counts as wrong. */
  readonly firstCitation: number | null;
  /** Of all citations of answerable questions, those of a right document. */
  readonly citationPrecision: number | null;
  readonly citationsMean: number | null;
  /** How well confidence tells answerable from unanswerable questions. */
  readonly auroc: number | null;
  readonly calibrationError: number | null;
  readonly abstainedUnanswerable: number | null;
  readonly abstainedAnswerable: number | null;
  readonly searchMsMedian: number | null;
  readonly chatMsMedian: number | null;
  readonly chatMs95: number | null;
}

export function measure(outcomes: readonly Outcome[]): Measures {
  const answerable = outcomes.filter((one) => one.isAnswerable);
  const unanswerable = outcomes.filter((one) => !one.isAnswerable);
  const searched = answerable.filter((one) => one.searchMs !== null);
  const short = answerable.filter((one) => one.isContained !== null);
  const citations = answerable.reduce((sum, one) => sum + one.citations, 0);
  const share = (of: readonly Outcome[], isCounted: (one: Outcome) => boolean) =>
    mean(of.map((one) => Number(isCounted(one))));
  const within = (rank: number | null, limit: number) => rank !== null && rank <= limit;
  return {
    questions: outcomes.length,
    recallAt1: share(searched, ({ rank }) => within(rank, 1)),
    recallAt5: share(searched, ({ rank }) => within(rank, 5)),
    mrrAt10: mean(searched.map(reciprocalRank)),
    spanAt5: share(
      searched.filter((one) => one.isContained !== null),
      ({ spanRank }) => within(spanRank, 5),
    ),
    containment: share(short, ({ isContained }) => isContained === true),
    wordsMedian: quantile(
      answerable.filter((one) => !one.hasAbstained).map(({ words }) => words),
      0.5,
    ),
    firstCitation: share(answerable, ({ isFirstRight }) => isFirstRight),
    citationPrecision:
      citations === 0 ? null : answerable.reduce((sum, one) => sum + one.right, 0) / citations,
    citationsMean: mean(answerable.map((one) => one.citations)),
    auroc: auroc(
      answerable.map(({ confidence }) => confidence),
      unanswerable.map(({ confidence }) => confidence),
    ),
    calibrationError:
      answerable.length === 0 || unanswerable.length === 0
        ? null
        : calibrationError(binsOf(outcomes)),
    abstainedUnanswerable: share(unanswerable, ({ hasAbstained }) => hasAbstained),
    abstainedAnswerable: share(answerable, ({ hasAbstained }) => hasAbstained),
    searchMsMedian: quantile(
      outcomes.flatMap(({ searchMs }) => (searchMs === null ? [] : [searchMs])),
      0.5,
    ),
    chatMsMedian: quantile(
      outcomes.map(({ chatMs }) => chatMs),
      0.5,
    ),
    chatMs95: quantile(
      outcomes.map(({ chatMs }) => chatMs),
      0.95,
    ),
  };
}

/** 1 divided by the rank of the first right document, 0 beyond the tenth. */
export function reciprocalRank({ rank }: Outcome): number {
  return rank !== null && rank <= 10 ? 1 / rank : 0;
}

export function binsOf(outcomes: readonly Outcome[]): Bin[] {
  return reliability(
    outcomes.map(({ confidence, isAnswerable }) => ({ confidence, isTrue: isAnswerable })),
  );
}

/** The mean over sets of each measure, so that a large set counts no more than a small one. */
export function macroOf(sets: readonly Measures[]): Measures {
  const first = sets[0];
  if (first === undefined) throw new Error('There is no set');
  const over = (key: keyof Measures) =>
    mean(sets.flatMap((set) => (set[key] === null ? [] : [set[key]])));
  const keys = Object.keys(first).filter((key): key is keyof Measures => key in first);
  const means = Object.fromEntries(keys.map((key) => [key, over(key)]));
  const questions = sets.reduce((sum, set) => sum + set.questions, 0);
  return { ...first, ...means, questions };
}
