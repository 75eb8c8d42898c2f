import { afterEach, expect, test, vi } from 'vitest';
import { fetchWithIdleTimeout } from '../../src/dashboard/graphql/fetch-with-timeout.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Chromium gives a response without content a body. Node does not, so the fields of the response are given here. */
function respondLikeChromium(status: number, body: ReadableStream<Uint8Array>): void {
  const fields = { status, statusText: '', headers: new Headers(), ok: status < 300, body };
  vi.stubGlobal('fetch', async () => fields);
}

test('a response without content is a success, although Chromium gives it a body', async () => {
  respondLikeChromium(204, new ReadableStream({ start: (controller) => controller.close() }));
  const response = await fetchWithIdleTimeout(1_000)('/dashboard/session', { method: 'DELETE' });
  expect(response.status).toBe(204);
});

test('no timer is left after a response without content, or after the end of another', async () => {
  vi.useFakeTimers();
  const ended = () => new ReadableStream({ start: (controller) => controller.close() });
  for (const status of [204, 200]) {
    respondLikeChromium(status, ended());
    const response = await fetchWithIdleTimeout(1_000)('/x');
    if (status === 200) await response.text();
    expect(vi.getTimerCount()).toBe(0);
  }
});

test('a response that sends nothing more fails', async () => {
  vi.useFakeTimers();
  let signal: AbortSignal | null | undefined;
  vi.stubGlobal('fetch', (_input: string, init: RequestInit) => {
    signal = init.signal;
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal?.reason));
    });
  });
  const response = fetchWithIdleTimeout(1_000)('/x');
  const failure = expect(response).rejects.toThrow('sent nothing for too long');
  await vi.advanceTimersByTimeAsync(1_000);
  await failure;
  expect(vi.getTimerCount()).toBe(0);
});
