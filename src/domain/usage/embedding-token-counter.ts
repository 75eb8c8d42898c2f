import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { countEmbeddingTokens } from './count-embedding-tokens.ts';

/**
 * Sums the embedding tokens of searches and documents in memory and stores the sums once a second, so that a search
 * needs no statement for them. A process that crashes loses at most one second, and those that the database did not
 * accept.
 */
export interface EmbeddingTokenCounter {
  add(projectId: string, tokens: number): void;
  /** Stores all sums. Never rejects: sums that cannot be stored are kept for the next attempt. */
  flush(): Promise<void>;
  /** Stores all sums for the last time. */
  stop(): Promise<void>;
}

const flushIntervalMs = 1_000;

/** `pool` must have access to all tenants. */
export function createEmbeddingTokenCounter({
  pool,
  log,
}: {
  readonly pool: Pool;
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
        await countEmbeddingTokens({ pool }, projectId, tokens);
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
