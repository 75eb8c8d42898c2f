import { createTraceState, isSpanContextValid, type SpanContext } from '@opentelemetry/api';
import type { TraceContext } from '../../../platform/tracing/span.ts';

const traceparent = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;
/** Longer values are not passed on. W3C Trace Context requires at least 512 characters. */
const maxStateLength = 512;

/** Parses the headers of W3C Trace Context. Returns null if `traceparent` is missing or not valid. */
export function parseTraceContext(given: TraceContext): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.exec(given.traceparent ?? '') ?? [];
  const state = given.tracestate ?? '';
  const context: SpanContext = {
    ...{ traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true },
    ...(state !== '' && state.length <= maxStateLength && { traceState: createTraceState(state) }),
  };
  return isSpanContextValid(context) ? context : null;
}

export function formatTraceContext({
  traceId,
  spanId,
  traceFlags,
  traceState,
}: SpanContext): TraceContext {
  const flags = (traceFlags & 1).toString(16).padStart(2, '0');
  const tracestate = traceState?.serialize();
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(tracestate && { tracestate }) };
}
