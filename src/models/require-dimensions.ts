import { modelFailure } from './model-failure.ts';
import type { EmbeddingModel } from './models.ts';

/**
 * Wraps a model so that it fails instead of returning vectors of another size. Stored vectors and query vectors of
 * different sizes cannot be compared.
 */
export function requireDimensions(model: EmbeddingModel, dimensions: number): EmbeddingModel {
  return {
    ...model,
    async embed(texts, options) {
      const embeddings = await model.embed(texts, options);
      for (const vector of embeddings.vectors) requireVectorSize(vector, dimensions);
      return embeddings;
    },
  };
}

/** @throws DomainError MODEL_ERROR when the vector has another number of dimensions. */
export function requireVectorSize(vector: Float32Array, dimensions: number): void {
  if (vector.length === dimensions) return;
  throw modelFailure(
    `The embedding model returned a vector of ${vector.length} dimensions instead of ${dimensions}`,
  );
}
