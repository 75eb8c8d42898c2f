import { type RetrievalResult, weightsFor } from './confidence.ts';
import { confidenceWeights } from './confidence-weights.ts';

/** Settings that decide whether the chat model is called. */
export interface AnswerRule {
  readonly model: { readonly isExtractive?: boolean };
  /** Minimum confidence that the project has set. Null: the default of the model. */
  readonly confidenceThreshold: number | null;
}

/**
 * Returns true if the chat model is called. Otherwise the answer is the fallback text.
 *
 * By default, an extractive model is called only if the confidence reaches the threshold of the embedding model's
 * weights, because an extractive model cannot recognize that the chunks lack the answer. Other models read the chunks
 * and report this themselves. Calls `confidence` only if the decision depends on it.
 */
export function isModelAsked(
  rule: AnswerRule,
  retrieved: RetrievalResult,
  confidence: () => number,
): boolean {
  if (retrieved.hits.length === 0) return false;
  const threshold = thresholdOf(rule, retrieved);
  return threshold === null || confidence() >= threshold;
}

/** Returns the confidence from which the chat model is called. Null if it is called in any case. */
export function thresholdOf(rule: AnswerRule, retrieved: RetrievalResult): number | null {
  if (!isConfidenceDecisive(rule)) return null;
  return rule.confidenceThreshold ?? weightsFor(retrieved).answerThreshold;
}

/** Returns false if the chat model is called in any case. Then the confidence can be measured while the model works. */
export function isConfidenceDecisive({ model, confidenceThreshold }: AnswerRule): boolean {
  return confidenceThreshold !== null || model.isExtractive === true;
}

/**
 * Returns the threshold for projects that have set none. At 0, the model is called whenever the search finds anything.
 */
export function defaultThreshold(
  model: AnswerRule['model'],
  embeddingModel: string | null,
): number {
  return model.isExtractive ? confidenceWeights(embeddingModel).answerThreshold : 0;
}

/** Maximum confidence of an answer that is the fallback text. */
export const maxFallbackConfidence = 0.2;
