import type { Response } from 'express';

/**
 * Lets the page of one origin read the answer, and no other. No cookies: what a visitor may do stands in its token.
 * Everything answered differs by origin, so nobody's cache may take it for another's.
 */
export function allowOrigin(response: Response, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
}

/** What a browser asks before it sends a request, and may remember. */
export function answerPreflight(response: Response): void {
  response.setHeader('Access-Control-Allow-Methods', 'POST');
  response.setHeader('Access-Control-Allow-Headers', 'authorization, content-type');
  response.setHeader('Access-Control-Max-Age', '600');
  response.status(204).end();
}
