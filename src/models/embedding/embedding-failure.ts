import { APIError } from 'openai/core/error';
import { DomainError } from '../../platform/errors.ts';

/**
 * Whether the error is temporary, so that the same call may succeed later. Until then, searches work without vectors.
 */
export function isTemporary(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === 'MODEL_ERROR' && error.retryable;
}

/**
 * Whether the model currently cannot embed any text. The cause is a temporary failure, or a failure that the operator
 * can fix, such as a wrong key, a wrong address or an empty account. Documents wait until the model works again.
 */
export function isEmbeddingOutage(error: unknown): error is DomainError {
  return isTemporary(error) || (isRejection(error) && isOperatorError(error.cause));
}

/**
 * Whether the texts of the request may have caused the failure. This is the case for an error inside the server, and
 * for a response that is not JSON. Limits, overload, timeouts and lost connections do not depend on the texts.
 */
export function mayBeDueToTexts({ cause }: DomainError): boolean {
  if (cause instanceof SyntaxError) return true;
  if (!(cause instanceof APIError) || !textStatuses.has(cause.status)) return false;
  const headers: Headers | undefined = cause.headers;
  return headers?.has('retry-after') !== true;
}

const textStatuses: ReadonlySet<unknown> = new Set([400, 413, 422, 500]);

/** Whether the model server refused these texts and will refuse them again. */
export function isRefusedInput(error: unknown): error is DomainError {
  return isRejection(error) && !isOperatorError(error.cause);
}

/** Whether the error is a MODEL_ERROR for a response with an error status that a retry would not change. */
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

/** Statuses that the operator must fix: wrong key, empty account, missing permission, unknown model or address. */
const operatorStatuses: ReadonlySet<unknown> = new Set([401, 402, 403, 404]);

/**
 * Whether the failure shows that the model does not exist, or cannot embed texts. A temporary failure, a wrong key or an
 * empty account say nothing about the model.
 */
export function isRefusedModel(error: unknown): error is DomainError {
  if (!(error instanceof DomainError) || error.code !== 'MODEL_ERROR' || error.retryable)
    return false;
  const { cause } = error;
  return !(cause instanceof APIError) || cause.status === 404 || !isOperatorError(cause);
}
