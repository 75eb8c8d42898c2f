import { anchorPairs } from './anchor-pairs.ts';
import { dotProduct } from './dot-product.ts';
import { mean } from './mean.ts';

/** Maps the cosines of a model to the range of the built-in model. The weights are fitted to this range. */
export interface SimilarityScale {
  readonly factor: number;
  readonly offset: number;
}

export const unchangedScale: SimilarityScale = { factor: 1, offset: 0 };

/**
 * Cosines of the built-in model for `anchorPairs`. `related`: mean for questions with their own passages. `unrelated`
 * and `spread`: mean and standard deviation for questions with other passages.
 */
const builtIn: Cosines = { related: 0.686, unrelated: 0.02, spread: 0.079 };

interface Cosines {
  readonly related: number;
  readonly unrelated: number;
  readonly spread: number;
}

/**
 * Minimum of `related - unrelated`. If the difference is smaller, the model does not distinguish the pairs, for example
 * because it does not know their language.
 */
const minDifference = 0.01;

/**
 * Measures the scale of a model. Embeds questions on unrelated topics and their passages, and compares the cosines with
 * those of the built-in model. The result depends only on the model and not on the documents of any project.
 *
 * @throws DomainError MODEL_ERROR from the model.
 */
export async function measureSimilarityScale(
  embed: (
    texts: readonly string[],
    options: { readonly kind: 'query'; readonly role?: 'document' },
  ) => Promise<{ readonly vectors: readonly Float32Array[] }>,
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

/**
 * Returns a scale that gives unrelated pairs the same mean as in the built-in model. The factor is as large as
 * possible, but neither the related pairs nor the spread may exceed the values of the built-in model.
 */
function scaleFrom({ related, unrelated, spread }: Cosines): SimilarityScale {
  const difference = related - unrelated;
  if (difference < minDifference) return unchangedScale;
  const factor = Math.min(
    (builtIn.related - builtIn.unrelated) / difference,
    builtIn.spread / spread,
  );
  return { factor, offset: builtIn.unrelated - factor * unrelated };
}

/** Converts a cosine to a similarity from 0 to 1. */
export function scaledSimilarity(cosine: number, { factor, offset }: SimilarityScale): number {
  return Math.min(1, Math.max(0, factor * cosine + offset));
}

function standardDeviation(values: readonly number[]): number {
  const center = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - center) ** 2)));
}
