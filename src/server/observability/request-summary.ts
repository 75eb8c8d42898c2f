import type { Request, Response } from 'express';

const monitorPaths = /^\/(?:health\/|metrics$)/;

/** Whether only monitoring requests this path or route. */
export function isMonitorPath(path: string): boolean {
  return monitorPaths.test(path);
}

/** The properties of a finished request that may be logged and measured. */
export interface RequestSummary {
  readonly method: string;
  /** The route pattern, such as `/api/v1/knowledge/documents/:documentId`, or `unknown`. */
  readonly route: string;
  readonly status: number;
  /** `aborted`: the response was not sent completely, usually because the client disconnected. */
  readonly outcome: 'done' | 'aborted';
}

/** nginx's status for a client that disconnected before it got the response. */
const clientClosedRequestStatus = 499;

export function summarizeRequest(request: Request, response: Response): RequestSummary {
  return {
    method: request.method,
    route: routeOf(request),
    status: response.headersSent ? response.statusCode : clientClosedRequestStatus,
    outcome: response.writableFinished ? 'done' : 'aborted',
  };
}

/** Returns our own route pattern and not the requested path: clients must not be able to create metric series. */
export function routeOf({ route, baseUrl }: Request): string {
  const path: unknown = route?.path;
  return typeof path === 'string' ? `${baseUrl}${path}` : 'unknown';
}
