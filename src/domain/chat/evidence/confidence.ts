import type { SourceReading } from '../../../models/models.ts';
import type { Retrieval } from '../../knowledge/retrieval/retrieve.ts';
import { type ConfidenceFeatures, retrievalFeatures } from './confidence-features.ts';
import {
  type ConfidenceWeights,
  confidenceWeights,
  type ReadingWeights,
} from './confidence-weights.ts';
import { measuredChunks } from './select-context.ts';

/**
 * Retrieved chunks, the embedding model that scored the chunks, and what a model that has read them says of them.
 */
export type RetrievalResult = Omit<
  Retrieval,
  'query' | 'corrections' | 'searched' | 'distinct' | 'tokens'
> &
  Partial<SourceReading>;

/**
 * Returns the calibrated probability, 0 to 1, that the project's knowledge supports the answer: a logistic function of
 * the features. The weight of `answerSupport` is chosen by hand, not fitted, so that an unsupported answer has a low
 * confidence.
 */
export function confidenceOf(features: ConfidenceFeatures, weights: ConfidenceWeights): number {
  const support = Math.min(1, features.answerSupport / fullSupportShare);
  const { reading } = weights;
  const evidence =
    reading === null || features.answerability === null
      ? evidenceAfterChoice(features, weights)
      : evidenceAfterReading(features.answerability, features, { weights, reading });
  const logOdds = Math.min(maxEvidence, evidence) + supportWeight * (support - 1);
  return 1 / (1 + Math.exp(-logOdds));
}

/**
 * Combines the evidence of words and embeddings with `answerability`, which comes from a model that has read the
 * chunks. The weight of `answerability` grows with the vocabulary coverage of the question. A missing name reduces the
 * weight, because the model does not know which subject its passages describe. Other missing words reduce the weight
 * less, because the model knows synonyms.
 */
function evidenceAfterReading(
  answerability: number,
  features: ConfidenceFeatures,
  { weights, reading }: { readonly weights: ConfidenceWeights; readonly reading: ReadingWeights },
): number {
  const { vocabularyCoverage, missingMeaning, missingNames } = features;
  const namesFound = missingNames === null ? 0 : 1 - missingNames;
  const replaced = (feature: 'rarestTerm' | 'missingFact' | 'negationMismatch') =>
    between(weights[feature], reading[feature], vocabularyCoverage);
  const others = {
    ...weights,
    rarestTerm: replaced('rarestTerm'),
    missingFact: replaced('missingFact'),
    negationMismatch: replaced('negationMismatch'),
    missingMeaning: between(
      weights.missingMeaning,
      reading.missingMeaning,
      vocabularyCoverage * namesFound,
    ),
  };
  const evidence = Math.min(maxEvidence, evidenceOf(features, others));
  const read =
    reading.intercept +
    reading.evidence * evidence +
    reading.answerability * answerability +
    reading.lead * features.lead;
  const maxMissing = between(maxMissingMeaning, maxMissingWithoutNames, namesFound);
  const share = vocabularyCoverage * Math.max(0, 1 - missingMeaning / maxMissing);
  const penalty = vocabularyCoverage * reading.missingNames * (missingNames ?? 0);
  const isDoubted = answerability < strongDoubt;
  const trust = isDoubted ? vocabularyCoverage : share;
  const supported = trust * read + (1 - trust) * evidence + penalty;
  return between(supported, goodAnswer(supported, weights), share);
}

/**
 * Returns the log-odds that the answer is good. Slightly above the threshold, these are lower than the log-odds that
 * the chunks contain the answer, because the model may choose the wrong sentence. At the threshold, both are equal.
 */
function goodAnswer(logOdds: number, { answerThreshold }: ConfidenceWeights): number {
  const lowest = Math.log(answerThreshold / (1 - answerThreshold));
  const above = logOdds - lowest;
  return above <= 0 ? logOdds : lowest + goodAnswerWeight * above ** 2;
}

/** Fitted to answers that a person graded; see docs/decisions/retrieval-trials.md. */
const goodAnswerWeight = 0.37;

/**
 * Combines the evidence of words and embeddings with that of the chosen text, if no reader knows its language: how clearly
 * the search found one chunk, and how many words of the question the text contains.
 */
function evidenceAfterChoice(features: ConfidenceFeatures, weights: ConfidenceWeights): number {
  const evidence = Math.min(maxEvidence, evidenceOf(features, weights));
  const { choice } = weights;
  if (choice === null || features.wordShare === null) return evidence;
  return (
    choice.intercept +
    choice.evidence * evidence +
    choice.lead * features.lead +
    choice.wordShare * features.wordShare +
    choice.missingMeaning * features.missingMeaning +
    choice.missingNumbers * features.missingNumbers
  );
}

function between(low: number, high: number, share: number): number {
  return low + (high - low) * share;
}

/**
 * Below these log-odds, `answerability` has its full weight even if meaning is missing, because evidence from words
 * cannot distinguish an answer from a text about the same subject.
 */
const strongDoubt = -5;

/**
 * Above this missing meaning, the model's `answerability` is ignored. `maxMissingMeaning` applies if the missing words
 * may be names, `maxMissingWithoutNames` if they are not names.
 */
const maxMissingMeaning = 0.5;
const maxMissingWithoutNames = 2;

function evidenceOf(features: ConfidenceFeatures, weights: ConfidenceWeights): number {
  const { vocabularyCoverage } = features;
  const weightOf = (feature: 'similarity' | 'coverage') =>
    vocabularyCoverage * weights.inVocabulary[feature] +
    (1 - vocabularyCoverage) * weights.outOfVocabulary[feature];
  return (
    weights.intercept +
    weightOf('similarity') * features.similarity +
    weightOf('coverage') * features.coverage +
    weights.proximity * features.proximity +
    weights.missingTerms * features.missingTerms +
    weights.missingMeaning * features.missingMeaning +
    weights.rarestTerm * features.rarestTerm +
    weights.missingNumbers * features.missingNumbers +
    weights.missingFact * features.missingFact +
    weights.negationMismatch * features.negationMismatch +
    weights.foreignLanguage * features.foreignLanguage
  );
}

const supportWeight = 6;
/**
 * In log-odds: equals a probability of 0.98. Lower than `supportWeight`, so that an unsupported answer has a low
 * confidence.
 */
const maxEvidence = 4;
/**
 * An answer with this support counts as fully supported. Below 1, because a good paraphrase uses some words of its own.
 */
const fullSupportShare = 0.8;

/**
 * Returns the confidence in an answer before and after the answer is generated. Does not keep the retrieved chunks in
 * memory.
 */
export interface MeasuredConfidence {
  /** Null without hits. */
  readonly features: ConfidenceFeatures | null;
  /** Computed from the retrieved chunks only. */
  readonly beforeAnswer: number;
  /**
   * Returns the confidence in a generated answer. The confidence is lower if the sources do not support the answer
   * (`answerSupport`).
   */
  withSupport(support: number): number;
}

/** Measures the confidence of a question and its retrieved chunks. */
export function measureConfidence(query: string, retrieved: RetrievalResult): MeasuredConfidence {
  if (retrieved.hits.length === 0) {
    return { features: null, beforeAnswer: 0, withSupport: () => 0 };
  }
  const features = retrievalFeatures(query, topOf(retrieved));
  const weights = weightsFor(retrieved);
  return {
    features,
    beforeAnswer: confidenceOf(features, weights),
    withSupport: (answerSupport) => confidenceOf({ ...features, answerSupport }, weights),
  };
}

/** Returns only the first hits: as many as were used when the weights were fitted. */
function topOf(retrieved: RetrievalResult): RetrievalResult {
  return { ...retrieved, hits: retrieved.hits.slice(0, measuredChunks) };
}

/** Returns the weights for the embedding model. Returns the full-text weights as long as the chunks have no vectors. */
export function weightsFor({ hits, embeddingModel }: RetrievalResult): ConfidenceWeights {
  const hasVectors = hits.some(({ similarity }) => similarity > 0);
  return confidenceWeights(hasVectors ? embeddingModel : null);
}
