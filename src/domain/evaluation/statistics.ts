import { runAtOnce, type Steps } from '../../platform/work-turns.ts';
import { seededRandom } from './seeded-random.ts';

export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function quantile(values: readonly number[], probability: number): number | null {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(probability * sorted.length) - 1)] ?? null;
}

/** Returns the probability that a positive example has a higher score than a negative one. A tie counts half. */
export function auroc(positives: readonly number[], negatives: readonly number[]): number | null {
  if (positives.length === 0 || negatives.length === 0) return null;
  const all = [
    ...positives.map((score) => ({ score, isPositive: true })),
    ...negatives.map((score) => ({ score, isPositive: false })),
  ].sort((left, right) => left.score - right.score);
  let ranks = 0;
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && all[to]?.score === all[from]?.score) to += 1;
    const positivesHere = all.slice(from, to).filter(({ isPositive }) => isPositive).length;
    ranks += positivesHere * ((from + 1 + to) / 2);
    from = to;
  }
  const least = (positives.length * (positives.length + 1)) / 2;
  return (ranks - least) / (positives.length * negatives.length);
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly confidence: number;
  readonly share: number;
}

/**
 * Groups predictions into ten bins by confidence. Returns the mean confidence and the accuracy of each bin. Reads the
 * predictions once, because `calibrationIntervalSteps` calls it for hundreds of samples.
 */
export function reliabilityBins(
  predictions: readonly { readonly confidence: number; readonly isTrue: boolean }[],
): Bin[] {
  const sums = Array.from({ length: 10 }, () => ({ count: 0, confidence: 0, right: 0 }));
  for (const { confidence, isTrue } of predictions) {
    const sum = sums[Math.min(9, Math.floor(confidence * 10))];
    if (sum === undefined) continue;
    sum.count += 1;
    sum.confidence += confidence;
    sum.right += Number(isTrue);
  }
  return sums.map(({ count, confidence, right }, index) => ({
    from: index / 10,
    to: (index + 1) / 10,
    count,
    confidence: count === 0 ? 0 : confidence / count,
    share: count === 0 ? 0 : right / count,
  }));
}

/** Returns the expected calibration error (Guo et al. 2017, 'On Calibration of Modern Neural Networks'). */
export function calibrationError(bins: readonly Bin[]): number | null {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  return bins.reduce(
    (sum, { count, confidence, share }) => sum + (count / total) * Math.abs(confidence - share),
    0,
  );
}

export interface Difference {
  readonly mean: number;
  /** Lower bound of the 95 % confidence interval. */
  readonly low: number;
  /** Upper bound of the 95 % confidence interval. */
  readonly high: number;
  /** Two-sided p-value: twice the share of resampled means whose sign differs from that of the measured mean. */
  readonly p: number;
}

/** Compares two runs with a paired bootstrap over questions (Efron and Tibshirani 1993). Uses a fixed seed. */
export function pairedBootstrap(differences: readonly number[]): Difference | null {
  return runAtOnce(pairedBootstrapSteps(differences));
}

/** `pairedBootstrap` in steps. Takes at most 0.1 s of processor time. */
export function* pairedBootstrapSteps(differences: readonly number[]): Steps<Difference | null> {
  const observed = mean(differences);
  if (observed === null) return null;
  const resamples = Math.round(Math.min(2_000, Math.max(400, maxDraws / differences.length)));
  const values = Float64Array.from(differences);
  const means = yield* resample(values.length, resamples, (draw) => {
    let sum = 0;
    for (let n = 0; n < values.length; n += 1) sum += values[draw()] ?? 0;
    return sum / values.length;
  });
  const notAbove = means.filter((value) => value <= 0).length / resamples;
  const notBelow = means.filter((value) => value >= 0).length / resamples;
  const p = Math.min(1, 2 * Math.min(notAbove, notBelow));
  return { mean: observed, ...middle(means), p };
}

/**
 * Maximum number of values that a bootstrap draws. Two thousand samples up to 2,000 questions. More questions get fewer
 * samples, at least 400: the bounds then vary by an eighth of a standard error.
 */
const maxDraws = 4_000_000;

/**
 * Returns the two-sided p-value of as many changes in each of two directions, if both are as likely. Exact for any
 * number (sign test). For shares it is the exact test of McNemar (1947).
 */
export function signTest(left: number, right: number): number {
  const total = left + right;
  // Logarithms, because 2 ** -total is 0 from 1,075 changes on.
  let logTerm = -total * Math.LN2;
  let tail = Math.exp(logTerm);
  for (let count = 0; count < Math.min(left, right); count += 1) {
    logTerm += Math.log((total - count) / (count + 1));
    tail += Math.exp(logTerm);
  }
  return Math.min(1, 2 * tail);
}

interface Prediction {
  readonly confidence: number;
  readonly isTrue: boolean;
}

/**
 * Returns the 95 % interval of the calibration error, from a bootstrap over questions with a fixed seed. Ten thousand
 * questions take 0.1 to 0.3 s.
 */
export function* calibrationIntervalSteps(
  predictions: readonly Prediction[],
): Steps<{ readonly low: number; readonly high: number } | null> {
  if (predictions.length === 0) return null;
  const sample = [...predictions];
  const errors = yield* resample(predictions.length, 500, (draw) => {
    for (let n = 0; n < predictions.length; n += 1) sample[n] = predictions[draw()] as Prediction;
    return calibrationError(reliabilityBins(sample)) ?? 0;
  });
  return middle(errors);
}

/** Returns the 95 % interval of a share, which contains the share (Wilson 1927). `total` is at least 1. */
export function shareInterval(
  count: number,
  total: number,
): { readonly low: number; readonly high: number } {
  const share = count / total;
  const z = 1.96 ** 2 / total;
  const center = (share + z / 2) / (1 + z);
  const margin = (1.96 / (1 + z)) * Math.sqrt((share * (1 - share) + z / 4) / total);
  // Rounding must not put the share outside its interval.
  const [low, high] = [Math.min(share, center - margin), Math.max(share, center + margin)];
  return { low: Math.max(0, low), high: Math.min(1, high) };
}

/**
 * Computes a statistic of many samples with replacement, in ascending order. `draw` returns the index of the next value
 * of a sample.
 */
function* resample(
  size: number,
  resamples: number,
  statistic: (draw: () => number) => number,
): Steps<number[]> {
  const random = seededRandom(20_260_101);
  const draw = () => Math.floor(random() * size);
  const results: number[] = [];
  while (results.length < resamples) {
    results.push(statistic(draw));
    yield;
  }
  return results.sort((left, right) => left - right);
}

/** Returns the bounds of the middle 95 % of sorted values. */
function middle(sorted: readonly number[]): { readonly low: number; readonly high: number } {
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { low: at(0.025), high: at(0.975) };
}
