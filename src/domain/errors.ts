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
  | 'CURSOR_EXPIRED'
  | 'IDEMPOTENCY_KEY_IN_USE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'UNSUPPORTED_FILE'
  | 'PAYLOAD_TOO_LARGE'
  | 'REQUEST_TIMEOUT'
  | 'HEADERS_TOO_LARGE'
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
  /** After how many whole seconds to try again, where that can be said. */
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
    const usualSeconds = code === 'UNAVAILABLE' ? unavailableSeconds : null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? usualSeconds;
  }
}

/** How soon it makes sense to ask a service again that cannot answer: restarts take seconds. */
const unavailableSeconds = 2;

/** The error for a resource that does not exist or is not the caller's: never says which. */
export function notFound(what: string): DomainError {
  return new DomainError('NOT_FOUND', `${what} not found`);
}

/** Why work is ended when the service stops. */
export function serviceStops(): DomainError {
  return new DomainError('UNAVAILABLE', 'The service is stopping. Try again in a moment', {
    retryable: true,
  });
}

/**
 * The condition behind an error of the database or the disk that is no fault of the request and may pass:
 * no connection in time, a connection lost, no room left, a dead-lock. Null for any other error.
 */
export function asUnavailable(error: unknown): DomainError | null {
  if (!causesOf(error).some(isPassing)) return null;
  const message = 'The service cannot answer at the moment. Try again later';
  return new DomainError('UNAVAILABLE', message, { cause: error, retryable: true });
}

/** What a caller is told of an error that is no condition: that it may pass, or nothing but that it happened. */
export function asUnexpected(error: unknown): DomainError {
  const message = 'Something went wrong on our side';
  return (
    asUnavailable(error) ?? new DomainError('INTERNAL', message, { cause: error, retryable: true })
  );
}

/**
 * The error and what lies beneath it: Prisma keeps in `meta` what its adapter threw, and that keeps in `cause`,
 * as a plain object, what the driver met.
 */
function causesOf(error: unknown): object[] {
  const causes: object[] = [];
  let next = error;
  while (typeof next === 'object' && next !== null && causes.length < maxCauses) {
    causes.push(next);
    next = read(read(next, 'meta'), 'driverAdapterError') ?? read(next, 'cause');
  }
  return causes;
}

const maxCauses = 5;

function isPassing(cause: object): boolean {
  const code = String(read(cause, 'code') ?? read(cause, 'kind'));
  const message = String(read(cause, 'message'));
  return (
    passingCodes.has(code) ||
    passingSqlStates.test(code) ||
    // The session has been refused or ended. Poolers have codes of their own for why.
    read(cause, 'severity') === 'FATAL' ||
    passingMessages.some((start) => message.startsWith(start))
  );
}

const passingCodes: ReadonlySet<string> = new Set([
  // Node: the network, the disk, open files
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'],
  // Prisma's adapter, and a transaction of Prisma that did not begin or end in time
  ...['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'],
  ...['TransactionWriteConflict', 'P2028'],
]);

/** Postgres: connection lost, out of resources, shut down, cancelled, in conflict with another transaction. */
const passingSqlStates = /^(?:08|53)\w{3}$|^57(?:014|P\d\d)$|^40(?:001|P01)$/;

/** Errors of pg and its pool, which have no code. */
const passingMessages = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
];

function read(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;
}
