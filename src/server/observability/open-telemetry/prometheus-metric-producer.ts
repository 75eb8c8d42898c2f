import { type HrTime, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricDescriptor,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import { version } from '../../../platform/version.ts';

/** Values of prom-client. Values of a histogram have the names of its series, such as `…_bucket`. */
type Value = MetricValue<string> & { readonly metricName?: string };
type Metric = MetricObjectWithValues<MetricValue<string>>;

interface Period {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/** Returns a source of OpenTelemetry metrics: the metrics of the Prometheus registry, which are defined only there. */
export function prometheusMetricProducer(registry: Registry, resource: Resource): MetricProducer {
  const startTime = toHrTime(Date.now());
  return {
    async collect() {
      const period = { startTime, endTime: toHrTime(Date.now()) };
      const metrics = await registry.getMetricsAsJSON();
      const scope = { name: 'grounded-chat', version };
      const scopeMetrics = [{ scope, metrics: metrics.flatMap((one) => convert(one, period)) }];
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
    },
  };
}

function convert(metric: Metric, period: Period): MetricData[] {
  const descriptor = descriptorOf(metric);
  const shared = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  switch (String(metric.type)) {
    case 'counter': {
      const dataPoints = pointsOf(metric.values, period);
      return [{ ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }];
    }
    case 'gauge': {
      const dataPoints = pointsOf(metric.values, period);
      return [{ ...shared, dataPointType: DataPointType.GAUGE, dataPoints }];
    }
    case 'histogram': {
      const dataPoints = histogramPoints(metric.values, period);
      return [{ ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints }];
    }
    default:
      return [];
  }
}

function descriptorOf({ name, help: description }: Metric): MetricDescriptor {
  const base = name.replace(/_total$/, '');
  const unit = base.endsWith('_seconds') ? 's' : base.endsWith('_bytes') ? 'By' : '';
  return { name, description, unit, valueType: ValueType.DOUBLE };
}

function pointsOf(values: readonly Value[], period: Period): DataPoint<number>[] {
  return values.map(({ labels, value }) => ({
    ...period,
    attributes: attributesOf(labels),
    value,
  }));
}

/** Prometheus counts each bucket with those below it. OpenTelemetry counts each bucket alone. */
function histogramPoints(values: readonly Value[], period: Period): DataPoint<Histogram>[] {
  const series = Map.groupBy(values, ({ labels }) => JSON.stringify(attributesOf(labels)));
  return [...series.values()].map((points) => {
    const named = (suffix: string) =>
      points.filter(({ metricName = '' }) => metricName.endsWith(suffix));
    const buckets = named('_bucket').map(({ labels, value }) => ({
      bound: labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le),
      total: value,
    }));
    buckets.sort((one, other) => one.bound - other.bound);
    const counts = buckets.map(({ total }, at) => total - (buckets[at - 1]?.total ?? 0));
    const boundaries = buckets.map(({ bound }) => bound).filter(Number.isFinite);
    const [{ value: sum } = { value: 0 }] = named('_sum');
    const [{ value: count } = { value: 0 }] = named('_count');
    const value = { buckets: { boundaries, counts }, sum, count };
    return { ...period, attributes: attributesOf(points[0]?.labels ?? {}), value };
  });
}

/** The label `le` is the upper bound of a bucket. */
function attributesOf({ le: _, ...labels }: Value['labels']): Record<string, string | number> {
  const given = Object.entries(labels).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, value ?? '']));
}

function toHrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];
}
