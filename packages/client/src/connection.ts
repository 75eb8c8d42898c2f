/** One request and its response. Both are aborted when the caller aborts, or at a deadline. */
export interface Connection {
  readonly signal: AbortSignal;
  /** Sets a new deadline: after `ms`, the connection aborts with `error()`. */
  setDeadline(ms: number, error: () => Error): void;
  clearDeadline(): void;
  /**
   * Removes the deadline and the listener on the caller's signal. Aborts the part of the response that was not read.
   */
  close(): void;
}

/** Does not use `AbortSignal.any` and `AbortSignal.timeout`, because some browsers in use do not have them. */
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
