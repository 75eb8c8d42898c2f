import { APIError } from 'openai/core/error';
import { DomainError } from '../../platform/errors.ts';

/** Returns true if the same call may succeed later. Until then, searches work without vectors. */
export function isTemporary(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === 'MODEL_ERROR' && error.retryable;
}

/**
 * Whether the model embeds no text at the moment: a temporary failure, or one that the operator can fix, such as a
 * wrong key, a wrong address or an empty account. Documents wait until it is over.
 */
export function isEmbeddingOutage(error: unknown): error is DomainError {
  return isTemporary(error) || (isRejection(error) && isOperatorError(error.cause));
}

/**
 * Whether the failure may be due to the texts of the request: an error inside the server, or an answer that is no JSON.
 * Limits, overload, timeouts and lost connections are not, whatever the texts are.
 */
export function mayBeDueToTexts({ cause }: DomainError): boolean {
  if (cause instanceof SyntaxError) return true;
  if (!(cause instanceof APIError) || !textStatuses.has(cause.status)) return false;
  const headers: Headers | undefined = cause.headers;
  return headers?.has('retry-after') !== true;
}

const textStatuses: ReadonlySet<unknown> = new Set([400, 413, 422, 500]);

/** Whether the model server refused these texts, so that it will refuse them again. */
export function isRefusedInput(error: unknown): error is DomainError {
  return isRejection(error) && !isOperatorError(error.cause);
}

/** A MODEL_ERROR for a response with an error status that no retry changes. */
function isRejection(error: unknown): error is DomainError & { readonly cause: APIError } {
  return (
    error instanceof DomainError &&
    error.code === 'MODEL_ERROR' &&
    !error.retryable &&
    error.cause instanceof APIError
  );
}

function isOperatorError({ status, code }: APIError): boolean {
  return (
    code === 'insufficient_quota' || (code !== 'content_filter' && operatorStatuses.has(status))
  );
}

/** Wrong key, empty account, missing permission, unknown model or address. */
const operatorStatuses: ReadonlySet<unknown> = new Set([401, 402, 403, 404]);
