import type { DomainError } from '../../platform/errors.ts';
import { modelAbortedError, modelFailure } from './model-failure.ts';

/**
 * Aborts a model call when its caller aborts, when the call takes too long in total, or when no data arrives for too
 * long.
 */
export interface CallDeadline {
  readonly controller: AbortController;
  /** Returns the error if the deadline aborted the call. Returns null otherwise. */
  failure(): DomainError | null;
  /** Starts the idle timeout, or restarts it with a new duration. */
  resetIdleTimeout(timeoutMs: number): void;
  /** Stops the idle timeout until the next `resetIdleTimeout`. */
  pauseIdleTimeout(): void;
  /** Clears the timers, and aborts everything that still uses the signal of the controller. */
  close(): void;
}

/**
 * Shared by all calls. A new default reason would be an error with a stack, which costs more than the rest of a short
 * call.
 */
const closedReason = new Error('The model call is over');

export function startCallDeadline(signal: AbortSignal, totalTimeoutMs: number): CallDeadline {
  const controller = new AbortController();
  // The failure is stored here. The reason of the signal does not show the cause, because the SDK also aborts the
  // controller.
  let failure: DomainError | null = null;
  const abortWith = (why: DomainError) => {
    failure ??= why;
    controller.abort(why);
  };
  const onAbort = () => abortWith(modelAbortedError(signal));
  const onTimeout = () =>
    abortWith(modelFailure('The model did not answer in time', { retryable: true }));
  const totalTimer = setTimeout(onTimeout, totalTimeoutMs);
  let idleTimer: NodeJS.Timeout | undefined;
  let idleTimeoutMs = 0;
  let isIdlePaused = false;
  const onIdle = () => {
    if (!isIdlePaused) onTimeout();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) {
    onAbort();
  }
  return {
    controller,
    failure: () => failure,
    resetIdleTimeout(timeoutMs) {
      isIdlePaused = false;
      // This runs for each read of a stream. Refreshing the timer costs less than creating a new one.
      if (idleTimer !== undefined && timeoutMs === idleTimeoutMs) {
        idleTimer.refresh();
        return;
      }
      clearTimeout(idleTimer);
      idleTimeoutMs = timeoutMs;
      idleTimer = setTimeout(onIdle, timeoutMs);
    },
    pauseIdleTimeout() {
      isIdlePaused = true;
    },
    close() {
      clearTimeout(totalTimer);
      clearTimeout(idleTimer);
      signal.removeEventListener('abort', onAbort);
      controller.abort(closedReason);
    },
  };
}
