import { STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { asUnavailable, DomainError, type ErrorCode } from '../domain/errors.ts';
import { requestIdOf } from './prepare-response.ts';
import { sendJson } from './send-json.ts';

/** The body of every answer that is not a success. */
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
   * What is wrong, for people; safe to log. Validation failures give an array with one message per
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
   * When it happened, ISO 8601 in UTC.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly timestamp: string;
  /**
   * What programs branch on; stable.
   * @pattern ^[A-Z_]+$
   * @example "NOT_FOUND"
   */
  readonly code: string;
  /**
   * Identifies the request in the service's log; the same as the header `X-Request-Id`.
   * @pattern ^[\w.-]{1,64}$
   * @example "0f4c7bd1-40cf-4b5e-9a43-4ce6ac1d0a5b"
   */
  readonly requestId: string;
}

/** Answers whatever went wrong with the one error body. Goes last. */
export function handleErrors(log: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const shown = asDomainError(error);
    const status = statusOf(shown.code);
    const facts = { err: error, requestId: requestIdOf(response) };
    if (response.headersSent || response.destroyed) {
      // A client that leaves makes its work fail, and there is no one left to tell.
      log.debug(facts, 'request failed without an answer');
      response.destroy();
      return;
    }
    if (status >= 500) log.error(facts, 'request failed');
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    const { code, messages, retryAfterSeconds } = shown;
    if (retryAfterSeconds !== null) response.setHeader('Retry-After', retryAfterSeconds);
    const message = code === 'VALIDATION_FAILED' ? [...messages] : shown.message;
    const place = { path: pathOf(request.originalUrl), requestId: requestIdOf(response) };
    sendJson(response, status, errorBody(status, { code, message, ...place }));
  };
}

/** The condition behind an error of any layer; what is not a known condition is our own fault. */
export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof GraphQLError && error.originalError != null) {
    return asDomainError(error.originalError);
  }
  if (error instanceof URIError) {
    return new DomainError('MALFORMED_REQUEST', 'The path is not valid percent-encoded UTF-8');
  }
  return (
    asUnavailable(error) ??
    new DomainError(
      'INTERNAL',
      'Something went wrong on our side. Try again later, and name the request id if it goes on',
      { cause: error, retryable: true },
    )
  );
}

/** The one error body, as of now. */
export function errorBody(
  statusCode: number,
  { message, path, code, requestId }: Pick<ErrorBody, 'message' | 'path' | 'code' | 'requestId'>,
): ErrorBody {
  const error = STATUS_CODES[statusCode] ?? 'Error';
  const timestamp = new Date().toISOString();
  return { statusCode, error, message, path, timestamp, code, requestId };
}

/** The path of a request target, which may name the origin too. */
export function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
}

/** The HTTP status of a condition. */
export function statusOf(code: ErrorCode): number {
  switch (code) {
    case 'VALIDATION_FAILED':
    case 'MALFORMED_REQUEST':
    case 'PROJECT_REQUIRED':
    case 'PROJECT_NOT_ALLOWED':
    case 'UNSUPPORTED_FILE':
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
