import { ApiError, ConnectionError, retryableStatuses } from './errors.ts';

/** Facts about a request after a failed attempt. */
export interface FailedAttempt {
  readonly error: unknown;
  /** Number of failed attempts, including this one. */
  readonly failures: number;
  /** Whether the service does the work only once if it receives the request twice. */
  readonly isRepeatable: boolean;
  /** Whether the service is still working on an earlier attempt of the same request. */
  readonly isWaiting: boolean;
  readonly maxRetries: number;
  readonly startedAt: number;
}

const firstDelayMs = 250;
const longestDelayMs = 8_000;
/** If `Retry-After` is longer, the client does not wait. The caller receives the error. */
const longestRetryAfterMs = 60_000;
/**
 * How long to wait until the service has finished an earlier attempt of the same request. An answer can take minutes.
 */
const runningPatienceMs = 180_000;
const runningDelayMs = 1_000;

/** Returns the delay before the next attempt in milliseconds, or null if the client must not retry. */
export function retryDelayMs(attempt: FailedAttempt): number | null {
  const { error, failures, isRepeatable, isWaiting, maxRetries, startedAt } = attempt;
  if (isWaiting) {
    return Date.now() - startedAt < runningPatienceMs ? runningDelayMs : null;
  }
  if (failures > maxRetries) return null;
  if (error instanceof ConnectionError) return isRepeatable ? backoffMs(failures) : null;
  if (!(error instanceof ApiError) || !retryableStatuses.includes(error.status ?? 0)) return null;
  // A request over the rate limit has no effect, so any such request can be repeated.
  if (!isRepeatable && error.status !== 429) return null;
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds === null) return backoffMs(failures);
  const delayMs = retryAfterSeconds * 1_000;
  return delayMs > longestRetryAfterMs ? null : Math.max(delayMs, backoffMs(failures));
}

/**
 * Returns whether the service may still be working on a request after this error. A proxy can answer 502 or 504 before
 * the service has finished.
 */
export function mayStillRun(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 408 || (error.status ?? 0) >= 500;
  return error instanceof ConnectionError;
}

/** Exponential backoff. The random part spreads the retries of clients that failed at the same time. */
export function backoffMs(failures: number): number {
  const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1));
  return delay * (0.5 + Math.random() / 2);
}

/** Resolves after `ms`. If the signal aborts, rejects with its reason at once. */
export function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
