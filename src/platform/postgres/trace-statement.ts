import type { Span } from '../tracing/span.ts';
import { isTracing, recordFailure, startSpan } from '../tracing/tracer.ts';

const maxTextLength = 2_000;

/**
 * Sends a statement in a span, if there is a current span. The span has the text of the statement with its placeholders,
 * never its values. `rest` are the other parameters of pg's `query`, of which the last one may be a callback.
 */
export function traceStatement(
  statement: unknown,
  rest: readonly unknown[],
  send: (...parameters: unknown[]) => unknown,
): unknown {
  const text = isTracing() ? textOf(statement) : null;
  const span = text === null ? null : startStatementSpan(text);
  if (span === null) return send(statement, ...rest);
  const callback = rest.at(-1);
  if (typeof callback === 'function') {
    const end = (error: unknown, ...results: unknown[]) => {
      endSpan(span, error);
      callback(error, ...results);
    };
    return send(statement, ...rest.slice(0, -1), end);
  }
  const sent = send(statement, ...rest);
  if (!(sent instanceof Promise)) {
    span.end();
    return sent;
  }
  sent.then(
    () => span.end(),
    (error: unknown) => endSpan(span, error),
  );
  return sent;
}

/** Returns null for objects that send themselves, such as cursors. */
function textOf(statement: unknown): string | null {
  if (typeof statement === 'string') return statement;
  if (typeof statement !== 'object' || statement === null || 'submit' in statement) return null;
  const text: unknown = Reflect.get(statement, 'text');
  return typeof text === 'string' ? text : null;
}

function startStatementSpan(text: string): Span | null {
  const short = text.trim().slice(0, maxTextLength);
  const operation = /^[a-z]+/i.exec(short)?.[0].toUpperCase() ?? 'SQL';
  return startSpan(operation, {
    kind: 'CLIENT',
    parent: 'onlyCurrent',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': short,
    },
  });
}

function endSpan(span: Span, error: unknown): void {
  if (error != null) recordFailure(span, error);
  span.end();
}
