import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';

/** Who is sent a stream, and how long they may leave it unread. */
export interface Reader {
  readonly response: ServerResponse;
  readonly stallTimeoutMs: number;
  readonly log: Logger;
}

/** Resolves when the reader has room for more, or has left. Cuts off one that reads nothing for too long. */
export async function writeToReader(reader: Reader, text: string): Promise<void> {
  const { response } = reader;
  if (response.destroyed) return;
  if (response.write(text)) return;
  await settled(reader, 'drain');
}

/** Ends the stream once the reader has taken all of it, or has left. Cuts off one that does not. */
export async function endForReader(reader: Reader): Promise<void> {
  const { response } = reader;
  if (response.destroyed) return;
  response.end();
  if (!response.writableFinished) await settled(reader, 'finish');
}

async function settled(
  { response, stallTimeoutMs, log }: Reader,
  event: 'drain' | 'finish',
): Promise<void> {
  const stalled = AbortSignal.timeout(stallTimeoutMs);
  const closed = new AbortController();
  const close = () => closed.abort();
  response.once('close', close);
  try {
    await once(response, event, { signal: AbortSignal.any([closed.signal, stalled]) });
  } catch (error) {
    if (stalled.aborted) log.warn('client does not read its stream');
    response.destroy();
    if (!stalled.aborted && !closed.signal.aborted) throw error;
  } finally {
    response.off('close', close);
  }
}
