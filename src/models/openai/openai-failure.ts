import { APIConnectionError, APIError } from 'openai/core/error';
import { ZodError } from 'zod';
import { DomainError } from '../../platform/errors.ts';
import { modelFailure } from '../availability/model-failure.ts';
import { isContextOverflow } from './context-overflow.ts';

/**
 * Converts an error of the SDK to a DomainError. The message never contains the key, the URL or the provider's text.
 * `retryable` is true if the same call may succeed later.
 */
export function toModelError(error: unknown): DomainError {
  if (error instanceof DomainError) {
    return error;
  }
  if (error instanceof APIConnectionError) {
    return modelFailure('The model server cannot be reached', { cause: error, retryable: true });
  }
  if (error instanceof APIError) {
    return failureOfStatus(error);
  }
  if (error instanceof SyntaxError) {
    return modelFailure('The model server sent malformed data', { cause: error, retryable: true });
  }
  if (error instanceof ZodError) {
    return modelFailure('The model server sent malformed data', { cause: error });
  }
  return modelFailure('The connection to the model server was lost', {
    cause: error,
    retryable: true,
  });
}

function failureOfStatus(error: APIError): DomainError {
  const status: number | undefined = error.status;
  const failure = (message: string, retryable: boolean) =>
    modelFailure(message, { cause: error, retryable });
  if (isContextOverflow(error)) {
    return failure('The question and its sources are too long for the model', false);
  }
  if (status === undefined) {
    return failure('The model server reported an error while answering', true);
  }
  if (error.code === 'content_filter') {
    return failure("The model provider's content filter rejected the question", false);
  }
  if (status === 401 || status === 403) {
    return failure('The model server rejected the API key', false);
  }
  if (status === 404) {
    return failure('The model server does not know the model or the address', false);
  }
  if (error.code === 'insufficient_quota') {
    return failure('The account at the model provider has no quota left', false);
  }
  if (status === 429) {
    return failure('The model server is busy', true);
  }
  if (status === 408 || status >= 500) {
    return failure('The model server failed', true);
  }
  return failure('The model server rejected the request', false);
}
