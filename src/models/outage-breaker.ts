import type { DomainError } from '../platform/errors.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { isEmbeddingOutage } from './embedding-failure.ts';

/** Stops calls to a model during an outage. After half a minute, one call at a time tests whether it is over. */
export interface OutageBreaker {
  /** Returns the failure with which a call would fail now without reaching the model, or null. */
  failure(): DomainError | null;
  run<Result>(call: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result>;
}

export function createOutageBreaker(now?: () => number): OutageBreaker {
  const breaker = createCircuitBreaker(now);
  let latest: DomainError | null = null;
  let isTesting = false;
  const failure = () => (breaker.isOpen || isTesting ? latest : null);
  return {
    failure,
    async run(call, signal) {
      const outage = failure();
      if (outage !== null) throw outage;
      const isTest = latest !== null;
      isTesting = isTest;
      try {
        const result = await call();
        latest = null;
        return result;
      } catch (error) {
        if (isEmbeddingOutage(error) && signal?.aborted !== true) {
          latest = error;
          breaker.trip();
        }
        throw error;
      } finally {
        if (isTest) isTesting = false;
      }
    },
  };
}
