import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { pathOf, type ResponseLocals, requestIdOf } from '../../http/exchange.ts';
import { isId } from '../../platform/ids.ts';
import { withCurrentSpan } from '../../platform/tracing/tracer.ts';
import {
  isMonitorPath,
  type RequestSummary,
  routeOf,
  summarizeRequest,
} from './request-summary.ts';

/** Logs and measures every request when its response closes. Monitoring requests are logged at level debug. */
export function observeRequests(log: Logger, registry: Registry): RequestHandler {
  const metrics = createRequestMetrics(registry);
  return (request, response, next) => {
    const startedAt = performance.now();
    const bytesBefore = request.socket.bytesWritten;
    metrics.openResponses.set(response, () => routeOf(request));
    const report = () => {
      const summary = summarizeRequest(request, response);
      const durationMs = performance.now() - startedAt;
      const line = {
        requestId: requestIdOf(response),
        ...summary,
        path: redactPath(request.originalUrl),
        durationMs: Math.round(durationMs),
        bytes: request.socket.bytesWritten - bytesBefore,
        ...callerFields(response.locals),
      };
      if (isMonitorPath(summary.route)) log.debug(line, 'request');
      else log.info(line, 'request');
      metrics.openResponses.delete(response);
      metrics.record(summary, durationMs / 1_000);
    };
    response.once('close', withCurrentSpan(report));
    next();
  };
}

/** The ids of caller, organization and project. A `projectId` is logged only if it is a well-formed id. */
function callerFields({ caller, projectId }: ResponseLocals): object {
  switch (caller?.type) {
    case 'key': {
      const { keyId, organizationId } = caller;
      const project = caller.projectId ?? projectId;
      return { keyId, organizationId, projectId: isId(project ?? '') ? project : undefined };
    }
    case 'visitor': {
      const { organizationId, projectId } = caller;
      return { organizationId, projectId };
    }
    case 'operator':
      return { userId: caller.userId };
    default:
      return {};
  }
}

const maxPathLength = 200;

/**
 * Replaces a path segment by `*` if it is longer than an id or contains unusual characters. People put keys, addresses
 * and texts into paths by mistake.
 */
function redactPath(target: string): string {
  return pathOf(target)
    .slice(0, maxPathLength)
    .split('/')
    .map((part) => (/^[\w.-]{0,36}$/.test(part) ? part : '*'))
    .join('/');
}

interface RequestMetrics {
  /** The responses that have not closed yet, each with its route. */
  readonly openResponses: Map<Response, () => string>;
  record(summary: RequestSummary, seconds: number): void;
}

function createRequestMetrics(registry: Registry): RequestMetrics {
  const registers = [registry];
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by method, route and status. 499: the client disconnected before the response.',
    labelNames,
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request head to the end of the response, streams included.',
    labelNames,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const openResponses = new Map<Response, () => string>();
  new Gauge({
    name: 'grounded_chat_active_streams',
    help: 'Responses that are being streamed now.',
    labelNames: ['route'],
    registers,
    collect() {
      this.reset();
      for (const [response, route] of openResponses)
        if (isStream(response)) this.inc({ route: route() });
    },
  });
  return {
    openResponses,
    record({ method, route, status }, seconds) {
      const labels = { method: knownMethods.has(method) ? method : 'other', route, status };
      requests.inc(labels);
      requestSeconds.observe(labels, seconds);
    },
  };
}

/** Methods that the metrics distinguish. Node's parser accepts about thirty more. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function isStream(response: Response): boolean {
  const type = response.getHeader('Content-Type');
  return response.headersSent && String(type).startsWith('text/event-stream');
}
