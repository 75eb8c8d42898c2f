import type { Logger } from 'pino';
import type { Reranker } from './models.ts';

/** So long a reranker that failed is not asked again: every search would wait for its time-out. */
const restMs = 30_000;

/** The same reranker, which says null instead of failing, and rests for a while then. */
export function restingReranker(
  reranker: Reranker,
  { log, now = () => performance.now() }: { readonly log: Logger; readonly now?: () => number },
): Reranker {
  let restsUntil = Number.NEGATIVE_INFINITY;
  return {
    name: reranker.name,
    async score(query, texts, signal) {
      if (now() < restsUntil) return null;
      try {
        return await reranker.score(query, texts, signal);
      } catch (error) {
        signal.throwIfAborted();
        restsUntil = now() + restMs;
        log.warn({ err: error }, 'hits could not be reranked: their order is that of the search');
        return null;
      }
    },
  };
}
