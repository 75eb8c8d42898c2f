import type { Logger } from 'pino';
import { isInvalidData } from '../../platform/postgres/refused-statement.ts';
import type { Context } from '../context.ts';
import { countEmbeddingTokens } from './count-embedding-tokens.ts';
import type { EmbeddingTokenCounter } from './embedding-token-counter.ts';

const flushIntervalMs = 1_000;
const maxRetryDelayMs = 60_000;

/**
 * Returns the delay in milliseconds before the sums are stored again, after this number of failures in a row. Usage that
 * is read in the meantime tries at once.
 */
export function retryDelayMs(failures: number): number {
  return Math.min(flushIntervalMs * 2 ** failures, maxRetryDelayMs);
}

/** Counts the tokens of all tenants, as the service itself. */
export function createEmbeddingTokenCounter({
  database,
  log,
}: {
  readonly database: Context['database'];
  readonly log: Logger;
}): EmbeddingTokenCounter {
  /** One sum per project that exists, because only its searches and documents add to it. */
  let sums = new Map<string, number>();
  let flushing = Promise.resolve();
  let failures = 0;
  let retryAt = 0;

  const add = (projectId: string, tokens: number) => {
    if (tokens > 0) sums.set(projectId, (sums.get(projectId) ?? 0) + tokens);
  };
  const store = async (projectId: string, tokens: number) => {
    try {
      await countEmbeddingTokens({ database, caller: { type: 'service' } }, projectId, tokens);
    } catch (error) {
      if (!isInvalidData(error)) throw error;
      log.error({ err: error, projectId, tokens }, 'embedding tokens cannot be stored: dropped');
    }
  };
  const storeSums = async () => {
    const waiting = sums;
    sums = new Map();
    try {
      for (const [projectId, tokens] of waiting) {
        await store(projectId, tokens);
        waiting.delete(projectId);
      }
      if (failures > 0) log.info('embedding tokens are stored again');
      failures = 0;
    } catch (error) {
      // The database is unavailable for all projects, so the others are not tried.
      for (const [projectId, tokens] of waiting) add(projectId, tokens);
      if (failures === 0) log.warn({ err: error }, 'failed to store embedding tokens: retrying');
      failures += 1;
      retryAt = performance.now() + retryDelayMs(failures);
    }
  };
  const flush = () => {
    flushing = flushing.then(storeSums);
    return flushing;
  };
  const timer = setInterval(() => {
    if (sums.size > 0 && (failures === 0 || performance.now() >= retryAt)) void flush();
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
