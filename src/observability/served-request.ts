import type { Request, Response } from 'express';

/** What can be said of a request once its answer has ended, without anything of what it was about. */
export interface ServedRequest {
  readonly method: string;
  /** The pattern of its route, such as `/api/v1/knowledge/documents/:documentId`, or `unknown`. */
  readonly route: string;
  readonly status: number;
  /** `aborted`: the answer did not get to its end, mostly because the client left. */
  readonly outcome: 'done' | 'aborted';
}

/** nginx's number for a client that left before there was an answer. */
const clientLeftStatus = 499;

export function servedRequest(request: Request, response: Response): ServedRequest {
  return {
    method: request.method,
    route: routeOf(request),
    status: response.headersSent ? response.statusCode : clientLeftStatus,
    outcome: response.writableFinished ? 'done' : 'aborted',
  };
}

/** Made of our own patterns only: there are as many as we have routes, whatever clients ask for. */
export function routeOf({ route, baseUrl }: Request): string {
  const path: unknown = route?.path;
  return typeof path === 'string' ? `${baseUrl}${path}` : 'unknown';
}
