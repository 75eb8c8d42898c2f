import type { Connection } from './connection.ts';
import { ConnectionError } from './errors.ts';

/** The connection is open, but has sent nothing within the idle timeout. */
export class SilenceError extends ConnectionError {}

/**
 * Yields the JSON of each server-sent event until the stream ends.
 * @throws ConnectionError if the connection is cut
 * @throws SilenceError if the connection sends nothing for `idleTimeoutMs`. The time that the caller needs to handle an
 * event does not count.
 */
export async function* readEventStream(
  response: Response,
  connection: Connection,
  idleTimeoutMs: number,
): AsyncGenerator<unknown, void, undefined> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  const idleError = () => new SilenceError(`The stream sent nothing for ${idleTimeoutMs} ms`);
  let text = '';
  for (;;) {
    connection.setDeadline(idleTimeoutMs, idleError);
    const { done, value } = (await reader?.read()) ?? { done: true };
    connection.clearDeadline();
    if (done) return;
    const frames = (text + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const data = dataOf(frame);
      if (data !== '') yield JSON.parse(data);
    }
  }
}

/**
 * Returns the data of a frame, or an empty string for a comment. The service sends comments to keep a connection open.
 */
function dataOf(frame: string): string {
  const lines = frame.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length)).join('\n');
}
