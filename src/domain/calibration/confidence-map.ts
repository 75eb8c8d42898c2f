import { calibrationError, reliabilityBins } from '../evaluation/statistics.ts';
import { fitIsotonicMap } from './isotonic-map.ts';
import { fitLogisticMap } from './logistic-map.ts';
import type { AnswerCount, MappedConfidence } from './mapped-confidence.ts';

/** Answers that are left out together in the cross-validation: `fold` is 0 to `folds - 1`. */
export interface FoldCount extends AnswerCount {
  readonly fold: number;
}

export const folds = 5;
/** A map needs this many answers, and this many of both accepted and not accepted ones. */
export const minAnswers = 100;
export const minOfEach = 10;

/** Map from the confidence to the share of accepted answers. */
export interface ConfidenceMap {
  readonly method: keyof typeof methods;
  /** The map at confidences from 0 to 1 in steps of 0.05. */
  readonly points: readonly (MappedConfidence & { readonly confidence: number })[];
  /** Mean squared error of the confidence, and of the map for answers that it was not fitted to. */
  readonly brierBefore: number;
  readonly brierAfter: number;
  /** Expected calibration error of the same two. */
  readonly calibrationErrorBefore: number;
  readonly calibrationErrorAfter: number;
  /** Whether the squared error differs by more than chance (95 % interval). */
  readonly verdict: 'BETTER' | 'WORSE' | 'NO_DIFFERENCE';
}

const methods = { LOGISTIC: fitLogisticMap, ISOTONIC: fitIsotonicMap };
const methodNames = ['LOGISTIC', 'ISOTONIC'] as const;

/**
 * Fits the map whose squared error is the lowest in the cross-validation. The logistic map is more accurate with few
 * answers, the isotonic one if the shares rise in steps. Returns null if there are too few answers.
 */
export function fitConfidenceMap(counts: readonly FoldCount[]): ConfidenceMap | null {
  const answers = counts.reduce((sum, { answers }) => sum + answers, 0);
  const accepted = counts.reduce((sum, { accepted }) => sum + accepted, 0);
  if (answers < minAnswers || Math.min(accepted, answers - accepted) < minOfEach) return null;
  const [logistic, isotonic] = methodNames.map((method) => ({
    method,
    ...compareErrors(counts, leaveOut(counts, methods[method]), answers),
  }));
  if (logistic === undefined || isotonic === undefined) return null;
  const best = isotonic.brierAfter < logistic.brierAfter ? isotonic : logistic;
  const map = methods[best.method](counts);
  const points = Array.from({ length: 21 }, (_, step) => ({
    confidence: step / 20,
    ...map(step / 20),
  }));
  return { ...best, points };
}

/** Returns the mapped confidence of each count, according to the answers of the other folds. */
function leaveOut(
  counts: readonly FoldCount[],
  fitMap: (counts: readonly AnswerCount[]) => (confidence: number) => MappedConfidence,
): number[] {
  const maps = Array.from({ length: folds }, (_, fold) => {
    const others = counts.filter((count) => count.fold !== fold);
    return others.length === 0 ? null : fitMap(others);
  });
  return counts.map(({ confidence, fold }) => maps[fold]?.(confidence).accepted ?? confidence);
}

function compareErrors(counts: readonly AnswerCount[], mapped: readonly number[], total: number) {
  const gains = counts.flatMap(({ confidence, answers, accepted }, index) => {
    const after = mapped[index] ?? confidence;
    return [
      { count: accepted, gain: (1 - confidence) ** 2 - (1 - after) ** 2 },
      { count: answers - accepted, gain: confidence ** 2 - after ** 2 },
    ];
  });
  const gain = gains.reduce((sum, { count, gain }) => sum + count * gain, 0) / total;
  const squares = gains.reduce((sum, one) => sum + one.count * (one.gain - gain) ** 2, 0);
  const margin = (1.96 * Math.sqrt(squares)) / total;
  const after = counts.map((count, index) => ({
    ...count,
    confidence: mapped[index] ?? count.confidence,
  }));
  return {
    brierBefore: brier(counts, total),
    brierAfter: brier(after, total),
    calibrationErrorBefore: calibrationErrorOf(counts),
    calibrationErrorAfter: calibrationErrorOf(after),
    verdict: verdictOf(gain, margin),
  };
}

function verdictOf(gain: number, margin: number): ConfidenceMap['verdict'] {
  if (gain > margin) return 'BETTER';
  return gain < -margin ? 'WORSE' : 'NO_DIFFERENCE';
}

function brier(counts: readonly AnswerCount[], total: number): number {
  const sum = counts.reduce(
    (sum, { confidence, answers, accepted }) =>
      sum + accepted * (1 - confidence) ** 2 + (answers - accepted) * confidence ** 2,
    0,
  );
  return sum / total;
}

function calibrationErrorOf(counts: readonly AnswerCount[]): number {
  const predictions = counts.flatMap(({ confidence, answers, accepted }) =>
    Array.from({ length: answers }, (_, n) => ({ confidence, isTrue: n < accepted })),
  );
  return calibrationError(reliabilityBins(predictions)) ?? 0;
}
