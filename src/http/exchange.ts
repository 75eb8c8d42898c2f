import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../domain/caller.ts';
import type { RequestOrigin } from '../domain/context.ts';
import { DomainError } from '../platform/errors.ts';
import { apiVersion, apiVersionHeaderName } from './api-version.ts';

/** Fields of `response.locals` that the request log contains. Each is set as soon as it is known. */
export interface ResponseLocals {
  caller?: Caller;
  /** The project that the request names. Not validated, so it may not even be an id. */
  projectId?: string;
}

/**
 * The first step of every request. Records the exchange. While the service is `draining`, asks the client to close the
 * connection, because a proxy would otherwise use the connection for its next request.
 */
export function trackRequest(draining: AbortSignal): RequestHandler {
  return (request, response, next) => {
    setLatestExchange(request, response);
    if (draining.aborted) response.setHeader('Connection', 'close');
    next();
  };
}

/**
 * Sets the version header and `X-Request-Id`. The request id is the client's own id if that is a short plain token,
 * otherwise a new UUID.
 */
export function assignRequestId(): RequestHandler {
  return (request, response, next) => {
    response.setHeader(apiVersionHeaderName, apiVersion);
    if (!response.hasHeader('X-Request-Id')) {
      response.setHeader('X-Request-Id', clientRequestId(request) ?? randomUUID());
    }
    next();
  };
}

/** Returns the client's IP address, which trusted proxies may report in a header, and its user agent. */
export function requestOrigin(request: Request): RequestOrigin {
  const ipAddress = request.ip?.replace(/^::ffff:/, '') ?? null;
  return { ipAddress, userAgent: request.get('User-Agent') ?? null };
}

/** Returns the id under which the request is logged. */
export function requestIdOf(response: Response): string {
  return String(response.getHeader('X-Request-Id'));
}

/**
 * Returns the id that the client has sent, or null. The id is written to the log, so API keys are refused, and also
 * everything that is not a short plain token.
 */
function clientRequestId(request: Request): string | null {
  const id = request.get('X-Request-Id') ?? '';
  return /^(?!sk_)[\w.-]{1,64}$/.test(id) ? id : null;
}

/**
 * Refuses an HTTP/1.1 request that does not have exactly one Host header. Node's own check would send a response
 * without a body.
 */
export function requireHost(): RequestHandler {
  const prepare = applyResponseDefaults();
  return (request, response, next) => {
    const hasHost = request.rawHeaders.filter(isNamed('host')).length === 1;
    if (hasHost || request.httpVersion !== '1.1') return next();
    const refusal = new DomainError('MALFORMED_REQUEST', 'The request must have one Host header');
    prepare(request, response, () => next(refusal));
  };
}

/**
 * Refuses a request with several Authorization headers. Node would use the first header, but a proxy may check another.
 */
export function requireOneAuthorization(): RequestHandler {
  const prepare = applyResponseDefaults();
  return (request, response, next) => {
    const isRepeated = request.rawHeaders.filter(isNamed('authorization')).length > 1;
    if (!isRepeated) return next();
    const refusal = new DomainError(
      'MALFORMED_REQUEST',
      'The request must have at most one Authorization header',
    );
    prepare(request, response, () => next(refusal));
  };
}

/**
 * Returns a filter for `rawHeaders`, in which names and values alternate. Node's parsed header object is not used,
 * because it would stay in memory with the request.
 */
function isNamed(header: string): (text: string, index: number) => boolean {
  return (text, index) => index % 2 === 0 && text.toLowerCase() === header;
}

/**
 * Sets the security headers of the response. Also limits the time in which the client may continue to send a body that
 * is not read.
 */
export function applyResponseDefaults(): RequestHandler {
  return (request, response, next) => {
    if (response.hasHeader('Referrer-Policy')) return next();
    response.setHeaders(securityHeaders);
    drainUnreadBody(request, response);
    next();
  };
}

const securityHeaders = new Map([
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
]);

const unreadBodyTimeoutMs = 5_000;

/**
 * After an early response, discards the rest of the request body, so that the connection can serve the next request. If
 * the connection were closed immediately, a client that is still sending would not receive the response. After a
 * timeout, the connection is destroyed.
 */
function drainUnreadBody(request: Request, response: Response): void {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.destroy(), unreadBodyTimeoutMs);
    timer.unref();
    request.once('close', () => clearTimeout(timer));
    request.once('end', () => clearTimeout(timer));
    request.resume();
  });
}

/**
 * Returns a signal that aborts when the client disconnects before the end of the response. It also aborts when
 * `stopping` aborts, with the same reason. `AbortSignal.any` would keep every request in memory as long as `stopping`
 * exists.
 */
export function requestSignal(response: ServerResponse, stopping: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort(stopping.reason);
  stopping.addEventListener('abort', stop, { once: true });
  response.once('close', () => {
    stopping.removeEventListener('abort', stop);
    if (!response.writableFinished) controller.abort();
  });
  if (stopping.aborted) stop();
  return controller.signal;
}

/** Returns a signal that aborts when `stopping` aborts, but not when the client disconnects. */
export function shutdownSignal(
  stopping: AbortSignal,
): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const stop = () => controller.abort(stopping.reason);
  stopping.addEventListener('abort', stop, { once: true });
  if (stopping.aborted) stop();
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => stopping.removeEventListener('abort', stop),
  };
}

/** Sends a JSON response, without an ETag. */
export function sendJson(response: Response, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, jsonHeaders(text)).end(text);
}

/** Returns the headers of a JSON response whose body is this text. */
export function jsonHeaders(text: string): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
  };
}

/** Returns the path of a request target. The target may include the origin. */
export function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
}

/** Returns the error for a path that no route serves. */
export function routeNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such route');
}

/**
 * Refuses every method that the routes of a path do not serve. Add it after these routes. Express serves HEAD for every
 * route that serves GET.
 */
export function refuseOtherMethods(methods: readonly string[]): RequestHandler {
  const served = methods.map((method) => method.toUpperCase());
  const allowed = served.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method));
  const allow = allowed.join(', ');
  return ({ method }, response, next) => {
    response.setHeader('Allow', allow);
    const message = `${method} is not allowed here. Allowed: ${allow}`;
    next(new DomainError('METHOD_NOT_ALLOWED', message));
  };
}

/** A request with its response. `path` is the original path. Routers may shorten the path in the request. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
}

const latestExchanges = new WeakMap<Duplex, Exchange>();

/** Stores the request as the latest request of its connection. */
export function setLatestExchange(request: IncomingMessage, response: ServerResponse): void {
  latestExchanges.set(request.socket, { request, response, path: pathOf(request.url ?? '') });
}

/** Returns the latest request of a connection, or undefined if there is none. */
export function getLatestExchange(socket: Duplex): Exchange | undefined {
  return latestExchanges.get(socket);
}
