import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  createContextKey,
  type Span as OpenTelemetrySpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type {
  Span,
  SpanAttributes,
  SpanSettings,
  SpanTracer,
  TraceContext,
} from '../../../platform/tracing/span.ts';
import { formatTraceContext, parseTraceContext } from './trace-context.ts';

const kinds = {
  INTERNAL: SpanKind.INTERNAL,
  SERVER: SpanKind.SERVER,
  CLIENT: SpanKind.CLIENT,
  CONSUMER: SpanKind.CONSUMER,
} as const satisfies Record<NonNullable<SpanSettings['kind']>, SpanKind>;

/** The span that has steps, and its step now. Spans that start directly below it become children of the step. */
interface Steps {
  readonly owner: OpenTelemetrySpan;
  step: OpenTelemetrySpan | null;
}

const stepsKey = createContextKey('steps');

/** Creates the tracer of the service from OpenTelemetry's tracer. */
export function createSpanTracer(
  tracer: Tracer,
  { capturesContent }: { readonly capturesContent: boolean },
): SpanTracer {
  const contexts = new AsyncLocalStorage<Context>();
  const ended = new WeakSet<OpenTelemetrySpan>();
  const activeContext = () => contexts.getStore() ?? ROOT_CONTEXT;
  const stepsIn = (context: Context) => {
    const steps = context.getValue(stepsKey);
    return isSteps(steps) ? steps : null;
  };
  /** Returns the context of new spans, whose span is the step now if there is one. */
  const currentContext = () => {
    const context = activeContext();
    const steps = stepsIn(context);
    if (steps === null || steps.step === null || trace.getSpan(context) !== steps.owner) {
      return context;
    }
    return trace.setSpan(context, steps.step);
  };
  /** Returns the current span. Null after its end: timers that it has started do not belong to it. */
  const currentSpan = () => {
    const span = trace.getSpan(currentContext());
    return span === undefined || ended.has(span) ? null : span;
  };
  const end = (span: OpenTelemetrySpan) => {
    if (ended.has(span)) return;
    ended.add(span);
    span.end();
  };
  const parentOf = (parent: SpanSettings['parent']): Context | null => {
    if (typeof parent === 'object') return withRemoteParent(parent);
    const context = currentContext();
    if (parent === 'onlyCurrent' && trace.getSpan(context)?.isRecording() !== true) return null;
    return context;
  };
  return {
    capturesContent,
    startSpan(name, { kind = 'INTERNAL', attributes = {}, parent, link, hasSteps = false }) {
      const context = parentOf(parent);
      if (context === null) return null;
      const linked = link === undefined ? null : parseTraceContext(link);
      const links = linked === null ? [] : [{ context: linked }];
      const settings = { kind: kinds[kind], attributes: definedOf(attributes), links };
      const span = tracer.startSpan(name, settings, context);
      const own = trace.setSpan(context, span);
      if (!hasSteps) return wrap(span, own, null);
      const steps: Steps = { owner: span, step: null };
      return wrap(span, own.setValue(stepsKey, steps), steps);
    },
    startStep(name, attributes) {
      const steps = stepsIn(activeContext());
      if (steps === null) return;
      if (steps.step !== null) end(steps.step);
      const context = trace.setSpan(activeContext(), steps.owner);
      steps.step = tracer.startSpan(name, { attributes: definedOf(attributes) }, context);
    },
    setAttributes: (attributes) => void currentSpan()?.setAttributes(definedOf(attributes)),
    currentIds() {
      const span = currentSpan();
      if (span === null) return null;
      const { traceId, spanId } = span.spanContext();
      return { traceId, spanId };
    },
    currentContext() {
      const span = currentSpan();
      return span === null ? {} : formatTraceContext(span.spanContext());
    },
  };

  function wrap(span: OpenTelemetrySpan, context: Context, steps: Steps | null): Span {
    return {
      run: (work) => contexts.run(context, work),
      rename: (name) => void span.updateName(name),
      setAttributes: (attributes) => void span.setAttributes(definedOf(attributes)),
      setFailed() {
        span.setStatus({ code: SpanStatusCode.ERROR });
        steps?.step?.setStatus({ code: SpanStatusCode.ERROR });
      },
      end() {
        if (steps !== null && steps.step !== null) end(steps.step);
        end(span);
      },
    };
  }
}

/** Only this file stores a value under the key. */
function isSteps(value: unknown): value is Steps {
  return typeof value === 'object' && value !== null && 'owner' in value;
}

function withRemoteParent(parent: TraceContext): Context {
  const span = parseTraceContext(parent);
  return span === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, span);
}

function definedOf(attributes: SpanAttributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'object' ? [...value] : value]],
    ),
  );
}
