import { modelFailure } from '../availability/model-failure.ts';
import type { EmbeddingModel } from '../models.ts';

/**
 * Wraps a model so that it fails if its vectors do not have the expected size. Stored vectors and query vectors of
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
 * Maximum number of dimensions of a vector. An entry of pgvector's HNSW index, in half precision, must fit into one
 * page of Postgres.
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
