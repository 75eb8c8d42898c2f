/**
 * Returns a `fetch` that fails if no data arrives for `timeoutMs`. It is needed because a broken connection may stay
 * open without an error. Each part of the response restarts the time.
 */
export function fetchWithIdleTimeout(timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const idle = new AbortController();
    const abort = () => idle.abort(new Error('The service has sent nothing for too long'));
    let timer = setTimeout(abort, timeoutMs);
    const signals = [idle.signal, ...(init?.signal ? [init.signal] : [])];
    try {
      const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
      // In Chromium, 204 has a body, too. A new response with this status must not have one.
      if (response.body === null || response.status === 204) {
        clearTimeout(timer);
        return response;
      }
      const body = response.body.pipeThrough(
        new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform(part, controller) {
            clearTimeout(timer);
            timer = setTimeout(abort, timeoutMs);
            controller.enqueue(part);
          },
          flush: () => clearTimeout(timer),
        }),
      );
      const { status, statusText, headers } = response;
      return new Response(body, { status, statusText, headers });
    } catch (error) {
      clearTimeout(timer);
      throw error;
    }
  };
}

/** For requests that the service answers by itself. */
export const requestTimeoutMs = 20_000;

/** Options of a query that reads the current state. */
export const reloadOptions = { requestPolicy: 'network-only' } as const;

/** Longer than the service waits for a language model by default. */
const modelTimeoutMs = 200_000;

/** Options of a query that a language model answers. */
export const modelOptions = {
  requestPolicy: 'network-only',
  fetch: fetchWithIdleTimeout(modelTimeoutMs),
} as const;
