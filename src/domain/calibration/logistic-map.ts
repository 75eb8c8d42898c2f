import type { AnswerCount, MappedConfidence } from './mapped-confidence.ts';

/** Precision of the normal prior of intercept (mean 0) and slope (mean 1): about that of one answer. */
const priorPrecision = 0.25;
const maxIterations = 50;

/**
 * Fits a logistic function of the log-odds of the confidence (Platt 1999), by Newton's method. The interval is that of a
 * normal approximation. A weak prior keeps the fit finite if a confidence separates accepted answers from the others.
 */
export function fitLogisticMap(
  counts: readonly AnswerCount[],
): (confidence: number) => MappedConfidence {
  let [intercept, slope] = [0, 1];
  for (let iteration = 0; ; iteration += 1) {
    let [gradientA, gradientB] = [-priorPrecision * intercept, -priorPrecision * (slope - 1)];
    let [aa, ab, bb] = [priorPrecision, 0, priorPrecision];
    for (const { confidence, answers, accepted } of counts) {
      const x = logit(confidence);
      const p = sigmoid(intercept + slope * x);
      const residual = accepted - answers * p;
      const weight = answers * p * (1 - p);
      gradientA += residual;
      gradientB += residual * x;
      aa += weight;
      ab += weight * x;
      bb += weight * x * x;
    }
    const determinant = aa * bb - ab * ab;
    const stepA = (bb * gradientA - ab * gradientB) / determinant;
    const stepB = (aa * gradientB - ab * gradientA) / determinant;
    const size = Math.hypot(stepA, stepB);
    if (size < 1e-8 || iteration >= maxIterations) {
      return (confidence) => {
        const x = logit(confidence);
        const margin = 1.96 * Math.sqrt((bb - 2 * x * ab + x * x * aa) / determinant);
        const logOdds = intercept + slope * x;
        const [low, high] = [sigmoid(logOdds - margin), sigmoid(logOdds + margin)];
        return { accepted: sigmoid(logOdds), low, high };
      };
    }
    // Longer steps can diverge.
    const share = Math.min(1, 1 / size);
    intercept += share * stepA;
    slope += share * stepB;
  }
}

/** Log-odds. Confidences near 0 and 1 are cut off, because theirs are infinite. */
function logit(confidence: number): number {
  const inside = Math.min(0.995, Math.max(0.005, confidence));
  return Math.log(inside / (1 - inside));
}

function sigmoid(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
