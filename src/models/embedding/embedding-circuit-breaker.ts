import type { Logger } from 'pino';
import { createCircuitBreaker } from '../availability/circuit-breaker.ts';
import { modelFailure } from '../availability/model-failure.ts';
import { createOutageBreaker } from '../availability/outage-breaker.ts';
import type { EmbeddingModel } from '../models.ts';
import { isTemporary } from './embedding-failure.ts';

/**
 * Wraps an embedding model. After a temporary failure of a query, further queries fail immediately for half a minute.
 * Documents have a separate breaker, so that not every document waits for a timeout during an outage.
 */
export function embeddingModelWithCircuitBreaker(
  model: EmbeddingModel,
  { log, now }: { readonly log: Logger; readonly now?: () => number },
): EmbeddingModel {
  const breaker = createCircuitBreaker(now);
  const documents = createOutageBreaker(now);
  return {
    ...model,
    documents,
    async embed(texts, options) {
      if (options?.kind !== 'query') {
        return documents.run(() => model.embed(texts, options), options?.signal);
      }
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
