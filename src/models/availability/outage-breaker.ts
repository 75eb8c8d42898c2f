import { DomainError } from '../../platform/errors.ts';
import { isEmbeddingOutage } from '../embedding/embedding-failure.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

/** State of the calls to a model. */
export interface OutageState {
  /** Returns the error with which a call would fail now without reaching the model, or null. */
  refusal(): DomainError | null;
  /** Returns the failure of the latest call that reached the model, or null if it succeeded. */
  latestFailure(): DomainError | null;
  /** Returns when a call succeeded last, in milliseconds since 1970, or null. */
  succeededAt(): number | null;
}

/** Stops calls to a model during an outage. After half a minute, one call at a time tests whether it is over. */
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

/** A refused call gets a new error; `latestFailure` is that of the call that reached the model. */
function copyOf({ code, messages, cause, retryable }: DomainError): DomainError {
  return new DomainError(code, messages, { cause, retryable });
}
