import type { Request, RequestHandler } from 'express';
import { pathOf } from '../../http/exchange.ts';
import type { TraceContext } from '../../platform/tracing/span.ts';
import { isTracing, startSpan, traceHeaders } from '../../platform/tracing/tracer.ts';
import { isMonitorPath, summarizeRequest } from './request-summary.ts';

/**
 * Runs each request in a span until its response closes. The span continues the trace of the header `traceparent`. The
 * header `traceresponse` names the trace. Monitoring requests have no span.
 */
export function traceRequests(): RequestHandler {
  return (request, response, next) => {
    if (!isTracing() || isMonitorPath(pathOf(request.originalUrl))) return next();
    const { method } = request;
    const span = startSpan(method, { kind: 'SERVER', parent: receivedContext(request) });
    if (span === null) return next();
    span.run(() => {
      const { traceparent } = traceHeaders();
      if (traceparent !== undefined) response.setHeader('traceresponse', traceparent);
      next();
    });
    // After the listeners of the next handlers, so that the log line of the request still belongs to the span.
    response.once('close', () => {
      const { route, status, outcome } = summarizeRequest(request, response);
      span.rename(route === 'unknown' ? method : `${method} ${route}`);
      span.setAttributes({
        'http.request.method': method,
        'http.route': route === 'unknown' ? undefined : route,
        'http.response.status_code': status,
        'url.scheme': request.protocol,
        'grounded_chat.aborted': outcome === 'aborted' ? true : undefined,
        'error.type': status >= 500 ? String(status) : undefined,
      });
      if (status >= 500) span.setFailed();
      span.end();
    });
  };
}

function receivedContext(request: Request): TraceContext {
  return { traceparent: request.get('traceparent'), tracestate: request.get('tracestate') };
}
