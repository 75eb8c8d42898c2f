import { DomainError } from '../../platform/errors.ts';

/** Creates a MODEL_ERROR. `message` must be safe to show to callers. The provider's own message belongs in `cause`. */
export function modelFailure(
  message: string,
  options: { readonly cause?: unknown; readonly retryable?: boolean } = {},
): DomainError {
  return new DomainError('MODEL_ERROR', message, options);
}

/** Creates the MODEL_ERROR for a call that the caller aborted. */
export function modelAbortedError(signal: AbortSignal): DomainError {
  return modelFailure('The model call was stopped', { cause: signal.reason });
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw modelAbortedError(signal);
  }
}
