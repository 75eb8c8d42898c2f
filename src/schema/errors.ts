import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { asUnexpected, DomainError } from '../domain/errors.ts';

/**
 * What a client may see of an error: a domain error with its code, an error of the operation's own text as
 * it is, and of anything else, which is our bug, nothing but that it happened.
 */
export function publicError(error: unknown, log: Logger): GraphQLError {
  const original = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  const place = error instanceof GraphQLError ? { nodes: error.nodes, path: error.path } : {};
  const cause = rootDomainError(original);
  if (cause !== null) {
    if (cause.code === 'INTERNAL') log.error({ err: cause }, 'internal error');
    return new GraphQLError(cause.message, { ...place, extensions: extensionsOf(cause) });
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
  if (isCallerGone(original)) log.debug('the caller left before the answer');
  else log.error({ err: original }, 'unexpected error');
  const shown = asUnexpected(original);
  return new GraphQLError(shown.message, { ...place, extensions: extensionsOf(shown) });
}

/** Domain errors are results like any other; but while the service cannot answer, proxies and clients are to know. */
function extensionsOf({ code, messages, retryable, retryAfterSeconds }: DomainError) {
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

function isCallerGone(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Values of arguments and variables are checked by scalars, whose errors graphql wraps once or twice. */
function rootDomainError(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error;
  if (error instanceof GraphQLError && error.originalError !== undefined) {
    return rootDomainError(error.originalError);
  }
  return null;
}
