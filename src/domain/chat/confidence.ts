import type { Hit } from '../knowledge/hybrid-search.ts';
import { type ConfidenceFeatures, retrievalFeatures } from './confidence-features.ts';
import { answerSupport } from './support.ts';

/**
 * The calibrated probability, 0 to 1, that the project's knowledge supports the answer: a logistic function
 * of the features. Fitted (ridge, three answerable questions to two others) to 1,486 questions on public
 * sets with the built-in embedding model: SQuAD 2, XQuAD, SEC filings, accident reports, product help and
 * MTRAG; unanswerable ones are those the sets hold and those whose article was taken away. The weight of
 * `answerSupport` is set, not fitted: an answer without support must not pass for one.
 */
export function confidenceOf(features: ConfidenceFeatures): number {
  const { similarity } = features;
  const weights = similarity === null ? withoutVectors : withVectors;
  const evidence =
    weights.constant +
    weights.lexical * features.lexical +
    weights.similarity * (similarity ?? 0) +
    weights.lead * features.lead +
    weights.coverage * features.coverage +
    weights.missingNames * features.missingNames +
    supportWeight * (Math.min(1, features.answerSupport / fullSupport) - 1);
  return 1 / (1 + Math.exp(-evidence));
}

const withVectors = {
  constant: -3.2,
  lexical: 2.3,
  similarity: 3.4,
  lead: 1.9,
  coverage: 2.6,
  missingNames: -2.8,
};
const withoutVectors = {
  constant: -1.7,
  lexical: 2.3,
  similarity: 0,
  lead: 1.7,
  coverage: 3.1,
  missingNames: -2.9,
};
const supportWeight = 6;
/** A good paraphrase has some words of its own. */
const fullSupport = 0.8;

/** Below this, "I don't know" is the answer: it costs 2 in 100 answers of SQuAD 2 and 8 of XQuAD. */
export const minAnswerable = 0.3;

/** What "I don't know" is sure of at the most. */
export const maxUnansweredConfidence = 0.2;

/** Whether what was found is worth an answer. */
export function isAnswerable(confidence: number): boolean {
  return confidence >= minAnswerable;
}

/** The confidence in what retrieval found, before there is an answer. */
export function retrievalConfidence(query: string, hits: readonly Hit[]): number {
  return hits.length === 0 ? 0 : confidenceOf(retrievalFeatures(query, hits));
}

/** The confidence in an answer: the less its sources carry it, the lower. */
export function answerConfidence(query: string, hits: readonly Hit[], answer: string): number {
  if (hits.length === 0) {
    return 0;
  }
  const support = answerSupport(answer, hits);
  return confidenceOf({ ...retrievalFeatures(query, hits), answerSupport: support });
}
