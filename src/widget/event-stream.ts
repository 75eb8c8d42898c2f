import type { IdleTimeout } from './idle-timeout.ts';

/**
 * Yields the JSON data of server-sent events. Each event of the service is a single `data:` line.
 *
 * @throws when the connection breaks or the idle timeout expires.
 */
export async function* readEventStream<Frame>(
  { body }: Response,
  idleTimeout: IdleTimeout,
): AsyncGenerator<Frame, void, undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      idleTimeout.reset();
      text += decoder.decode(value, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        if (frame.startsWith('data: ')) yield JSON.parse(frame.slice(6));
      }
    }
  } finally {
    idleTimeout.clear();
    reader?.cancel().catch(() => {});
  }
}
