/**
 * Time for which a model is not called after a failure. Without it, every search would wait for the timeout of the
 * model.
 */
const resetTimeoutMs = 30_000;

/** Remembers whether a model has just failed. */
export interface CircuitBreaker {
  /** Whether calls are currently skipped. */
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
