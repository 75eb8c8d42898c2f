import { modelFailure } from '../availability/model-failure.ts';
import type { EmbeddingModel } from '../models.ts';

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

/**
 * Maximum dimensions of a vector: an entry of an HNSW index of pgvector, in half precision, must fit into a page of
 * Postgres.
 */
export const maxVectorDimensions = 4_000;

/** @throws DomainError MODEL_ERROR when vectors of this number of dimensions cannot be indexed. */
export function requireIndexableSize(dimensions: number): void {
  if (dimensions <= maxVectorDimensions) return;
  throw modelFailure(
    `The embedding model returns vectors of ${dimensions} dimensions. Set EMBEDDING_DIMENSIONS to ${maxVectorDimensions} or less, or use another model`,
  );
}

/** @throws DomainError MODEL_ERROR when the vector has another number of dimensions. */
export function requireVectorSize(vector: Float32Array, dimensions: number): void {
  if (vector.length === dimensions) return;
  throw modelFailure(
    `The embedding model returned a vector of ${vector.length} dimensions instead of ${dimensions}`,
  );
}
