import type { Logger } from 'pino';
import { DomainError } from '../platform/errors.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { modelFailure } from './model-failure.ts';
import type { EmbeddingModel } from './models.ts';

/**
 * Wraps an embedding model. After a temporary failure of a query, further queries fail immediately for half a minute.
 * Documents are not affected: their ingestion job retries them.
 */
export function embeddingModelWithCircuitBreaker(
  model: EmbeddingModel,
  { log, now }: { readonly log: Logger; readonly now?: () => number },
): EmbeddingModel {
  const breaker = createCircuitBreaker(now);
  return {
    ...model,
    async embed(texts, options) {
      if (options?.kind !== 'query') return model.embed(texts, options);
      if (breaker.isOpen) {
        throw modelFailure('The embedding model is not available', { retryable: true });
      }
      try {
        return await model.embed(texts, options);
      } catch (error) {
        if (isTemporary(error) && options.signal?.aborted !== true) {
          breaker.trip();
          log.warn(
            { err: error, model: model.name },
            'failed to embed a query: full-text search only',
          );
        }
        throw error;
      }
    },
  };
}

/** Whether the same call may succeed later, so that a search goes on without vectors in the meantime. */
export function isTemporary(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'MODEL_ERROR' && error.retryable;
}
