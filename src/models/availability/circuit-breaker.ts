/** After a failure, the model is not called for this time, so that not every search waits for its timeout. */
const resetTimeoutMs = 30_000;

/** Remembers that a model has just failed. */
export interface CircuitBreaker {
  /** Whether calls are skipped at the moment. */
  readonly isOpen: boolean;
  /** Skips calls for the next 30 seconds. */
  trip(): void;
}

export function createCircuitBreaker(now = () => performance.now()): CircuitBreaker {
  let openUntil = Number.NEGATIVE_INFINITY;
  return {
    get isOpen() {
      return now() < openUntil;
    },
    trip() {
      openUntil = now() + resetTimeoutMs;
    },
  };
}
