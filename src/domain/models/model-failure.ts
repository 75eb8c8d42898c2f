import { DomainError } from '../errors.ts';

/** A failure of a model: `message` is safe to show; what the provider said stays in `cause`. */
export function modelFailure(
  message: string,
  options: { readonly cause?: unknown; readonly retryable?: boolean } = {},
): DomainError {
  return new DomainError('MODEL_ERROR', message, options);
}

/** The failure of a call whose caller aborted it. */
export function modelStopped(signal: AbortSignal): DomainError {
  return modelFailure('The model call was stopped', { cause: signal.reason });
}

export function throwIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw modelStopped(signal);
  }
}
