import { STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler, Router } from 'express';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import {
  DomainError,
  type ErrorCode,
  toStorageExceeded,
  toUnavailable,
} from '../platform/errors.ts';
import { applyResponseDefaults, pathOf, requestIdOf, routeNotFound, sendJson } from './exchange.ts';

/** The body of every error response. */
export interface ErrorBody {
  /**
   * The HTTP status code.
   * @isInt
   * @minimum 400
   * @maximum 599
   * @example 404
   */
  readonly statusCode: number;
  /**
   * Standard name of the status.
   * @pattern ^[A-Z]
   * @example "Not Found"
   */
  readonly error: string;
  /**
   * Human-readable description, safe to log. Validation errors have an array with one message per
   * invalid field, each starting with the field's name.
   * @example "Document not found"
   */
  readonly message: string | string[];
  /**
   * The path of the request.
   * @example "/api/v1/knowledge/documents/01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11"
   */
  readonly path: string;
  /**
   * Time of the error, ISO 8601 in UTC.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly timestamp: string;
  /**
   * Stable error code for programs.
   * @pattern ^[A-Z_]+$
   * @example "NOT_FOUND"
   */
  readonly code: string;
  /**
   * Id of the request in the service's log. The header `X-Request-Id` has the same value.
   * @pattern ^[\w.-]{1,64}$
   * @example "0f4c7bd1-40cf-4b5e-9a43-4ce6ac1d0a5b"
   */
  readonly requestId: string;
}

/** Adds the last handlers of a router. They return the standard error body for unknown routes and errors. */
export function addFallbackHandlers(router: Pick<Router, 'use'>, log: Logger): void {
  router.use(applyResponseDefaults());
  router.use((_request, _response, next) => next(routeNotFound()));
  router.use(createErrorHandler(log));
}

function createErrorHandler(log: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const domainError = toDomainError(error);
    const status = httpStatusOf(domainError.code);
    const logFields = { err: error, requestId: requestIdOf(response) };
    if (response.headersSent || response.destroyed) {
      // If the client disconnects, the work for it fails and no response can be sent.
      log.debug(logFields, 'request failed without a response');
      response.destroy();
      return;
    }
    if (status >= 500) log.error(logFields, 'request failed');
    if (status === 401 && !response.hasHeader('WWW-Authenticate')) {
      response.setHeader('WWW-Authenticate', 'Bearer');
    }
    const { code, messages, retryAfterSeconds } = domainError;
    if (retryAfterSeconds !== null) response.setHeader('Retry-After', retryAfterSeconds);
    const message = code === 'VALIDATION_FAILED' ? [...messages] : domainError.message;
    const requestFields = { path: pathOf(request.originalUrl), requestId: requestIdOf(response) };
    sendJson(response, status, errorBody(status, { code, message, ...requestFields }));
  };
}

/** Converts an error of any layer to a domain error. An unknown error becomes `INTERNAL`. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof GraphQLError && error.originalError != null) {
    return toDomainError(error.originalError);
  }
  if (error instanceof URIError) {
    return new DomainError('MALFORMED_REQUEST', 'The path is not valid percent-encoded UTF-8');
  }
  return (
    toStorageExceeded(error) ??
    toUnavailable(error) ??
    new DomainError(
      'INTERNAL',
      'Something went wrong on our side. Try again later, and report the request id if it fails again',
      { cause: error, retryable: true },
    )
  );
}

/** Returns the standard error body with the current time. */
export function errorBody(
  statusCode: number,
  { message, path, code, requestId }: Pick<ErrorBody, 'message' | 'path' | 'code' | 'requestId'>,
): ErrorBody {
  const error = STATUS_CODES[statusCode] ?? 'Error';
  const timestamp = new Date().toISOString();
  return { statusCode, error, message, path, timestamp, code, requestId };
}

/** Returns the HTTP status of an error code. */
export function httpStatusOf(code: ErrorCode): number {
  switch (code) {
    case 'VALIDATION_FAILED':
    case 'MALFORMED_REQUEST':
    case 'PROJECT_REQUIRED':
    case 'PROJECT_NOT_ALLOWED':
    case 'UNSUPPORTED_FILE':
    case 'QUERY_TOO_COMPLEX':
      return 400;
    case 'UNAUTHENTICATED':
      return 401;
    case 'QUOTA_EXCEEDED':
      return 402;
    case 'SCOPE_MISSING':
    case 'FORBIDDEN':
    case 'PROJECT_FORBIDDEN':
      return 403;
    case 'NOT_FOUND':
      return 404;
    case 'METHOD_NOT_ALLOWED':
      return 405;
    case 'REQUEST_TIMEOUT':
      return 408;
    case 'CURSOR_EXPIRED':
    case 'CONFLICT':
    case 'IDEMPOTENCY_KEY_IN_USE':
      return 409;
    case 'PAYLOAD_TOO_LARGE':
      return 413;
    case 'IDEMPOTENCY_KEY_REUSED':
      return 422;
    case 'RATE_LIMITED':
      return 429;
    case 'HEADERS_TOO_LARGE':
      return 431;
    case 'INTERNAL':
      return 500;
    case 'MODEL_ERROR':
      return 502;
    case 'UNAVAILABLE':
      return 503;
  }
}
