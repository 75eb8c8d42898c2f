import type { DomainError } from '../errors.ts';
import { modelFailure, modelStopped } from './model-failure.ts';

/** Ends a call that its caller left, that takes too long, or in which nothing happens. */
export interface CallWatch {
  readonly controller: AbortController;
  /** Why the watch ended the call, or null when it did not. */
  failure(): DomainError | null;
  /** Something must happen within this time; each call replaces the time set before. */
  expectWithin(timeoutMs: number): void;
  /** Ends the watch and whatever still runs under its signal. */
  close(): void;
}

export function watchCall(signal: AbortSignal, totalMs: number): CallWatch {
  const controller = new AbortController();
  // The SDK aborts the controller too, so its reason does not say who did.
  let failure: DomainError | null = null;
  const end = (why: DomainError) => {
    failure ??= why;
    controller.abort(why);
  };
  const onAbort = () => end(modelStopped(signal));
  const onTimeout = () =>
    end(modelFailure('The model did not answer in time', { retryable: true }));
  const total = setTimeout(onTimeout, totalMs);
  let idle: NodeJS.Timeout | undefined;
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) {
    onAbort();
  }
  return {
    controller,
    failure: () => failure,
    expectWithin(timeoutMs) {
      clearTimeout(idle);
      idle = setTimeout(onTimeout, timeoutMs);
    },
    close() {
      clearTimeout(total);
      clearTimeout(idle);
      signal.removeEventListener('abort', onAbort);
      controller.abort();
    },
  };
}
