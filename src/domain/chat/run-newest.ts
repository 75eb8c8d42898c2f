import { DomainError, serviceAbortReason } from '../../platform/errors.ts';
import { oncePerObject } from '../../platform/once-per-object.ts';
import type { Context } from '../context.ts';

/** Abort controllers of the work that runs in this process, by key. */
const runningIn = oncePerObject((_: Context['database']) => new Map<string, AbortController>());

/**
 * Runs `work`. If this process still runs earlier work with the same key, cancels the earlier work. The signal of the
 * context that `work` receives also aborts after `timeoutMs`.
 *
 * @throws DomainError CONFLICT when newer work has cancelled this work.
 * @throws DomainError UNAVAILABLE when `timeoutMs` is over.
 */
export async function runNewest<Result>(
  context: Context,
  { key, timeoutMs }: { readonly key: string; readonly timeoutMs: number },
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const running = runningIn(context.database);
  const cancellation = new AbortController();
  running.get(key)?.abort(new DomainError('CONFLICT', 'A newer request has replaced this one'));
  running.set(key, cancellation);
  const timer = setTimeout(() => cancellation.abort(timeoutError(timeoutMs)), timeoutMs);
  const signal = AbortSignal.any([context.signal, cancellation.signal]);
  try {
    return await work({ ...context, signal });
  } catch (error) {
    throw serviceAbortReason(cancellation.signal) ?? error;
  } finally {
    clearTimeout(timer);
    if (running.get(key) === cancellation) running.delete(key);
  }
}

function timeoutError(timeoutMs: number): DomainError {
  const message = `This took longer than ${timeoutMs / 1_000} s. Try again`;
  return new DomainError('UNAVAILABLE', message, { retryable: true });
}
