import { type RetrievalResult, weightsFor } from './confidence.ts';
import { confidenceWeights } from './confidence-weights.ts';

/** Conditions for a call of the chat model. */
export interface AnswerRule {
  readonly model: { readonly isExtractive?: boolean };
  /** Minimum confidence that the project has set. Null for the default of the model. */
  readonly confidenceThreshold: number | null;
}

/**
 * Returns true if the chat model is asked. Otherwise the answer is the fallback text.
 *
 * By default, an extractive model is asked only if the confidence reaches the threshold of the embedding model's
 * weights, because it cannot tell whether the chunks contain the answer. Other models read them and say so themselves.
 * Calls `confidence` only if it decides.
 */
export function isModelAsked(
  rule: AnswerRule,
  retrieved: RetrievalResult,
  confidence: () => number,
): boolean {
  if (retrieved.hits.length === 0) return false;
  if (!isConfidenceDecisive(rule)) return true;
  return confidence() >= (rule.confidenceThreshold ?? weightsFor(retrieved).answerThreshold);
}

/** Returns false if the confidence can be measured while the chat model already works. */
export function isConfidenceDecisive({ model, confidenceThreshold }: AnswerRule): boolean {
  return confidenceThreshold !== null || model.isExtractive === true;
}

/** Returns the threshold of projects that have set none. 0: the model is asked whenever the search finds anything. */
export function defaultThreshold(
  model: AnswerRule['model'],
  embeddingModel: string | null,
): number {
  return model.isExtractive ? confidenceWeights(embeddingModel).answerThreshold : 0;
}

/** Upper bound of the confidence when the answer is the fallback text. */
export const maxFallbackConfidence = 0.2;
