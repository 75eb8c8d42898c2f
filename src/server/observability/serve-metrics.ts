import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Adapters } from '../../domain/context.ts';
import { requestIdOf } from '../../http/exchange.ts';
import { singleFlight } from './single-flight.ts';

/** Serves all metrics of the registry, including process metrics and queue depths. */
export function serveMetrics(
  { queue, answerStarts, log }: Adapters,
  registry: Registry,
): RequestHandler {
  collectDefaultMetrics({ register: registry });
  createAnswerStartGauge(answerStarts, registry);
  const updateQueueDepths = createQueueDepthGauge(queue, registry);
  return async (_request, response) => {
    await updateQueueDepths(log.child({ requestId: requestIdOf(response) }));
    response.type(registry.contentType).send(await registry.metrics());
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
 * Returns a function that updates the queue gauge. Without a database, only this gauge has no value: all other metrics
 * are served.
 */
function createQueueDepthGauge(
  queue: Adapters['queue'],
  registry: Registry,
): (log: Logger) => Promise<void> {
  const gauge = new Gauge({
    name: 'grounded_chat_queue_jobs',
    help: 'Jobs by queue and state: ready to run, deferred, active, or permanently failed.',
    labelNames: ['queue', 'state'],
    registers: [registry],
  });
  const read = singleFlight(() => queue.listDepths(), readTimeoutMs);
  let readAt = Number.NEGATIVE_INFINITY;
  return async (log) => {
    if (performance.now() - readAt < cacheTtlMs) return;
    try {
      const depths = await read();
      readAt = performance.now();
      for (const { name, ...states } of depths) {
        for (const [state, jobs] of Object.entries(states)) gauge.set({ queue: name, state }, jobs);
      }
    } catch (error) {
      gauge.reset();
      log.warn({ err: error }, 'failed to read queue depths');
    }
  };
}
