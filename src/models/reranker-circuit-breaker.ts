import type { Logger } from 'pino';
import type { Reranker } from './models.ts';

/** After a failure, the reranker is not called for this time, so that not every search waits for its timeout. */
const resetTimeoutMs = 30_000;

/**
 * Wraps a reranker. Returns null instead of failing, and does not call the reranker again for `resetTimeoutMs` after a
 * failure.
 */
export function rerankerWithCircuitBreaker(
  reranker: Reranker,
  { log, now = () => performance.now() }: { readonly log: Logger; readonly now?: () => number },
): Reranker {
  let openUntil = Number.NEGATIVE_INFINITY;
  return {
    name: reranker.name,
    async score(query, texts, signal) {
      if (now() < openUntil) return null;
      try {
        return await reranker.score(query, texts, signal);
      } catch (error) {
        signal.throwIfAborted();
        openUntil = now() + resetTimeoutMs;
        log.warn({ err: error }, 'failed to rerank hits: using the search order');
        return null;
      }
    },
  };
}
