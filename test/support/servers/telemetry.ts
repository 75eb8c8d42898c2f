import type { Registry } from 'prom-client';
import { vi } from 'vitest';
import type { OpenTelemetrySettings } from '../../../src/config/open-telemetry-settings.ts';
import { createLog } from '../../../src/server/log.ts';
import {
  type OpenTelemetry,
  startOpenTelemetry,
} from '../../../src/server/observability/open-telemetry/start-open-telemetry.ts';
import { waitUntil } from '../wait-until.ts';
import type { OtlpReceiver, ReceivedSpan } from './otlp-receiver.ts';

/** Turns OpenTelemetry on in this process. Stop it at the end of the test. */
export async function startTelemetry(
  endpoint: string,
  registry: Registry,
  { capturesContent = false, log = createLog('silent') } = {},
): Promise<OpenTelemetry> {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint);
  const sampler = { name: 'parentbased_always_on', share: 1 } as const;
  const settings: OpenTelemetrySettings = {
    traces: { protocol: 'http/json', sampler, capturesContent },
    metrics: { protocol: 'http/json', intervalMs: 3_600_000 },
  };
  const telemetry = await startOpenTelemetry(settings, log);
  await telemetry.startMetrics(registry);
  const stop = async () => {
    await telemetry.stop();
    vi.unstubAllEnvs();
  };
  return { ...telemetry, stop };
}

/** Waits until a span with this name has arrived in the trace. Returns all spans of the trace. */
export async function receivedTrace(
  { receiver, telemetry }: { readonly receiver: OtlpReceiver; readonly telemetry: OpenTelemetry },
  traceId: string,
  name: string,
): Promise<readonly ReceivedSpan[]> {
  const spans = () => receiver.spans().filter((span) => span.traceId === traceId);
  await waitUntil(async () => {
    await telemetry.flush();
    return spans().some((span) => span.name === name);
  });
  return spans();
}

/** Returns the names of a span and of all spans above it, first span of the trace first. */
export function pathOf(spans: readonly ReceivedSpan[], span: ReceivedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined ? [span.name] : [...pathOf(spans, parent), span.name];
}

/** Returns the id of the trace that a response names. Empty if it names none. */
export function traceIdOf({ headers }: { readonly headers: Headers }): string {
  return headers.get('traceresponse')?.split('-')[1] ?? '';
}
