/** All error codes of the public API: `code` in REST, `extensions.code` in GraphQL. */
export const errorCodes = [
  'UNAUTHENTICATED',
  'SCOPE_MISSING',
  'FORBIDDEN',
  'PROJECT_REQUIRED',
  'PROJECT_NOT_ALLOWED',
  'PROJECT_FORBIDDEN',
  'VALIDATION_FAILED',
  'MALFORMED_REQUEST',
  'NOT_FOUND',
  'CONFLICT',
  'CURSOR_EXPIRED',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_KEY_REUSED',
  'UNSUPPORTED_FILE',
  'PAYLOAD_TOO_LARGE',
  'QUERY_TOO_COMPLEX',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'QUOTA_EXCEEDED',
  'RATE_LIMITED',
  'MODEL_ERROR',
  'UNAVAILABLE',
  'INTERNAL',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/**
 * An error to which the caller can react. Its messages are safe to show and to log. REST maps `code` to an HTTP status;
 * GraphQL returns `code` in `extensions.code`. If there are several messages, each one describes one invalid field.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly messages: readonly string[];
  /** Whether the same call may succeed if retried later. */
  readonly retryable: boolean;
  /** Whole seconds to wait before the next attempt, or null if unknown. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: ErrorCode,
    message: string | readonly string[],
    options: { cause?: unknown; retryable?: boolean; retryAfterSeconds?: number } = {},
  ) {
    const messages = typeof message === 'string' ? [message] : message;
    super(messages.join('; '), { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.messages = messages;
    this.retryable = options.retryable ?? false;
    const defaultSeconds = code === 'UNAVAILABLE' ? unavailableRetryAfterSeconds : null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? defaultSeconds;
  }
}

/** Default delay in seconds before a retry of an UNAVAILABLE call. A restart takes a few seconds. */
const unavailableRetryAfterSeconds = 2;

/**
 * Returns NOT_FOUND. Use it both for a resource that does not exist and for a resource that the caller may not access,
 * so that callers cannot distinguish the two cases.
 */
export function notFound(resourceName: string): DomainError {
  return new DomainError('NOT_FOUND', `${resourceName} not found`);
}

/** Returns the error with which running requests are aborted when the service stops. */
export function serviceStoppingError(): DomainError {
  return new DomainError('UNAVAILABLE', 'The service is stopping. Try again in a moment', {
    retryable: true,
  });
}

/** Returns the error for a call that cannot store its data because the disk is full. The message contains no path. */
export function diskFullError(cause?: unknown): DomainError {
  return new DomainError(
    'UNAVAILABLE',
    'The disk of the service is full, so nothing can be stored. Reading still works. Try again later',
    { cause, retryable: true, retryAfterSeconds: diskFullRetryAfterSeconds },
  );
}

/** Seconds to wait before a retry. Long, because a person must free disk space first. */
const diskFullRetryAfterSeconds = 30;

/** Whether a full disk caused the error. */
export function isDiskFull(error: unknown): boolean {
  return listCauses(error).some(
    (cause) =>
      diskFullCodes.has(String(readProperty(cause, 'code'))) ||
      diskFullCodes.has(String(readProperty(cause, 'originalCode'))) ||
      (cause instanceof DomainError && cause.message === diskFullError().message),
  );
}

/** Error codes of Node for a full disk, and the SQLSTATE disk_full of Postgres. */
const diskFullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', '53100']);

/**
 * Returns UNAVAILABLE for a transient error of the database, network or disk: connect timeout, lost connection, full
 * disk or deadlock. Returns null for any other error.
 */
export function toUnavailable(error: unknown): DomainError | null {
  if (isDiskFull(error)) return diskFullError(error);
  if (!listCauses(error).some(isTransient)) return null;
  const message = 'The service cannot answer at the moment. Try again later';
  return new DomainError('UNAVAILABLE', message, { cause: error, retryable: true });
}

/** Whether the error says that a unique value is already taken. */
export function isUniqueViolation(error: unknown): boolean {
  return findSqlError(error, '23505') !== undefined;
}

/**
 * Returns QUOTA_EXCEEDED if `change_storage` in the database has refused more bytes, with the message of the database.
 * Returns null for any other error.
 */
export function toStorageExceeded(error: unknown): DomainError | null {
  const cause = findSqlError(error, 'GC001');
  if (cause === undefined) return null;
  const message = readProperty(cause, 'originalMessage') ?? readProperty(cause, 'message');
  return new DomainError('QUOTA_EXCEEDED', String(message), { cause: error });
}

function findSqlError(error: unknown, sqlState: string): object | undefined {
  return listCauses(error).find(
    (cause) =>
      readProperty(cause, 'code') === sqlState || readProperty(cause, 'originalCode') === sqlState,
  );
}

/**
 * Returns the error to send to the caller for an unexpected error. It is QUOTA_EXCEEDED if the storage is used up,
 * UNAVAILABLE if the error is transient, and INTERNAL without details otherwise.
 */
export function toServerError(error: unknown): DomainError {
  const message = 'Something went wrong on our side';
  return (
    toStorageExceeded(error) ??
    toUnavailable(error) ??
    new DomainError('INTERNAL', message, { cause: error, retryable: true })
  );
}

/**
 * Returns the error and its nested causes. Prisma stores the adapter's error in `meta.driverAdapterError`, and the
 * adapter stores the driver's error in `cause` as a plain object.
 */
function listCauses(error: unknown): object[] {
  const causes: object[] = [];
  let next = error;
  while (typeof next === 'object' && next !== null && causes.length < maxCauseDepth) {
    causes.push(next);
    next =
      readProperty(readProperty(next, 'meta'), 'driverAdapterError') ?? readProperty(next, 'cause');
  }
  return causes;
}

const maxCauseDepth = 5;

function isTransient(cause: object): boolean {
  const code = String(readProperty(cause, 'code') ?? readProperty(cause, 'kind'));
  const message = String(readProperty(cause, 'message'));
  return (
    transientCodes.has(code) ||
    transientSqlStates.test(code) ||
    // FATAL means that the server refused or closed the session. Poolers then use their own SQLSTATEs.
    readProperty(cause, 'severity') === 'FATAL' ||
    transientMessagePrefixes.some((start) => message.startsWith(start))
  );
}

const transientCodes: ReadonlySet<string> = new Set([
  // Node.js errors of the network, the disk and open files
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'],
  // Prisma errors of the database adapter, and P2028 for a transaction that did not start or finish in time
  ...['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'],
  ...['TransactionWriteConflict', 'P2028'],
]);

/**
 * SQLSTATEs of transient errors: connection lost, insufficient resources, shutdown, cancelled, serialization failure,
 * deadlock.
 */
const transientSqlStates = /^(?:08|53)\w{3}$|^57(?:014|P\d\d)$|^40(?:001|P01)$/;

/** Messages of pg and pg-pool for transient errors without a code start with these texts. */
const transientMessagePrefixes = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
];

function readProperty(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;
}

/** Returns the error to send to the caller if the service aborted the work. Returns null if the caller aborted it. */
export function serviceAbortReason({ reason }: AbortSignal): DomainError | null {
  return reason instanceof DomainError ? reason : null;
}

/** Returns the error if the signal was aborted because the caller has lost access. Returns null otherwise. */
export function lostAccessReason(signal: AbortSignal): DomainError | null {
  const reason = serviceAbortReason(signal);
  return reason !== null && isAccessError(reason) ? reason : null;
}

/** Returns true if the error means that the caller has no access. */
export function isAccessError(error: unknown): error is DomainError {
  return (
    error instanceof DomainError && (error.code === 'UNAUTHENTICATED' || error.code === 'FORBIDDEN')
  );
}
