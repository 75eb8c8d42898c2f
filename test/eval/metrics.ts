import { computeFigures, type JudgedResult } from '../../src/domain/evaluation/figures.ts';
import {
  type Bin,
  mean,
  quantile,
  reliabilityBins,
} from '../../src/domain/evaluation/statistics.ts';
import type { QuestionResult } from './evaluate-question.ts';

/**
 * Metrics of a set of questions. A metric is null if it applies to no question. Shares are between 0 and 1, times are
 * in milliseconds.
 */
export interface Metrics {
  readonly questions: number;
  readonly recallAt1: number | null;
  readonly recallAt5: number | null;
  readonly mrrAt10: number | null;
  /** Share of questions for which the first five chunks contain an expected answer. */
  readonly spanAt5: number | null;
  /** Share of replies that contain an expected short answer. */
  readonly containment: number | null;
  readonly wordsMedian: number | null;
  /**
   * Share of answerable questions whose first citation refers to a relevant document. A reply without citations counts
   * as wrong.
   */
  readonly firstCitation: number | null;
  /** Of all citations for answerable questions, the share that refers to a relevant document. */
  readonly citationPrecision: number | null;
  readonly citationsMean: number | null;
  /** Area under the ROC curve when the confidence is used to predict whether a question is answerable. */
  readonly auroc: number | null;
  readonly calibrationError: number | null;
  readonly abstainedUnanswerable: number | null;
  readonly abstainedAnswerable: number | null;
  readonly searchMsMedian: number | null;
  readonly chatMsMedian: number | null;
  readonly chatMs95: number | null;
}

export function computeMetrics(outcomes: readonly QuestionResult[]): Metrics {
  const answerable = outcomes.filter((one) => one.isAnswerable);
  const short = answerable.filter((one) => one.isContained !== null && one.searchMs !== null);
  const citations = answerable.reduce((sum, one) => sum + one.citations, 0);
  const figures = computeFigures(outcomes.map(toJudgedResult));
  return {
    questions: outcomes.length,
    recallAt1: figures.recallAt1,
    recallAt5: figures.recallAt5,
    mrrAt10: figures.mrr,
    spanAt5: mean(short.map(({ spanRank }) => Number(spanRank !== null && spanRank <= 5))),
    containment: figures.containsExpected,
    wordsMedian: quantile(
      answerable.filter((one) => !one.hasAbstained).map(({ words }) => words),
      0.5,
    ),
    firstCitation: figures.firstCitationRight,
    citationPrecision:
      citations === 0 ? null : answerable.reduce((sum, one) => sum + one.right, 0) / citations,
    citationsMean: mean(answerable.map((one) => one.citations)),
    auroc: figures.auroc,
    calibrationError: figures.calibrationError,
    abstainedUnanswerable: figures.refusedRight,
    abstainedAnswerable: figures.refusedWrongly,
    searchMsMedian: quantile(
      outcomes.flatMap(({ searchMs }) => (searchMs === null ? [] : [searchMs])),
      0.5,
    ),
    chatMsMedian: figures.latencyP50Ms,
    chatMs95: figures.latencyP95Ms,
  };
}

/** Ranks count up to 10, as in the figures of the service. */
function toJudgedResult(one: QuestionResult): JudgedResult {
  const { rank, isAnswerable } = one;
  return {
    mustRefuse: !isAnswerable,
    isDocumentJudged: isAnswerable && one.searchMs !== null,
    rank: rank !== null && rank <= 10 ? rank : null,
    firstCitationRight: isAnswerable ? one.isFirstRight : null,
    containsExpected: one.isContained,
    refused: one.hasAbstained,
    modelVerdict: null,
    confidence: one.confidence,
    latencyMs: one.chatMs,
    tokens: 0,
  };
}

/** Returns 1 divided by the rank of the first relevant document, or 0 if that rank is above 10. */
export function reciprocalRank({ rank }: QuestionResult): number {
  return rank !== null && rank <= 10 ? 1 / rank : 0;
}

export function reliabilityBinsOf(outcomes: readonly QuestionResult[]): Bin[] {
  return reliabilityBins(
    outcomes.map(({ confidence, isAnswerable }) => ({ confidence, isTrue: isAnswerable })),
  );
}

/** Returns the mean of each metric over the sets. All sets have the same weight. */
export function macroAverage(sets: readonly Metrics[]): Metrics {
  const first = sets[0];
  if (first === undefined) throw new Error('There is no set');
  const over = (key: keyof Metrics) =>
    mean(sets.flatMap((set) => (set[key] === null ? [] : [set[key]])));
  const keys = Object.keys(first).filter((key): key is keyof Metrics => key in first);
  const means = Object.fromEntries(keys.map((key) => [key, over(key)]));
  const questions = sets.reduce((sum, set) => sum + set.questions, 0);
  return { ...first, ...means, questions };
}
