import { anchorPairs } from '../extractive/anchor-pairs.ts';
import type { EmbeddingModel } from '../models.ts';
import { dotProduct } from './dot-product.ts';
import { mean } from './mean.ts';

/** Maps the cosine of a model to the range of the built-in model, to which the weights are fitted. */
export interface SimilarityScale {
  readonly factor: number;
  readonly offset: number;
}

export const unchangedScale: SimilarityScale = { factor: 1, offset: 0 };

/**
 * Cosines that the built-in model gives to `anchorPairs`: the mean of questions and their own passages, and mean and
 * standard deviation of questions and other passages.
 */
const builtIn: Cosines = { related: 0.686, unrelated: 0.02, spread: 0.079 };

interface Cosines {
  readonly related: number;
  readonly unrelated: number;
  readonly spread: number;
}

/** Minimum of `related - unrelated`. A model with less does not distinguish the pairs, for example in its language. */
const minDifference = 0.01;

/**
 * Measures the scale of a model: embeds questions on unrelated topics and their passages, and compares the cosines with
 * those of the built-in model. The result depends on the model only, not on anybody's documents.
 *
 * @throws DomainError MODEL_ERROR from the model.
 */
export async function measureSimilarityScale(
  embed: EmbeddingModel['embed'],
): Promise<SimilarityScale> {
  const questions = anchorPairs.map(([question]) => question);
  const passages = anchorPairs.map(([, passage]) => passage);
  const [asked, answers] = await Promise.all([
    embed(questions, { kind: 'query' }),
    embed(passages, { kind: 'query', role: 'document' }),
  ]);
  const related: number[] = [];
  const unrelated: number[] = [];
  for (const [index, question] of asked.vectors.entries()) {
    for (const [position, passage] of answers.vectors.entries()) {
      (index === position ? related : unrelated).push(dotProduct(question, passage));
    }
  }
  return scaleFrom({
    related: mean(related),
    unrelated: mean(unrelated),
    spread: standardDeviation(unrelated),
  });
}

/** Aligns the unrelated pairs. The range grows as far as neither the related pairs nor the noise exceed the built-in one. */
function scaleFrom({ related, unrelated, spread }: Cosines): SimilarityScale {
  const difference = related - unrelated;
  if (difference < minDifference) return unchangedScale;
  const factor = Math.min(
    (builtIn.related - builtIn.unrelated) / difference,
    builtIn.spread / spread,
  );
  return { factor, offset: builtIn.unrelated - factor * unrelated };
}

/** Returns the similarity for a cosine, 0 to 1. */
export function scaledSimilarity(cosine: number, { factor, offset }: SimilarityScale): number {
  return Math.min(1, Math.max(0, factor * cosine + offset));
}

function standardDeviation(values: readonly number[]): number {
  const center = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - center) ** 2)));
}
