import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';

/** Gives every answer its request id. */
export function assignRequestId(): RequestHandler {
  return (request, response, next) => {
    if (!response.hasHeader('X-Request-Id')) {
      response.setHeader('X-Request-Id', acceptedRequestId(request) ?? randomUUID());
    }
    next();
  };
}

/** Gives every answer its security headers, and bounds what a client may still send after it. */
export function prepareResponse(): RequestHandler {
  return (request, response, next) => {
    if (response.hasHeader('Referrer-Policy')) return next();
    response.setHeaders(securityHeaders);
    cutOffUnreadBody(request, response);
    next();
  };
}

/** The id under which this request is logged. */
export function requestIdOf(response: Response): string {
  return String(response.getHeader('X-Request-Id'));
}

const securityHeaders = new Map([
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
]);

/** A caller's own id goes into our log, so only a short plain token is taken over, and never a key. */
function acceptedRequestId(request: Request): string | null {
  const id = request.get('X-Request-Id') ?? '';
  return /^(?!sk_)[\w.-]{1,64}$/.test(id) ? id : null;
}

const bodyGraceMs = 5_000;

/**
 * Where the answer came before the body was read, the rest is thrown away so that the connection can
 * serve the next request. Closing at once would take the answer from a client that is still sending;
 * one that does not come to an end is cut off.
 */
function cutOffUnreadBody(request: Request, response: Response): void {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.destroy(), bodyGraceMs);
    timer.unref();
    request.once('close', () => clearTimeout(timer));
    request.once('end', () => clearTimeout(timer));
    request.resume();
  });
}
