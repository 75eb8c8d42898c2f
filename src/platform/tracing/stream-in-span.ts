import type { Span, SpanSettings } from './span.ts';
import { isTracing, recordFailure, startSpan } from './tracer.ts';

/**
 * Returns the stream that `open` returns, in a span from the first read until the stream ends. The source runs with this
 * span as the current span. If the consumer returns early, the span has the attribute `grounded_chat.stopped`. If
 * tracing is off, returns the stream itself.
 */
export function streamInSpan<T>(
  name: string,
  settings: SpanSettings,
  open: (span: Span | null) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  return isTracing() ? readInSpan(name, settings, open) : open(null);
}

async function* readInSpan<T>(
  name: string,
  settings: SpanSettings,
  open: (span: Span | null) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const span = startSpan(name, settings);
  if (span === null) return yield* open(null);
  const source = span.run(() => open(span));
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await span.run(() => source.next());
      if (done) break;
      yield value;
    }
    isOver = true;
  } catch (error) {
    isOver = true;
    recordFailure(span, error);
    throw error;
  } finally {
    if (!isOver) {
      span.setAttributes({ 'grounded_chat.stopped': true });
      await span.run(() => source.return(undefined));
    }
    span.end();
  }
}
