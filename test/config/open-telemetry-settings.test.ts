import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };
const telemetryOf = (env: NodeJS.ProcessEnv) => readConfig(env).openTelemetry;

test('one address turns traces and metrics on, with the defaults of OpenTelemetry', () => {
  expect(telemetryOf(endpoint)).toEqual({
    traces: {
      protocol: 'http/protobuf',
      sampler: { name: 'parentbased_always_on', share: 1 },
      capturesContent: false,
    },
    metrics: { protocol: 'http/protobuf', intervalMs: 60_000 },
  });
});

test.each([
  ['no address', {}],
  ['OTEL_SDK_DISABLED', { ...endpoint, OTEL_SDK_DISABLED: 'true' }],
  ['no exporter', { ...endpoint, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
  ['other settings only', { OTEL_SERVICE_NAME: 'chat', OTEL_TRACES_SAMPLER: 'always_on' }],
])('is off with %s', (_case, env) => {
  expect(telemetryOf(env)).toBeNull();
});

test('an address for one of them turns only that on', () => {
  const url = 'https://otlp.example.com/v1/traces';
  expect(telemetryOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url })).toMatchObject({
    traces: { protocol: 'http/protobuf' },
    metrics: null,
  });
  expect(telemetryOf({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: url })?.traces).toBeNull();
  expect(telemetryOf({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })?.traces).toBeNull();
});

test('reads sampler, protocol and capture', () => {
  const env = {
    ...endpoint,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
  };
  expect(telemetryOf(env)).toMatchObject({
    traces: {
      protocol: 'http/json',
      sampler: { name: 'parentbased_traceidratio', share: 0.25 },
      capturesContent: true,
    },
    metrics: { protocol: 'http/protobuf' },
  });
});

describe('a value that the service does not support', () => {
  test.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be one of http/protobuf, http/json'],
    ['OTEL_TRACES_EXPORTER', 'zipkin', 'must be one of otlp, none'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'must be one of always_on'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'must be off, or a share from 0 to 1'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'secret@collector', 'must be the address of an OTLP receiver'],
  ])('%s=%s is refused', (name, value, problem) => {
    expect(() => readConfig({ ...endpoint, [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ ...endpoint, [name]: value })).toThrow(problem);
    if (name.endsWith('ENDPOINT')) {
      expect(() => readConfig({ [name]: value })).not.toThrow(/secret@/);
    }
  });
});
