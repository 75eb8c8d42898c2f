import type { ServerResponse } from 'node:http';

/**
 * Aborts when the client leaves before it has the whole answer, or with the reason of `stopping`.
 * By hand: `AbortSignal.any` over a signal that outlives the request keeps every request in memory.
 */
export function requestSignal(response: ServerResponse, stopping: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort(stopping.reason);
  stopping.addEventListener('abort', stop, { once: true });
  response.once('close', () => {
    stopping.removeEventListener('abort', stop);
    if (!response.writableFinished) controller.abort();
  });
  if (stopping.aborted) stop();
  return controller.signal;
}

/** Aborts with the reason of `stopping` alone: for work that goes on when its client leaves. */
export function lastingSignal(
  stopping: AbortSignal,
): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const stop = () => controller.abort(stopping.reason);
  stopping.addEventListener('abort', stop, { once: true });
  if (stopping.aborted) stop();
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => stopping.removeEventListener('abort', stop),
  };
}
