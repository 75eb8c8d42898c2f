import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** The metrics of a process, as `Registry.getMetricsAsJSON` returns them. */
export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** A message of a process to the primary process. */
export type ToPrimary =
  | { readonly type: 'ready' }
  /** Asks for the metrics of all processes. */
  | { readonly type: 'collect-metrics'; readonly requestId: number }
  | { readonly type: 'metrics'; readonly requestId: number; readonly metrics: ProcessMetrics };

/** A message of the primary process to a process. */
export type FromPrimary =
  /** Asks for the metrics of this process. */
  | { readonly type: 'report-metrics'; readonly requestId: number }
  | {
      readonly type: 'all-metrics';
      readonly requestId: number;
      readonly metrics: readonly ProcessMetrics[];
    };
