import type { AnswerVerdict } from '../../platform/postgres/generated/prisma/enums.ts';
import { runAtOnce, type Steps } from '../../platform/work-turns.ts';
import {
  auroc,
  type Bin,
  calibrationError,
  calibrationIntervalSteps,
  mean,
  quantile,
  reliabilityBins,
} from './statistics.ts';

/** A judged question. `isDocumentJudged` is true if a certain document was expected and exists. */
export interface JudgedResult {
  readonly mustRefuse: boolean;
  readonly isDocumentJudged: boolean;
  readonly rank: number | null;
  readonly firstCitationRight: boolean | null;
  readonly containsExpected: boolean | null;
  readonly refused: boolean;
  /** Null if the language model did not judge the answer. */
  readonly modelVerdict: AnswerVerdict | null;
  readonly confidence: number;
  readonly latencyMs: number;
  /** Tokens of the chat model and the embedding model. */
  readonly tokens: number;
}

/** Names of the figures. A run has one number for each of them. */
export const figureNames = [
  'recallAt1',
  'recallAt5',
  'mrr',
  'firstCitationRight',
  'containsExpected',
  'refusedRight',
  'refusedWrongly',
  'modelRight',
  'auroc',
  'calibrationError',
  'latencyP50Ms',
  'latencyP95Ms',
  'tokens',
] as const;
export type FigureName = (typeof figureNames)[number];

/** Figures that are better if they are lower. */
export const lowerIsBetter: ReadonlySet<FigureName> = new Set([
  'refusedWrongly',
  'calibrationError',
  'latencyP50Ms',
  'latencyP95Ms',
  'tokens',
]);

export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  readonly meanConfidence: number;
  /** Share of questions that the documents answer. */
  readonly right: number;
}

/** Shares are between 0 and 1. A figure is null if it applies to no question of the run. */
export type Figures = Readonly<Record<FigureName, number | null>> & {
  /** Number of questions behind each figure. */
  readonly n: Readonly<Record<FigureName, number>>;
  /** 95 % interval of the calibration error. Null if there is no calibration error. */
  readonly calibrationErrorLow: number | null;
  readonly calibrationErrorHigh: number | null;
  readonly reliability: readonly ReliabilityBin[];
};

/** Computes the figures of a run from the questions that were answered. */
export function computeFigures(results: readonly JudgedResult[]): Figures {
  return runAtOnce(figureSteps(results));
}

/** `computeFigures` in steps. */
export function* figureSteps(results: readonly JudgedResult[]): Steps<Figures> {
  const answerable = results.filter(({ mustRefuse }) => !mustRefuse);
  const unanswerable = results.filter(({ mustRefuse }) => mustRefuse);
  const ranked = answerable.filter(({ isDocumentJudged }) => isDocumentJudged);
  const cited = results.flatMap(({ firstCitationRight: is }) => (is === null ? [] : [is]));
  const contained = results.flatMap(({ containsExpected: is }) => (is === null ? [] : [is]));
  const verdicts = results.flatMap(({ modelVerdict: is }) => (is === null ? [] : [is]));
  const latencies = results.map(({ latencyMs }) => latencyMs);
  const hasBoth = answerable.length > 0 && unanswerable.length > 0;
  const predictions = results.map(({ confidence, mustRefuse }) => ({
    confidence,
    isTrue: !mustRefuse,
  }));
  const bins = reliabilityBins(predictions);
  const interval = hasBoth ? yield* calibrationIntervalSteps(predictions) : null;
  const within = (limit: number) => share(ranked, ({ rank }) => rank !== null && rank <= limit);
  return {
    recallAt1: within(1),
    recallAt5: within(5),
    mrr: mean(ranked.map(({ rank }) => (rank === null ? 0 : 1 / rank))),
    firstCitationRight: share(cited, Boolean),
    containsExpected: share(contained, Boolean),
    refusedRight: share(unanswerable, ({ refused }) => refused),
    refusedWrongly: share(answerable, ({ refused }) => refused),
    modelRight: share(verdicts, (verdict) => verdict === 'RIGHT'),
    auroc: auroc(confidences(answerable), confidences(unanswerable)),
    calibrationError: hasBoth ? calibrationError(bins) : null,
    calibrationErrorLow: interval?.low ?? null,
    calibrationErrorHigh: interval?.high ?? null,
    latencyP50Ms: quantile(latencies, 0.5),
    latencyP95Ms: quantile(latencies, 0.95),
    tokens: results.length === 0 ? null : results.reduce((sum, { tokens }) => sum + tokens, 0),
    reliability: bins.filter(({ count }) => count > 0).map(toReliability),
    n: {
      recallAt1: ranked.length,
      recallAt5: ranked.length,
      mrr: ranked.length,
      firstCitationRight: cited.length,
      containsExpected: contained.length,
      refusedRight: unanswerable.length,
      refusedWrongly: answerable.length,
      modelRight: verdicts.length,
      auroc: hasBoth ? results.length : 0,
      calibrationError: hasBoth ? results.length : 0,
      latencyP50Ms: results.length,
      latencyP95Ms: results.length,
      tokens: results.length,
    },
  };
}

function share<T>(of: readonly T[], isCounted: (one: T) => boolean): number | null {
  return mean(of.map((one) => Number(isCounted(one))));
}

function confidences(results: readonly JudgedResult[]): number[] {
  return results.map(({ confidence }) => confidence);
}

function toReliability({ from, to, count, confidence, share }: Bin): ReliabilityBin {
  return { from, to, n: count, meanConfidence: confidence, right: share };
}
