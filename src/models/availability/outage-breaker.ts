import { DomainError } from '../../platform/errors.ts';
import { isEmbeddingOutage } from '../embedding/embedding-failure.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

/** State of the calls to a model. */
export interface OutageState {
  /** If calls currently fail without reaching the model, returns their error. Returns null otherwise. */
  refusal(): DomainError | null;
  /** Returns the error of the latest call that reached the model. Returns null if this call succeeded. */
  latestFailure(): DomainError | null;
  /** Returns the time of the last successful call in milliseconds since 1970. Returns null if no call has succeeded. */
  succeededAt(): number | null;
}

/**
 * Stops calls to a model during an outage. After half a minute, lets one call at a time through to test whether the
 * outage is over.
 */
export interface OutageBreaker extends OutageState {
  run<Result>(call: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result>;
}

export function createOutageBreaker(now?: () => number): OutageBreaker {
  const breaker = createCircuitBreaker(now);
  let latest: DomainError | null = null;
  let succeededAt: number | null = null;
  let isTesting = false;
  const refusal = () => (latest !== null && (breaker.isOpen || isTesting) ? copyOf(latest) : null);
  return {
    refusal,
    latestFailure: () => latest,
    succeededAt: () => succeededAt,
    async run(call, signal) {
      const refused = refusal();
      if (refused !== null) throw refused;
      const isTest = latest !== null;
      isTesting = isTest;
      try {
        const result = await call();
        latest = null;
        succeededAt = Date.now();
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

/**
 * Creates a new error for a refused call. `latestFailure` still returns the error of the call that reached the model.
 */
function copyOf({ code, messages, cause, retryable }: DomainError): DomainError {
  return new DomainError(code, messages, { cause, retryable });
}
