/** Base class of all errors of this package. */
export class GroundedChatError extends Error {
  override readonly name: string = 'GroundedChatError';
}

/** Error codes of the service. Later versions may add codes. */
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
  | 'IDEMPOTENCY_KEY_IN_USE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'UNSUPPORTED_FILE'
  | 'PAYLOAD_TOO_LARGE'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'HEADERS_TOO_LARGE'
  | 'QUOTA_EXCEEDED'
  | 'RATE_LIMITED'
  | 'MODEL_ERROR'
  | 'UNAVAILABLE'
  | 'INTERNAL'
  | (string & Record<never, never>);

interface ApiErrorFields {
  readonly status: number | null;
  readonly code: ErrorCode;
  readonly details: readonly string[];
  readonly requestId: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly isRetryable?: boolean;
}

/** The service answered with an error. */
export class ApiError extends GroundedChatError {
  override readonly name = 'ApiError';
  /** HTTP status, or null if the error ended a stream. */
  readonly status: number | null;
  /** Stable error code. Branch on this code, not on the message. `UNKNOWN` if the response is not from the service. */
  readonly code: ErrorCode;
  /** For `VALIDATION_FAILED`, one message for each invalid field. Otherwise one message. */
  readonly details: readonly string[];
  /** Id of the request in the logs of the service. */
  readonly requestId: string | null;
  /** Seconds to wait before the next attempt, or null if the service sent no `Retry-After`. */
  readonly retryAfterSeconds: number | null;
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean;

  constructor(fields: ApiErrorFields) {
    super(fields.details.join('; '));
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details;
    this.requestId = fields.requestId;
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
    this.isRetryable = fields.isRetryable ?? false;
  }
}

/** The client could not reach the service, or the connection was lost. `cause` is the error of `fetch`. */
export class ConnectionError extends GroundedChatError {
  override readonly name: string = 'ConnectionError';
}

/** The stream of an answer was cut and could not be resumed. Use these values to resume it later. */
export class StreamInterruptedError extends ConnectionError {
  override readonly name = 'StreamInterruptedError';
  readonly messageId: string;
  /** `seq` of the last event that was received. */
  readonly after: number;

  constructor(messageId: string, after: number, cause: unknown) {
    super('The stream of the answer was interrupted. Resume it with `chat.resume`', { cause });
    this.messageId = messageId;
    this.after = after;
  }
}

/** The service did not answer within `timeoutMs`. */
export class TimeoutError extends GroundedChatError {
  override readonly name = 'TimeoutError';
}

/** The request is not a valid webhook of the service: its signature, time or format is wrong. */
export class WebhookVerificationError extends GroundedChatError {
  override readonly name = 'WebhookVerificationError';
}

/** Statuses after which a retry of the same request may succeed. */
export const retryableStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];

export async function readApiError(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const body = parseBody(await response.text());
  const message = body.message ?? `The server answered with status ${status}`;
  return new ApiError({
    status,
    code: body.code ?? 'UNKNOWN',
    details: Array.isArray(message) ? message.map(String) : [String(message)],
    requestId: body.requestId ?? headers.get('x-request-id'),
    retryAfterSeconds: parseRetryAfter(headers.get('retry-after')),
    isRetryable: retryableStatuses.includes(status),
  });
}

interface ErrorBody {
  readonly message?: unknown;
  readonly code?: string;
  readonly requestId?: string;
}

/** Returns {} if the text is not an error of the service, for example if it is an error page of a proxy. */
function parseBody(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** Parses a number of seconds or an HTTP date. */
function parseRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
