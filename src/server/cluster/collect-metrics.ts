import cluster, { type Worker } from 'node:cluster';
import type { FromPrimary, ProcessMetrics, ToPrimary } from './process-messages.ts';

/** How long the primary process waits for a process that is busy. Its metrics are then left out. */
const timeoutMs = 2_000;

let lastId = 0;

/** Asks all processes for their metrics, and sends them to the process that wants them. */
export function collectMetrics(receiver: Worker, requestId: number): void {
  lastId += 1;
  const collectionId = lastId;
  const asked = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
  const metrics: ProcessMetrics[] = [];
  const end = () => {
    clearTimeout(timer);
    cluster.off('message', onMessage);
    send(receiver, { type: 'all-metrics', requestId, metrics });
  };
  const onMessage = (_: Worker, message: ToPrimary) => {
    if (message.type !== 'metrics' || message.requestId !== collectionId) return;
    metrics.push(message.metrics);
    if (metrics.length === asked.length) end();
  };
  const timer = setTimeout(end, timeoutMs);
  cluster.on('message', onMessage);
  for (const worker of asked) {
    if (worker !== undefined) send(worker, { type: 'report-metrics', requestId: collectionId });
  }
}

/** The process may have ended in the meantime. */
function send(worker: Worker, message: FromPrimary): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
