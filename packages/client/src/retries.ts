import { ApiError, ConnectionError, retryableStatuses } from './errors.ts';

/** What is known about a request when an attempt has failed. */
export interface FailedAttempt {
  readonly error: unknown;
  /** Number of failed attempts, this one included. */
  readonly failures: number;
  /** Whether the service does nothing twice if it receives the request again. */
  readonly isRepeatable: boolean;
  /** Whether the service still works on an earlier attempt of the same request. */
  readonly isWaiting: boolean;
  readonly maxRetries: number;
  readonly startedAt: number;
}

const firstDelayMs = 250;
const longestDelayMs = 8_000;
/** A longer `Retry-After` is left to the caller. */
const longestRetryAfterMs = 60_000;
/** How long to wait for the end of an earlier attempt of the same request. An answer can take minutes. */
const runningPatienceMs = 180_000;
const runningDelayMs = 1_000;

/** Returns how long to wait before the next attempt in milliseconds, or null if there should be none. */
export function retryDelayMs(attempt: FailedAttempt): number | null {
  const { error, failures, isRepeatable, isWaiting, maxRetries, startedAt } = attempt;
  if (isWaiting) {
    return Date.now() - startedAt < runningPatienceMs ? runningDelayMs : null;
  }
  if (failures > maxRetries) return null;
  if (error instanceof ConnectionError) return isRepeatable ? backoffMs(failures) : null;
  if (!(error instanceof ApiError) || !retryableStatuses.includes(error.status ?? 0)) return null;
  // A request that exceeds the rate limit has no effect, so it can be repeated always.
  if (!isRepeatable && error.status !== 429) return null;
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds === null) return backoffMs(failures);
  const delayMs = retryAfterSeconds * 1_000;
  return delayMs > longestRetryAfterMs ? null : Math.max(delayMs, backoffMs(failures));
}

/** Whether the service may still work on a request that failed so. A proxy can answer 502 or 504 while it does. */
export function mayStillRun(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 408 || (error.status ?? 0) >= 500;
  return error instanceof ConnectionError;
}

/** Exponential backoff. The random part keeps clients that failed together apart. */
export function backoffMs(failures: number): number {
  const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1));
  return delay * (0.5 + Math.random() / 2);
}

/** Resolves after `ms`. Rejects with the reason of the signal as soon as it aborts. */
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
