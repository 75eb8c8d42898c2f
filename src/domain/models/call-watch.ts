import { modelFailure, modelStopped } from './model-failure.ts';

/** Ends a call that its caller left, that takes too long, or in which nothing happens. */
export interface CallWatch {
  /** Aborted with the `DomainError` that says why. */
  readonly controller: AbortController;
  /** Something must happen within this time; each call replaces the time set before. */
  expectWithin(timeoutMs: number): void;
  /** Ends the watch and whatever still runs under its signal. */
  close(): void;
}

export function watchCall(signal: AbortSignal, totalMs: number): CallWatch {
  const controller = new AbortController();
  const onAbort = () => controller.abort(modelStopped(signal));
  const onTimeout = () =>
    controller.abort(modelFailure('The model did not answer in time', { retryable: true }));
  const total = setTimeout(onTimeout, totalMs);
  let idle: NodeJS.Timeout | undefined;
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) {
    onAbort();
  }
  return {
    controller,
    expectWithin(timeoutMs) {
      clearTimeout(idle);
      idle = setTimeout(onTimeout, timeoutMs);
    },
    close() {
      clearTimeout(total);
      clearTimeout(idle);
      signal.removeEventListener('abort', onAbort);
      controller.abort(modelFailure('The model call is over'));
    },
  };
}
