import { containsText } from './access.ts';
import { type Connection, openConnection } from './connection.ts';
import {
  ApiError,
  ConnectionError,
  GroundedChatError,
  readApiError,
  TimeoutError,
} from './errors.ts';
import { delay, mayStillRun, retryDelayMs } from './retries.ts';

/** Address of the service, and the settings for calls. */
export interface Access {
  /** Address of the API. Ends with `/api/v1`. */
  readonly apiUrl: string;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly projectId: string | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
}

/** Options of each call. */
export interface CallOptions {
  /** Cancels the call. The call rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of one attempt in milliseconds. For a stream, the limit ends with the first event. */
  readonly timeoutMs?: number;
  /** Number of retries after a temporary failure. */
  readonly maxRetries?: number;
  /**
   * The service does the work only once for all calls with the same key, even from different processes. The client
   * generates a key by default.
   */
  readonly idempotencyKey?: string;
  /** The project to act on, instead of the client's project. Only an org-wide key needs it. */
  readonly projectId?: string;
}

export interface SentRequest {
  readonly method: string;
  /** Path and query that follow `/api/v1`. */
  readonly path: string;
  readonly body: string | FormData | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly isRepeatable: boolean;
  /** Whether the service may still be working on an earlier attempt. */
  readonly mayBeRunning?: boolean;
}

/**
 * Sends a request until it succeeds or must not be repeated. `read` reads a successful response. For a stream, `read`
 * may keep the connection open, and must close it later.
 * @throws ApiError if the service refuses the request
 * @throws ConnectionError if the client could not reach the service, or the response was cut
 * @throws TimeoutError if an attempt takes longer than `timeoutMs`
 */
export async function sendRequest<Value>(
  access: Access,
  request: SentRequest,
  options: CallOptions,
  read: (response: Response, connection: Connection) => Promise<Value>,
): Promise<Value> {
  const { signal, maxRetries = access.maxRetries } = options;
  const startedAt = Date.now();
  let failures = 0;
  let mayBeRunning = request.mayBeRunning ?? false;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attemptRequest(access, request, options, read);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const { isRepeatable } = request;
      // If the service still works on an earlier attempt, the retry does not count as a failure.
      const isWaiting = mayBeRunning && isInUse(error);
      if (!isWaiting) failures += 1;
      const attempt = { error, failures, isRepeatable, isWaiting, maxRetries, startedAt };
      const delayMs = retryDelayMs(attempt);
      if (delayMs === null) throw error;
      mayBeRunning ||= mayStillRun(error);
      await delay(delayMs, signal);
    }
  }
}

function isInUse(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_IN_USE';
}

async function attemptRequest<Value>(
  access: Access,
  { method, path, body, headers }: SentRequest,
  { signal, timeoutMs = access.timeoutMs }: CallOptions,
  read: (response: Response, connection: Connection) => Promise<Value>,
): Promise<Value> {
  const connection = openConnection(signal);
  connection.setDeadline(
    timeoutMs,
    () => new TimeoutError(`${method} ${path} took longer than ${timeoutMs} ms`),
  );
  try {
    const init = { method, headers: allHeaders(access, headers, body), signal: connection.signal };
    const response = await access.fetch(`${access.apiUrl}${path}`, { ...init, body: body ?? null });
    if (!response.ok) throw await readApiError(response);
    return await read(response, connection);
  } catch (error) {
    const shown = connection.signal.aborted ? connection.signal.reason : error;
    connection.close();
    if (shown instanceof GroundedChatError || signal?.aborted) throw shown;
    throw connectionError(`${method} ${path} failed`, shown, access.apiKey);
  }
}

/** The cause is left out if it contains the key, because programs log causes. */
function connectionError(what: string, cause: unknown, apiKey: string | undefined): Error {
  if (apiKey && containsText(cause, apiKey)) return new ConnectionError(what);
  return new ConnectionError(`${what}: ${String(cause)}`, { cause });
}

function allHeaders(
  { apiKey, headers }: Access,
  own: Readonly<Record<string, string>>,
  body: string | FormData | undefined,
): Record<string, string> {
  return {
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...headers,
    ...own,
  };
}
