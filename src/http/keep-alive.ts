import type { ServerResponse } from 'node:http';

/** A comment of server-sent events, which clients ignore. */
export const keepAliveComment = ':\n\n';

/** Proxies and clients close streams that are silent for longer, often after 30 or 60 s. */
const defaultIntervalMs = 12_000;

/**
 * Writes a text to a stream again and again, so that it is never silent for long. `text` returns what may be written
 * now, or null. Skips a client that does not read. Stops when the result is disposed.
 */
export function startKeepAlive(
  response: ServerResponse,
  text: () => string | null,
  intervalMs = defaultIntervalMs,
): Disposable {
  const timer = setInterval(() => {
    if (!response.headersSent || response.writableEnded || response.writableNeedDrain) return;
    const next = text();
    if (next !== null) response.write(next);
  }, intervalMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
