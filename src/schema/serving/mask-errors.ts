import { PothosValidationError } from '@pothos/core';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { DomainError, toServerError } from '../../platform/errors.ts';

/**
 * Returns the error to send to the client. Domain errors keep message and code. GraphQL syntax and validation errors
 * keep their message. All other errors are bugs: they are logged, and the client receives a generic message.
 */
export function maskError(error: unknown, log: Logger): GraphQLError {
  const original = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  const location = error instanceof GraphQLError ? { nodes: error.nodes, path: error.path } : {};
  const cause = rootDomainError(original);
  if (cause !== null) {
    if (cause.code === 'INTERNAL') log.error({ err: cause }, 'internal error');
    return new GraphQLError(cause.message, { ...location, extensions: errorExtensions(cause) });
  }
  if (original instanceof GraphQLError) {
    const { message, nodes, source, positions, path, extensions } = original;
    const code = typeof extensions.code === 'string' ? extensions.code : 'MALFORMED_REQUEST';
    return new GraphQLError(message, {
      nodes,
      source,
      positions,
      path,
      extensions: { ...extensions, code },
    });
  }
  const masked = toServerError(original);
  if (isAbortError(original)) log.debug('the client disconnected before the response');
  else if (masked.code !== 'QUOTA_EXCEEDED') log.error({ err: original }, 'unexpected error');
  return new GraphQLError(masked.message, { ...location, extensions: errorExtensions(masked) });
}

/**
 * Sets the HTTP status to 200, as is usual for errors in GraphQL. UNAVAILABLE gets 503, so that proxies and clients
 * retry.
 */
function errorExtensions({ code, messages, retryable, retryAfterSeconds }: DomainError) {
  const isUnavailable = code === 'UNAVAILABLE';
  return {
    code,
    messages,
    retryable,
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
    http: {
      status: isUnavailable ? 503 : 200,
      ...(isUnavailable && { headers: { 'Retry-After': String(retryAfterSeconds) } }),
    },
  };
}

/** Pothos refuses some combinations of paging arguments, and a cursor whose format is not that of the list. */
function explainPagingError({ message }: PothosValidationError): DomainError {
  const isCursor = /cursor/i.test(message);
  return new DomainError('VALIDATION_FAILED', isCursor ? cursorMessage : message);
}

const cursorMessage = 'after and before must be a cursor of this list';

function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/**
 * Returns the domain error behind an error, or null. graphql-js wraps such an error once or twice when it coerces
 * arguments and variables.
 */
function rootDomainError(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error;
  if (error instanceof PothosValidationError) return explainPagingError(error);
  if (error instanceof GraphQLError && error.originalError !== undefined) {
    return rootDomainError(error.originalError);
  }
  return null;
}
