import type { z } from 'zod';
import { flag, oneOf, share, url, wholeNumber } from './setting-fields.ts';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
const exporters = ['otlp', 'none'] as const;
const protocols = ['http/protobuf', 'http/json'] as const;

export type OtlpProtocol = (typeof protocols)[number];

export interface TraceSampler {
  readonly name: (typeof samplers)[number];
  /** Share of the traces, 0 to 1, for the samplers with `traceidratio`. */
  readonly share: number;
}

/** What the service itself decides about OpenTelemetry. The SDK reads addresses, headers and names from the environment. */
export interface OpenTelemetrySettings {
  /** Null: no traces are sent. */
  readonly traces: {
    readonly protocol: OtlpProtocol;
    readonly sampler: TraceSampler;
    /** Whether questions and answers are attributes of the spans of the chat model. */
    readonly capturesContent: boolean;
  } | null;
  /** Null: no metrics are sent. */
  readonly metrics: { readonly protocol: OtlpProtocol; readonly intervalMs: number } | null;
}

const endpoint = () =>
  url(/^https?$/, 'must be the address of an OTLP receiver, such as http://127.0.0.1:4318');

/** The settings that the service reads. Their names and values are those of OpenTelemetry. */
export const openTelemetryFields = {
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint().optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpoint().optional(),
  OTEL_SDK_DISABLED: flag().default(false),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(protocols).default('http/protobuf'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: oneOf(protocols).optional(),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: oneOf(protocols).optional(),
  OTEL_TRACES_EXPORTER: oneOf(exporters).default('otlp'),
  OTEL_METRICS_EXPORTER: oneOf(exporters).default('otlp'),
  OTEL_TRACES_SAMPLER: oneOf(samplers).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: share().default(1),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumber(1_000, 3_600_000).default(60_000),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: flag().default(false),
};

type Fields = z.infer<z.ZodObject<typeof openTelemetryFields>>;

/** Returns null if no receiver is named, or OpenTelemetry is turned off. */
export function openTelemetrySettings(value: Fields): OpenTelemetrySettings | null {
  const shared = value.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (value.OTEL_SDK_DISABLED) return null;
  const sendsTraces =
    value.OTEL_TRACES_EXPORTER === 'otlp' &&
    (value.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? shared) !== undefined;
  const sendsMetrics =
    value.OTEL_METRICS_EXPORTER === 'otlp' &&
    (value.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? shared) !== undefined;
  if (!sendsTraces && !sendsMetrics) return null;
  const protocol = value.OTEL_EXPORTER_OTLP_PROTOCOL;
  return Object.freeze({
    traces: sendsTraces
      ? {
          protocol: value.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? protocol,
          sampler: { name: value.OTEL_TRACES_SAMPLER, share: value.OTEL_TRACES_SAMPLER_ARG },
          capturesContent: value.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
        }
      : null,
    metrics: sendsMetrics
      ? {
          protocol: value.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? protocol,
          intervalMs: value.OTEL_METRIC_EXPORT_INTERVAL,
        }
      : null,
  });
}
