import type { Hit } from '../knowledge/hybrid-search.ts';
import { contentTerms, termWeights } from '../models/terms.ts';
import { answerSupport } from './support.ts';

/** What tells whether the project's knowledge supports an answer; shares and cosines, 0 to 1. */
export interface ConfidenceFeatures {
  /** Retrieval score of the best chunk. */
  readonly topScore: number;
  /** How far the best chunk stands out from the third. */
  readonly lead: number;
  /** Cosine of the question and the chunk closest to it. */
  readonly topSimilarity: number;
  /** Share of the question's words, weighted by rarity, that one chunk holds with its headings. */
  readonly lexicalCoverage: number;
  /** See `answerSupport`; 1 before there is an answer. */
  readonly answerSupport: number;
}

/**
 * The probability that the project's knowledge supports an answer, 0 to 1: a logistic function of the
 * features.
 */
export function confidenceOf(features: ConfidenceFeatures): number {
  const evidence =
    coefficients.constant +
    coefficients.topScore * features.topScore +
    coefficients.lead * features.lead +
    coefficients.topSimilarity * features.topSimilarity +
    coefficients.lexicalCoverage * features.lexicalCoverage +
    coefficients.answerSupport * (features.answerSupport - 1);
  return 1 / (1 + Math.exp(-evidence));
}

const coefficients = {
  constant: -6,
  topScore: 4,
  lead: 2,
  topSimilarity: 5,
  lexicalCoverage: 3,
  answerSupport: 4,
};

/** Below this the answer is "I don't know". */
const minAnswerable = 0.2;

/** What "I don't know" is sure of at the most. */
export const maxUnansweredConfidence = 0.2;

export function isAnswerable(confidence: number): boolean {
  return confidence >= minAnswerable;
}

/** The confidence in what retrieval found, before there is an answer. */
export function retrievalConfidence(query: string, hits: readonly Hit[]): number {
  return hits.length === 0 ? 0 : confidenceOf(retrievalFeatures(query, hits));
}

/** The confidence in an answer: one that its sources do not carry counts less. */
export function answerConfidence(query: string, hits: readonly Hit[], answer: string): number {
  if (hits.length === 0) {
    return 0;
  }
  const support = answerSupport(answer, hits);
  return confidenceOf({ ...retrievalFeatures(query, hits), answerSupport: support });
}

function retrievalFeatures(query: string, hits: readonly Hit[]): ConfidenceFeatures {
  const [first, , third] = hits;
  const topScore = first?.score ?? 0;
  return {
    topScore,
    lead: topScore - (third?.score ?? 0),
    topSimilarity: Math.max(0, ...hits.map(({ similarity }) => similarity)),
    lexicalCoverage: lexicalCoverage(query, hits),
    answerSupport: 1,
  };
}

function lexicalCoverage(query: string, hits: readonly Hit[]): number {
  const found = hits.map(
    ({ documentName, context, content }) =>
      new Set(contentTerms(`${documentName} ${context} ${content}`)),
  );
  const wanted = [...new Set(contentTerms(query))];
  const weightOf = termWeights(found.map((terms) => [...terms]));
  const weigh = (terms: readonly string[]) => terms.reduce((sum, term) => sum + weightOf(term), 0);
  const total = weigh(wanted);
  const best = Math.max(0, ...found.map((terms) => weigh(wanted.filter((term) => terms.has(term)))));
  return total === 0 ? 0 : best / total;
}
