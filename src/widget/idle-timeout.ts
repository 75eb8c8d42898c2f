/**
 * Aborts a request when no data arrives for a given time, because a broken connection may stay open without an error.
 */
export interface IdleTimeout {
  /** Aborts after the idle time, or when the caller's signal aborts. */
  readonly signal: AbortSignal;
  /** Restarts the idle time. Call it when data arrives. */
  reset(): void;
  clear(): void;
}

export function createIdleTimeout(timeoutMs: number, callerSignal?: AbortSignal): IdleTimeout {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timer = setTimeout(abort, timeoutMs);
  callerSignal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    reset() {
      clearTimeout(timer);
      timer = setTimeout(abort, timeoutMs);
    },
    clear() {
      clearTimeout(timer);
      callerSignal?.removeEventListener('abort', abort);
    },
  };
}
