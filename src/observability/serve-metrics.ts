import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Adapters } from '../domain/context.ts';
import { requestIdOf } from '../rest/prepare-response.ts';
import { boundedRead } from './bounded-read.ts';

/** Answers with everything in the registry, the process's own measures and the depth of the queues included. */
export function serveMetrics({ queue, log }: Adapters, registry: Registry): RequestHandler {
  collectDefaultMetrics({ register: registry });
  const readDepths = queueDepths(queue, registry);
  return async (_request, response) => {
    await readDepths(log.child({ requestId: requestIdOf(response) }));
    response.type(registry.contentType).send(await registry.metrics());
  };
}

const readTimeoutMs = 2_000;
const cacheMs = 5_000;

/** Sets the gauge anew; without a database it has no value, and the other measures are told all the same. */
function queueDepths(queue: Adapters['queue'], registry: Registry): (log: Logger) => Promise<void> {
  const gauge = new Gauge({
    name: 'grounded_chat_queue_jobs',
    help: 'Jobs by queue and state: ready to run, deferred, active, and failed for good.',
    labelNames: ['queue', 'state'],
    registers: [registry],
  });
  const read = boundedRead(() => queue.depths(), readTimeoutMs);
  let readAt = Number.NEGATIVE_INFINITY;
  return async (log) => {
    if (performance.now() - readAt < cacheMs) return;
    try {
      const depths = await read();
      readAt = performance.now();
      for (const { name, ...states } of depths) {
        for (const [state, jobs] of Object.entries(states)) gauge.set({ queue: name, state }, jobs);
      }
    } catch (error) {
      gauge.reset();
      log.warn({ err: error }, 'the depth of the queues could not be read');
    }
  };
}
