/** One request and the reading of its response. Aborts when the caller does, or at a deadline. */
export interface Connection {
  readonly signal: AbortSignal;
  /** Replaces the deadline. After `ms`, the connection aborts with `error()`. */
  setDeadline(ms: number, error: () => Error): void;
  clearDeadline(): void;
  /** Ends the deadline and stops following the caller's signal. Aborts what is not read yet. */
  close(): void;
}

/** `AbortSignal.any` and `AbortSignal.timeout` are missing in browsers that are still in use. */
export function openConnection(callerSignal: AbortSignal | undefined): Connection {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = () => controller.abort(callerSignal?.reason);
  if (callerSignal?.aborted) follow();
  callerSignal?.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    setDeadline(ms, error) {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(error()), ms);
    },
    clearDeadline() {
      clearTimeout(timer);
    },
    close() {
      clearTimeout(timer);
      callerSignal?.removeEventListener('abort', follow);
      controller.abort();
    },
  };
}
