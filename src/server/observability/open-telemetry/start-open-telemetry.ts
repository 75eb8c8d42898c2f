import {
  defaultResource,
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { OpenTelemetrySettings } from '../../../config/open-telemetry-settings.ts';
import { installTracer } from '../../../platform/tracing/tracer.ts';
import { version } from '../../../platform/version.ts';
import { waitWithTimeout } from '../../../platform/wait.ts';
import { createMetricExporter, createTraceExporter } from './create-exporters.ts';
import { createSampler } from './create-sampler.ts';
import { createSpanTracer } from './create-span-tracer.ts';
import { logDiagnostics } from './log-diagnostics.ts';
import { prometheusMetricProducer } from './prometheus-metric-producer.ts';

/** How long `stop` waits for a receiver. */
const stopTimeoutMs = 3_000;

/** The largest attribute is the text of a statement, or a question or answer if they are captured. */
const spanLimits = { attributeValueLengthLimit: 8_000, attributeCountLimit: 64, linkCountLimit: 8 };

export interface OpenTelemetry {
  /** Sends everything that was recorded so far. Never rejects. */
  flush(): Promise<void>;
  /** Turns tracing off and sends what is left, for at most 3 seconds. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Starts to send spans, and the metrics of the registry, to an OTLP receiver. A receiver that does not respond delays
 * nothing: at most 2,048 spans wait, and further ones are dropped.
 */
export async function startOpenTelemetry(
  { traces, metrics }: OpenTelemetrySettings,
  { registry, log }: { readonly registry: Registry; readonly log: Logger },
): Promise<OpenTelemetry> {
  const stopLogging = logDiagnostics(log);
  const resource = serviceResource();
  const providers = [
    ...(traces === null ? [] : [await startTraces(traces, resource)]),
    ...(metrics === null ? [] : [await startMetrics(metrics, resource, registry)]),
  ];
  return {
    async flush() {
      await Promise.allSettled(providers.map(({ provider }) => provider.forceFlush()));
    },
    async stop() {
      for (const { uninstall } of providers) uninstall();
      const stopping = Promise.all(providers.map(({ provider }) => provider.shutdown()));
      let isSent = false;
      const sending = stopping.then(
        () => {
          isSent = true;
        },
        () => {},
      );
      await waitWithTimeout(stopTimeoutMs, sending);
      stopLogging();
      if (!isSent) log.warn('stopped before all traces and metrics were sent');
    },
  };
}

interface StartedProvider {
  readonly provider: { forceFlush(): Promise<void>; shutdown(): Promise<void> };
  uninstall(): void;
}

async function startTraces(
  { protocol, sampler, capturesContent }: NonNullable<OpenTelemetrySettings['traces']>,
  resource: Resource,
): Promise<StartedProvider> {
  const processor = new BatchSpanProcessor({ exporter: await createTraceExporter(protocol) });
  const provider = new TracerProvider({
    ...{ resource, spanLimits, sampler: createSampler(sampler), spanProcessors: [processor] },
  });
  const tracer = provider.getTracer('grounded-chat', version);
  return { provider, uninstall: installTracer(createSpanTracer(tracer, { capturesContent })) };
}

async function startMetrics(
  { protocol, intervalMs }: NonNullable<OpenTelemetrySettings['metrics']>,
  resource: Resource,
  registry: Registry,
): Promise<StartedProvider> {
  const reader = new PeriodicExportingMetricReader({
    exporter: await createMetricExporter(protocol),
    exportIntervalMillis: intervalMs,
    metricProducers: [prometheusMetricProducer(registry, resource)],
  });
  return { provider: new MeterProvider({ resource, readers: [reader] }), uninstall: () => {} };
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` have precedence over the name and version of the service. */
function serviceResource(): Resource {
  const own = { 'service.name': 'grounded-chat', 'service.version': version };
  const detectors = [
    ...[serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector],
  ];
  return defaultResource().merge(resourceFromAttributes(own)).merge(detectResources({ detectors }));
}
