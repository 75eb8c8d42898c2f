import type { Hit } from '../knowledge/hybrid-search.ts';
import type { Retrieval } from '../knowledge/retrieve.ts';
import { type ConfidenceFeatures, retrievalFeatures } from './confidence-features.ts';
import { type ConfidenceWeights, confidenceWeights } from './confidence-weights.ts';
import { answerSupport } from './support.ts';

/** What retrieval found, and by which vectors. */
export type Found = Pick<Retrieval, 'hits' | 'embeddingModel' | 'familiarity'>;

/**
 * The calibrated probability, 0 to 1, that the project's knowledge supports the answer: a logistic function of the
 * features. The weight of `answerSupport` is set, not fitted: an answer without support must not pass for one.
 */
export function confidenceOf(features: ConfidenceFeatures, weights: ConfidenceWeights): number {
  const { familiarity } = features;
  const weigh = (feature: 'lexical' | 'similarity' | 'coverage') =>
    features[feature] *
    (familiarity * weights.known[feature] + (1 - familiarity) * weights.unknown[feature]);
  const evidence =
    weights.constant +
    weigh('lexical') +
    weigh('similarity') +
    weigh('coverage') +
    weights.lead * features.lead +
    weights.missingNames * features.missingNames +
    supportWeight * (Math.min(1, features.answerSupport / fullSupport) - 1);
  return 1 / (1 + Math.exp(-evidence));
}

const supportWeight = 6;
/** A good paraphrase has some words of its own. */
const fullSupport = 0.8;

/** What "I don't know" is sure of at the most. */
export const maxUnansweredConfidence = 0.2;

/** "I don't know" is sure of 0.2 at most; an answer its sources do not carry is hardly worth more. */
export const unsureBelow = 0.3;

/** Whether what was found is worth an answer. */
export function isAnswerable(confidence: number, found: Found): boolean {
  return found.hits.length > 0 && confidence >= weightsFor(found).minAnswerable;
}

/** The confidence in what retrieval found, before there is an answer. */
export function retrievalConfidence(query: string, found: Found): number {
  if (found.hits.length === 0) return 0;
  return confidenceOf(retrievalFeatures(query, found), weightsFor(found));
}

/** The confidence in an answer: the less its grounds carry it, the lower. Markers `[n]` name the n-th of `grounds`. */
export function answerConfidence(
  query: string,
  found: Found,
  grounds: readonly Hit[],
  answer: string,
): number {
  if (found.hits.length === 0) return 0;
  const features = retrievalFeatures(query, found);
  const support = answerSupport(answer, grounds);
  return confidenceOf({ ...features, answerSupport: support }, weightsFor(found));
}

/** Chunks that have no vectors yet are judged by their words. */
function weightsFor({ hits, embeddingModel }: Found): ConfidenceWeights {
  const hasVectors = hits.some(({ similarity }) => similarity > 0);
  return confidenceWeights(hasVectors ? embeddingModel : null);
}
