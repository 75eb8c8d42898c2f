import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '../errors.ts';
import type {
  Span,
  SpanAttributes,
  SpanIds,
  SpanSettings,
  SpanTracer,
  TraceContext,
} from './span.ts';

/** One for the whole process, as in OpenTelemetry's own API: spans follow async calls, not parameters. Null: tracing is off. */
let installed: SpanTracer | null = null;

/** Installs what records spans. Returns a function that turns tracing off again. */
export function installTracer(tracer: SpanTracer): () => void {
  installed = tracer;
  return () => {
    if (installed === tracer) installed = null;
  };
}

export function isTracing(): boolean {
  return installed !== null;
}

/** Whether tracing is on and questions and answers may be attributes of spans. */
export function capturesContent(): boolean {
  return installed?.capturesContent === true;
}

/** Starts a span that the caller must end. Returns null if tracing is off. Prefer `inSpan`. */
export function startSpan(name: string, settings: SpanSettings = {}): Span | null {
  return installed === null ? null : installed.startSpan(name, settings);
}

/** Runs `work` in a span. If tracing is off, only calls `work`. */
export function inSpan<T>(
  name: string,
  settings: SpanSettings,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, settings);
  return span === null ? work(null) : runInSpan(span, work);
}

async function runInSpan<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await span.run(() => work(span));
  } catch (error) {
    recordFailure(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Starts the next step of the nearest span that has steps. */
export function startSpanStep(name: string, attributes: SpanAttributes): void {
  installed?.startStep(name, attributes);
}

/** Adds attributes to the current span. */
export function setSpanAttributes(attributes: SpanAttributes): void {
  installed?.setAttributes(attributes);
}

/** Returns the ids of the current span, for log lines. Null if there is none. */
export function currentSpanIds(): SpanIds | null {
  return installed === null ? null : installed.currentIds();
}

const noContext: TraceContext = {};

/** Returns the headers that make another server continue the current trace. Empty if tracing is off. */
export function traceHeaders(): TraceContext {
  return installed === null ? noContext : installed.currentContext();
}

/** Returns a callback that has the current span whenever it is called. If tracing is off, returns the same callback. */
export function withCurrentSpan<Args extends unknown[], Result>(
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  if (installed === null) return callback;
  const run = AsyncLocalStorage.snapshot();
  return (...args) => run(callback, ...args);
}

/**
 * Marks a span as failed. Records the kind of the error and not its message, because messages may quote documents,
 * questions or secrets. Work that was cancelled has not failed.
 */
export function recordFailure(span: Span, error: unknown): void {
  const type = errorType(error);
  span.setAttributes({ 'error.type': type });
  if (type !== 'AbortError') span.setFailed();
}

const maxTypeLength = 100;

function errorType(error: unknown): string {
  if (error instanceof DomainError) return error.code;
  if (!(error instanceof Error)) return typeof error;
  const code: unknown = Reflect.get(error, 'code');
  return (typeof code === 'string' ? code : error.name).slice(0, maxTypeLength);
}
