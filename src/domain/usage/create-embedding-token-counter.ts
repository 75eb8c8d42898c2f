import type { Logger } from 'pino';
import type { Context } from '../context.ts';
import { countEmbeddingTokens } from './count-embedding-tokens.ts';
import type { EmbeddingTokenCounter } from './embedding-token-counter.ts';

const flushIntervalMs = 1_000;

/** Counts the tokens of all tenants, as the service itself. */
export function createEmbeddingTokenCounter({
  database,
  log,
}: {
  readonly database: Context['database'];
  readonly log: Logger;
}): EmbeddingTokenCounter {
  let sums = new Map<string, number>();
  let flushing = Promise.resolve();

  const add = (projectId: string, tokens: number) => {
    if (tokens > 0) sums.set(projectId, (sums.get(projectId) ?? 0) + tokens);
  };
  const storeSums = async () => {
    const waiting = sums;
    sums = new Map();
    for (const [projectId, tokens] of waiting) {
      try {
        await countEmbeddingTokens({ database, caller: { type: 'service' } }, projectId, tokens);
      } catch (error) {
        log.warn({ err: error, projectId }, 'failed to store embedding tokens');
        add(projectId, tokens);
      }
    }
  };
  const flush = () => {
    flushing = flushing.then(storeSums);
    return flushing;
  };
  const timer = setInterval(() => {
    if (sums.size > 0) void flush();
  }, flushIntervalMs);
  timer.unref();
  return {
    add,
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
