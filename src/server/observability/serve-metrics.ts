import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Adapters } from '../../domain/context.ts';
import { createMetricsReader } from '../cluster/cluster-metrics.ts';
import { singleFlight } from './single-flight.ts';

/** Serves all metrics of the registry, including process metrics and queue depths. */
export function serveMetrics(
  { queue, answerStarts, log }: Adapters,
  registry: Registry,
): RequestHandler {
  collectDefaultMetrics({ register: registry });
  createAnswerStartGauge(answerStarts, registry);
  createQueueDepthGauge(queue, registry, log);
  const readMetrics = createMetricsReader(registry);
  return async (_request, response) => {
    response.type(registry.contentType).send(await readMetrics());
  };
}

function createAnswerStartGauge(starts: Adapters['answerStarts'], registry: Registry): void {
  new Gauge({
    name: 'grounded_chat_answer_starts',
    help: 'Answers by state: starting, or waiting for their start.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'starting' }, starts.starting);
      this.set({ state: 'waiting' }, starts.waiting);
    },
  });
}

const readTimeoutMs = 2_000;
const cacheTtlMs = 5_000;

/**
 * Creates the gauge of the queues, which reads them when metrics are collected. Without a database, only this gauge has no
 * value: all other metrics are collected.
 */
function createQueueDepthGauge(queue: Adapters['queue'], registry: Registry, log: Logger): void {
  const read = singleFlight(() => queue.listDepths(), readTimeoutMs);
  let readAt = Number.NEGATIVE_INFINITY;
  new Gauge({
    name: 'grounded_chat_queue_jobs',
    help: 'Jobs by queue and state: ready to run, deferred, active, or permanently failed.',
    labelNames: ['queue', 'state'],
    // All processes read the same queues.
    aggregator: 'max',
    registers: [registry],
    async collect() {
      if (performance.now() - readAt < cacheTtlMs) return;
      try {
        const depths = await read();
        readAt = performance.now();
        for (const { name, ...states } of depths) {
          for (const [state, jobs] of Object.entries(states))
            this.set({ queue: name, state }, jobs);
        }
      } catch (error) {
        this.reset();
        log.warn({ err: error }, 'failed to read queue depths');
      }
    },
  });
}
