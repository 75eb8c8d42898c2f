/** `SERVER` and `CONSUMER`: the work of a request or job. `CLIENT`: a call to another server. */
export type SpanKind = 'INTERNAL' | 'SERVER' | 'CLIENT' | 'CONSUMER';

/** Attributes with the value undefined are left out. */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** Position in a trace, as the headers of W3C Trace Context. */
export interface TraceContext {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

export interface SpanSettings {
  /** Default: `INTERNAL`. */
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
  /**
   * Where the span belongs. `current`, the default: a child of the current span. `onlyCurrent`: no span is started without
   * a current span that is recorded. A trace context: a child of a span of the caller, or the first span of a new trace if
   * the context is empty or not valid.
   */
  readonly parent?: 'current' | 'onlyCurrent' | TraceContext;
  /** Another trace that caused this one. */
  readonly link?: TraceContext;
  /** Whether the work has steps (`startSpanStep`). */
  readonly hasSteps?: boolean;
}

/** One timed piece of work. */
export interface Span {
  /** Runs `work` with this span as the current span, also after its awaits. */
  run<T>(work: () => T): T;
  rename(name: string): void;
  setAttributes(attributes: SpanAttributes): void;
  setFailed(): void;
  /** Ends the span and its current step. */
  end(): void;
}

/** Ids of the current span in hexadecimal: 32 and 16 digits. */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
}

/** Records spans. The server installs one if tracing is on. */
export interface SpanTracer {
  /** Whether questions and answers may be attributes. */
  readonly capturesContent: boolean;
  startSpan(name: string, settings: SpanSettings): Span | null;
  /** Ends the current step of the nearest span that has steps, and starts the next one. */
  startStep(name: string, attributes: SpanAttributes): void;
  /** Adds attributes to the current span. */
  setAttributes(attributes: SpanAttributes): void;
  currentIds(): SpanIds | null;
  /** Returns the position of the current span. Empty if there is none. */
  currentContext(): TraceContext;
}
