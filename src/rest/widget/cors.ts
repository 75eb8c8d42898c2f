import type { Response } from 'express';

/**
 * Allows one origin to read the response. Cookies are not allowed: the visitor's token carries all permissions.
 * Responses differ by origin, so the router also sets `Vary: Origin` for caches.
 */
export function allowOrigin(response: Response, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
}

/** Sends the response to a preflight request, which browsers may cache for ten minutes. */
export function sendPreflightResponse(response: Response): void {
  response.setHeader('Access-Control-Allow-Methods', 'POST');
  response.setHeader('Access-Control-Allow-Headers', 'authorization, content-type');
  response.setHeader('Access-Control-Max-Age', '600');
  response.status(204).end();
}
