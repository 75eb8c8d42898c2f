import {
  type Attributes,
  type Context,
  type Span as OpenTelemetrySpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
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
import { CurrentSpan, type Steps, withSteps } from './current-span.ts';
import { formatTraceContext, parseTraceContext } from './trace-context.ts';

const kinds = {
  INTERNAL: SpanKind.INTERNAL,
  SERVER: SpanKind.SERVER,
  CLIENT: SpanKind.CLIENT,
  CONSUMER: SpanKind.CONSUMER,
} as const satisfies Record<NonNullable<SpanSettings['kind']>, SpanKind>;

/** Creates the tracer of the service from OpenTelemetry's tracer. */
export function createSpanTracer(
  tracer: Tracer,
  { capturesContent }: { readonly capturesContent: boolean },
): SpanTracer {
  const current = new CurrentSpan();
  return {
    capturesContent,
    startSpan(name, { kind = 'INTERNAL', attributes = {}, parent, link, hasSteps = false }) {
      const context = parentContext(current, parent);
      if (context === null) return null;
      const linked = link === undefined ? null : parseTraceContext(link);
      const links = linked === null ? [] : [{ context: linked }];
      const settings = { kind: kinds[kind], attributes: definedOf(attributes), links };
      const span = tracer.startSpan(name, settings, context);
      const own = trace.setSpan(context, span);
      const steps: Steps | null = hasSteps ? { owner: span, step: null } : null;
      return wrapSpan(current, { span, steps, context: steps ? withSteps(own, steps) : own });
    },
    startStep(name, attributes) {
      const steps = current.steps();
      if (steps === null) return;
      if (steps.step !== null) current.end(steps.step);
      const context = trace.setSpan(current.context(), steps.owner);
      steps.step = tracer.startSpan(name, { attributes: definedOf(attributes) }, context);
    },
    setAttributes: (attributes) => void current.span()?.setAttributes(definedOf(attributes)),
    currentIds() {
      const span = current.span();
      if (span === null) return null;
      const { traceId, spanId } = span.spanContext();
      return { traceId, spanId };
    },
    currentContext() {
      const span = current.span();
      return span === null ? {} : formatTraceContext(span.spanContext());
    },
  };
}

/** Returns null if no span must be started. */
function parentContext(current: CurrentSpan, parent: SpanSettings['parent']): Context | null {
  if (typeof parent === 'object') return withRemoteParent(parent);
  if (parent === 'onlyCurrent' && current.span()?.isRecording() !== true) return null;
  const context = current.context();
  // The spans below one that is not sampled are not sampled either, so they cost nothing. It stays the current span.
  return isSampled(context) ? context : null;
}

/** Whether the parent in the context is sampled, or there is none. */
function isSampled(context: Context): boolean {
  const span = trace.getSpanContext(context);
  return span === undefined || (span.traceFlags & TraceFlags.SAMPLED) !== 0;
}

function wrapSpan(
  current: CurrentSpan,
  {
    span,
    steps,
    context,
  }: {
    readonly span: OpenTelemetrySpan;
    readonly steps: Steps | null;
    readonly context: Context;
  },
): Span {
  return {
    run: (work) => current.run(context, work),
    rename: (name) => void span.updateName(name),
    setAttributes: (attributes) => void span.setAttributes(definedOf(attributes)),
    setFailed() {
      for (const one of [span, steps?.step]) one?.setStatus({ code: SpanStatusCode.ERROR });
    },
    end() {
      if (steps !== null && steps.step !== null) current.end(steps.step);
      current.end(span);
    },
  };
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
