import type { Logger } from 'pino';
import { createCircuitBreaker } from '../availability/circuit-breaker.ts';
import type { Reranker } from '../models.ts';

/** Wraps a reranker. If the reranker fails, returns null and does not call it for half a minute. */
export function rerankerWithCircuitBreaker(
  reranker: Reranker,
  { log, now }: { readonly log: Logger; readonly now?: () => number },
): Reranker {
  const breaker = createCircuitBreaker(now);
  return {
    name: reranker.name,
    async score(query, texts, signal) {
      if (breaker.isOpen) return null;
      try {
        return await reranker.score(query, texts, signal);
      } catch (error) {
        signal.throwIfAborted();
        breaker.trip();
        log.warn({ err: error }, 'failed to rerank hits: using the search order');
        return null;
      }
    },
  };
}
