import type { RequestHandler, Response } from 'express';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { routeOf, servedRequest } from './served-request.ts';

/** Counts and times every request, and knows the streams that are open. */
export function measureRequests(registry: Registry): RequestHandler {
  const registers = [registry];
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by method, route and status; 499: the client left before the answer.',
    labelNames,
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the head of the request to the end of its answer, streams included.',
    labelNames,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const open = new Map<Response, () => string>();
  new Gauge({
    name: 'grounded_chat_active_streams',
    help: 'Answers that are being streamed now.',
    labelNames: ['route'],
    registers,
    collect() {
      this.reset();
      for (const [response, route] of open) if (isStream(response)) this.inc({ route: route() });
    },
  });

  return (request, response, next) => {
    const startedAt = performance.now();
    open.set(response, () => routeOf(request));
    response.once('close', () => {
      open.delete(response);
      const { method, route, status } = servedRequest(request, response);
      const labels = { method: methods.has(method) ? method : 'other', route, status };
      requests.inc(labels);
      requestSeconds.observe(labels, (performance.now() - startedAt) / 1_000);
    });
    next();
  };
}

/** Node's parser knows some thirty more. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function isStream(response: Response): boolean {
  const type = response.getHeader('Content-Type');
  return response.headersSent && String(type).startsWith('text/event-stream');
}
