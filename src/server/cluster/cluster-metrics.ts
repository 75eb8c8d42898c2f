import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { FromPrimary, ProcessMetrics, ToPrimary } from './process-messages.ts';

/** How long a process waits for the metrics of the others. */
const timeoutMs = 5_000;

/**
 * Returns a function that reads the metrics in the format of Prometheus. If the process is one of several
 * (`WEB_CONCURRENCY`), these are the metrics of all of them: sums, or what the `aggregator` of a metric says. If the primary
 * process does not answer in time, these are the metrics of this process.
 */
export function createMetricsReader(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics();
  const waiting = new Map<number, (metrics: readonly ProcessMetrics[]) => void>();
  let lastId = 0;
  process.on('message', async (message: FromPrimary) => {
    const { requestId } = message;
    if (message.type === 'all-metrics') {
      waiting.get(requestId)?.(message.metrics);
    } else if (message.type === 'report-metrics') {
      const metrics = (await registry.getMetricsAsJSON()) as ProcessMetrics;
      sendToPrimary({ type: 'metrics', requestId, metrics });
    }
  });
  return () =>
    new Promise((resolve, reject) => {
      lastId += 1;
      const requestId = lastId;
      const end = (text: Promise<string>) => {
        clearTimeout(timer);
        waiting.delete(requestId);
        text.then(resolve, reject);
      };
      const timer = setTimeout(() => end(registry.metrics()), timeoutMs);
      waiting.set(requestId, (all) => end(sum(all)));
      sendToPrimary({ type: 'collect-metrics', requestId });
    });
}

async function sum(all: readonly ProcessMetrics[]): Promise<string> {
  return AggregatorRegistry.aggregate([...all]).metrics();
}

/** Sends a message to the primary process. Does nothing in a process that is not one of several. */
export function sendToPrimary(message: ToPrimary): void {
  if (cluster.isWorker) process.send?.(message);
}
