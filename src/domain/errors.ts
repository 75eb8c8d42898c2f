/** Every condition a caller can meet, one list for REST and GraphQL (`code` and `extensions.code`). */
export type ErrorCode =
  | 'UNAUTHENTICATED'
  | 'SCOPE_MISSING'
  | 'FORBIDDEN'
  | 'PROJECT_REQUIRED'
  | 'PROJECT_NOT_ALLOWED'
  | 'PROJECT_FORBIDDEN'
  | 'VALIDATION_FAILED'
  | 'MALFORMED_REQUEST'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'UNSUPPORTED_FILE'
  | 'PAYLOAD_TOO_LARGE'
  | 'QUOTA_EXCEEDED'
  | 'RATE_LIMITED'
  | 'MODEL_ERROR'
  | 'UNAVAILABLE'
  | 'INTERNAL';

/**
 * A condition the caller can understand and act on. `message` is safe to show and to log; a list holds
 * one message per invalid field. The skins translate `code` into a status or an extension.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly messages: readonly string[];
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;

  constructor(
    code: ErrorCode,
    message: string | readonly string[],
    options: { cause?: unknown; retryable?: boolean } = {},
  ) {
    const messages = typeof message === 'string' ? [message] : message;
    super(messages.join('; '), { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.messages = messages;
    this.retryable = options.retryable ?? false;
  }
}

/** The error for a resource that does not exist or is not the caller's: never says which. */
export function notFound(what: string): DomainError {
  return new DomainError('NOT_FOUND', `${what} not found`);
}
