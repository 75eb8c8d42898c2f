import type { Logger } from 'pino';
import { isInvalidData } from '../../platform/postgres/refused-statement.ts';
import type { Context } from '../context.ts';
import { countTokens } from './count-tokens.ts';
import type { TokenCount } from './token-count.ts';
import type { TokenCounter } from './token-counter.ts';

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
export function createTokenCounter({
  database,
  log,
}: {
  readonly database: Context['database'];
  readonly log: Logger;
}): TokenCounter {
  /** Sums by model and kind, per project that exists: only its searches and documents add to it. */
  let sums = new Map<string, Map<string, TokenCount>>();
  let flushing = Promise.resolve();
  let failures = 0;
  let retryAt = 0;

  const add = (projectId: string, counts: readonly TokenCount[]) => {
    for (const { model, kind, tokens } of counts) {
      if (tokens <= 0) continue;
      const ofProject = sums.get(projectId) ?? new Map<string, TokenCount>();
      sums.set(projectId, ofProject);
      const key = `${kind} ${model}`;
      ofProject.set(key, { model, kind, tokens: tokens + (ofProject.get(key)?.tokens ?? 0) });
    }
  };
  const store = async (projectId: string, counts: readonly TokenCount[]) => {
    try {
      await countTokens({ database, caller: { type: 'service' } }, projectId, counts);
    } catch (error) {
      if (!isInvalidData(error)) throw error;
      log.error({ err: error, projectId, counts }, 'tokens cannot be stored: dropped');
    }
  };
  const storeSums = async () => {
    const waiting = sums;
    sums = new Map();
    try {
      for (const [projectId, counts] of waiting) {
        await store(projectId, [...counts.values()]);
        waiting.delete(projectId);
      }
      if (failures > 0) log.info('tokens are stored again');
      failures = 0;
    } catch (error) {
      // The database is unavailable for all projects, so the others are not tried.
      for (const [projectId, counts] of waiting) add(projectId, [...counts.values()]);
      if (failures === 0) log.warn({ err: error }, 'failed to store tokens: retrying');
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
