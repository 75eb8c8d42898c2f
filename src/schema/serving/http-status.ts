import { type ExecutionResult, GraphQLError } from 'graphql';
import { httpStatusOf } from '../../http/errors.ts';
import { type ErrorCode, errorCodes } from '../../platform/errors.ts';

const graphqlJson = 'application/graphql-response+json';

/**
 * Returns true if the client prefers the media type that the specification "GraphQL over HTTP" defines. With this media
 * type, errors have HTTP statuses.
 */
export function acceptsGraphqlJson(accept: string | null): boolean {
  const types = (accept ?? '').split(',').map((part) => part.replace(/;.*/s, '').trim());
  return types.find((type) => type === graphqlJson || type === 'application/json') === graphqlJson;
}

/**
 * For a result without data, gives each error the HTTP status that the REST API has for its code. Yoga sends the highest.
 */
export function withHttpStatus<R extends ExecutionResult>(result: R): R {
  if (result.data !== undefined || result.errors === undefined) return result;
  return { ...result, errors: result.errors.map(errorWithStatus) };
}

function errorWithStatus(error: GraphQLError): GraphQLError {
  const { code, retryAfterSeconds, http } = error.extensions;
  if (!isErrorCode(code) || http === undefined) return error;
  const status = httpStatusOf(code);
  const headers = {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(typeof retryAfterSeconds === 'number' && { 'Retry-After': String(retryAfterSeconds) }),
  };
  const extensions = { ...error.extensions, http: { status, headers } };
  const { message, nodes, path } = error;
  return new GraphQLError(message, { nodes, path, extensions });
}

function isErrorCode(code: unknown): code is ErrorCode {
  return errorCodes.some((known) => known === code);
}
