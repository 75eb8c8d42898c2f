import { setTimeout as delay } from 'node:timers/promises';

/** One attempt of a network operation. */
export interface RetryAttempt {
  /** Aborts when the caller aborts, after `idleTimeoutMs` without reported progress, or after `attemptTimeoutMs`. */
  readonly signal: AbortSignal;
  /** Restarts the idle timeout. Call it each time bytes have been transferred. */
  reportProgress(): void;
}

export interface RetryPolicy {
  readonly idleTimeoutMs: number;
  readonly attemptTimeoutMs: number;
  /** Approximate delay before the second attempt. Doubles with each further attempt. */
  readonly initialBackoffMs: number;
}

const maxAttempts = 3;

/**
 * Runs `work` up to three times, as long as it fails with transient errors. Does not retry after a timeout. Throws the
 * error of the last attempt, or the signal's reason when `signal` aborts.
 */
export async function retry<T>(
  work: (attempt: RetryAttempt) => Promise<T>,
  {
    signal,
    isTransient,
    idleTimeoutMs,
    attemptTimeoutMs,
    initialBackoffMs,
  }: RetryPolicy & {
    readonly signal: AbortSignal | undefined;
    isTransient(error: unknown): boolean;
  },
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    signal?.throwIfAborted();
    const limit = new AbortController();
    const abort = (reason: unknown) => limit.abort(reason);
    const onCallerAbort = () => abort(signal?.reason);
    signal?.addEventListener('abort', onCallerAbort, { once: true });
    const idleTimer = setTimeout(
      abort,
      idleTimeoutMs,
      new Error('No progress within the idle timeout'),
    );
    const attemptTimer = setTimeout(abort, attemptTimeoutMs, new Error('Attempt timed out'));
    try {
      return await work({ signal: limit.signal, reportProgress: () => idleTimer.refresh() });
    } catch (error) {
      signal?.throwIfAborted();
      if (attempts === maxAttempts || limit.signal.aborted || !isTransient(error)) throw error;
    } finally {
      clearTimeout(idleTimer);
      clearTimeout(attemptTimer);
      signal?.removeEventListener('abort', onCallerAbort);
    }
    await delay(initialBackoffMs * 2 ** (attempts - 1) * (0.5 + Math.random()), undefined, {
      signal,
    });
  }
}
