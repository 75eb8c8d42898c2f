import type { Metrics } from '../../src/platform/metrics.ts';

/** Metrics that record nothing. */
export const silentMetrics: Metrics = {
  recordIngestion: () => {},
  recordModelCall: () => {},
  recordTimeToFirstToken: () => {},
  recordRefusedAnswer: () => {},
  recordSourceRun: () => {},
  recordSearch: () => {},
  recordReplicaRead: () => {},
  recordReplicaLag: () => {},
  recordIndexLoad: () => {},
  recordIndexBytes: () => {},
  recordTokenUsage: () => {},
};
