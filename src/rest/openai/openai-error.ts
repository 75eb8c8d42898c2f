import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { httpStatusOf, toDomainError } from '../../http/errors.ts';
import { requestIdOf, sendJson } from '../../http/exchange.ts';
import { type DomainError, type ErrorCode, notFound } from '../../platform/errors.ts';

/** An error body as OpenAI's API sends it. */
export interface OpenAiErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
}

/** A request that OpenAI's API would also refuse, or that this service does not support. */
export class OpenAiRequestError extends Error {
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;

  constructor(
    message: string,
    options: { readonly status?: number; readonly param?: string; readonly code?: string } = {},
  ) {
    super(message);
    this.status = options.status ?? 400;
    this.param = options.param ?? null;
    this.code = options.code ?? null;
  }
}

/** Sends errors in OpenAI's format, so that OpenAI's clients throw their matching error class. */
export function openAiErrorHandler(log: Logger): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    const { status, body } = toOpenAiError(error);
    const logFields = { err: error, requestId: requestIdOf(response) };
    if (response.headersSent || response.destroyed) {
      log.debug(logFields, 'request failed without a response');
      response.destroy();
      return;
    }
    if (status >= 500) log.error(logFields, 'request failed');
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    const { retryAfterSeconds } = toDomainError(error);
    if (retryAfterSeconds !== null) response.setHeader('Retry-After', retryAfterSeconds);
    // By default, OpenAI's clients retry every response with 409 or 429.
    if (!isRetryable(error, status)) response.setHeader('X-Should-Retry', 'false');
    sendJson(response, status, body);
  };
}

function isRetryable(error: unknown, status: number): boolean {
  if (toDomainError(error).code === 'QUOTA_EXCEEDED') return false;
  return status === 408 || status === 429 || status >= 500;
}

/** Returns the HTTP status and the body of an error. */
function toOpenAiError(error: unknown): { status: number; body: OpenAiErrorBody } {
  if (error instanceof OpenAiRequestError) {
    const { status, message, param, code } = error;
    return { status, body: { error: { message, type: 'invalid_request_error', param, code } } };
  }
  const domainError = toDomainError(error);
  const status = statusOf(domainError.code);
  return { status, body: { error: errorFields(domainError, status) } };
}

/** Returns the fields of an error in the middle of a stream. */
export function streamErrorFields(error: {
  readonly message: string;
  readonly code: string;
}): OpenAiErrorBody['error'] {
  return {
    message: error.message,
    type: 'server_error',
    param: null,
    code: error.code.toLowerCase(),
  };
}

/** OpenAI's API returns 429 if the quota is exhausted. */
function statusOf(code: ErrorCode): number {
  return code === 'QUOTA_EXCEEDED' ? 429 : httpStatusOf(code);
}

function errorFields({ code, message }: DomainError, status: number): OpenAiErrorBody['error'] {
  const isModelUnknown = code === 'NOT_FOUND' && message === notFound('Project').message;
  const known = isModelUnknown ? unknownModel : knownErrors[code];
  if (known !== undefined) return { message, param: null, ...known };
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  return { message, type, param: null, code: code.toLowerCase() };
}

const unknownModel = { type: 'invalid_request_error', code: 'model_not_found', param: 'model' };

const knownErrors: Partial<Record<ErrorCode, { type: string; code: string; param?: string }>> = {
  UNAUTHENTICATED: { type: 'invalid_request_error', code: 'invalid_api_key' },
  SCOPE_MISSING: { type: 'invalid_request_error', code: 'insufficient_permissions' },
  RATE_LIMITED: { type: 'requests', code: 'rate_limit_exceeded' },
  QUOTA_EXCEEDED: { type: 'insufficient_quota', code: 'insufficient_quota' },
};
