import type { RequestHandler, Response } from 'express';

/**
 * Allows pages of these origins to call the routes that follow. If `origins` is empty, changes nothing. Never allows
 * cookies: the token in `Authorization` carries all permissions.
 */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  return (request, response, next) => {
    if (origins.length === 0) return next();
    response.vary('Origin');
    const origin = request.get('Origin');
    if (origin === undefined || !origins.includes(origin)) return next();
    allowOrigin(response, origin);
    const isPreflight =
      request.method === 'OPTIONS' && request.get('Access-Control-Request-Method') !== undefined;
    if (isPreflight) sendPreflightResponse(response, anyRequest);
    else next();
  };
}

const anyRequest: AllowedRequests = {
  methods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
  headers: 'authorization, content-type, idempotency-key, x-request-id',
};

/** Allowed methods and request headers, each as a comma-separated list. */
export interface AllowedRequests {
  readonly methods: string;
  readonly headers: string;
}

/**
 * Allows one origin to read the response. The response depends on the origin, so the caller must also set `Vary:
 * Origin`.
 */
export function allowOrigin(response: Response, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
}

const exposedHeaders =
  'Allow, API-Version, Content-Disposition, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';

/** Sends the response to a preflight request, which browsers may cache for ten minutes. */
export function sendPreflightResponse(
  response: Response,
  { methods, headers }: AllowedRequests,
): void {
  response.setHeader('Access-Control-Allow-Methods', methods);
  response.setHeader('Access-Control-Allow-Headers', headers);
  response.setHeader('Access-Control-Max-Age', '600');
  response.status(204).end();
}
