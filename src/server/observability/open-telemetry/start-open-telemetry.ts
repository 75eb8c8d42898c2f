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
  /** Starts to send the metrics of the registry. */
  startMetrics(registry: Registry): Promise<void>;
  /** Sends the metrics once more, for at most 3 seconds, while they can be collected. Never rejects. */
  stopMetrics(): Promise<void>;
  /** Sends everything that was recorded so far. Never rejects. */
  flush(): Promise<void>;
  /** Turns tracing off and sends what is left, for at most 3 seconds. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Starts to send spans to an OTLP receiver. A receiver that does not respond delays nothing: at most 2,048 spans wait, and
 * further ones are dropped.
 */
export async function startOpenTelemetry(
  { traces, metrics }: OpenTelemetrySettings,
  log: Logger,
): Promise<OpenTelemetry> {
  const stopLogging = logDiagnostics(log);
  const resource = serviceResource();
  const tracing = traces === null ? null : await startTraces(traces, resource);
  let meters: MeterProvider | null = null;
  const stopMetrics = async () => {
    const stopping = meters?.shutdown();
    meters = null;
    if (stopping !== undefined) await waitForLastExport(stopping, log);
  };
  return {
    async startMetrics(registry) {
      if (metrics !== null) meters = await createMeters(metrics, resource, registry);
    },
    stopMetrics,
    async flush() {
      await Promise.allSettled([tracing?.provider.forceFlush(), meters?.forceFlush()]);
    },
    async stop() {
      tracing?.uninstall();
      await stopMetrics();
      if (tracing !== null) await waitForLastExport(tracing.provider.shutdown(), log);
      stopLogging();
    },
  };
}

async function waitForLastExport(exporting: Promise<void>, log: Logger): Promise<void> {
  let isSent = false;
  const ended = exporting.then(
    () => {
      isSent = true;
    },
    () => {},
  );
  await waitWithTimeout(stopTimeoutMs, ended);
  if (!isSent) log.warn('stopped before all traces and metrics were sent');
}

async function startTraces(
  { protocol, sampler, capturesContent }: NonNullable<OpenTelemetrySettings['traces']>,
  resource: Resource,
): Promise<{ readonly provider: TracerProvider; uninstall(): void }> {
  const processor = new BatchSpanProcessor({ exporter: await createTraceExporter(protocol) });
  const provider = new TracerProvider({
    ...{ resource, spanLimits, sampler: createSampler(sampler), spanProcessors: [processor] },
  });
  const tracer = provider.getTracer('grounded-chat', version);
  return { provider, uninstall: installTracer(createSpanTracer(tracer, { capturesContent })) };
}

async function createMeters(
  { protocol, intervalMs }: NonNullable<OpenTelemetrySettings['metrics']>,
  resource: Resource,
  registry: Registry,
): Promise<MeterProvider> {
  const reader = new PeriodicExportingMetricReader({
    exporter: await createMetricExporter(protocol),
    exportIntervalMillis: intervalMs,
    metricProducers: [prometheusMetricProducer(registry, resource)],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` have precedence over the name and version of the service. */
function serviceResource(): Resource {
  const own = { 'service.name': 'grounded-chat', 'service.version': version };
  const detectors = [
    ...[serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector],
  ];
  return defaultResource().merge(resourceFromAttributes(own)).merge(detectResources({ detectors }));
}
