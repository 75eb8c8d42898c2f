import { readOperation } from './call-operation.ts';
import type { Connection } from './connection.ts';
import { ApiError, ConnectionError, TimeoutError } from './errors.ts';
import { readEventStream } from './event-stream.ts';
import type { components } from './generated/openapi-types.ts';
import type { Body } from './routes.ts';
import type { Access, CallOptions } from './send-request.ts';
import { longestSilenceMs } from './stream-recovery.ts';

type Schemas = components['schemas'];
type StreamedEvent = Schemas['StreamedEvent'];

/** An event of a streamed answer. If the service sends an `error` event, the client throws an `ApiError` instead. */
export type ChatEvent = Exclude<StreamedEvent, Schemas['ErrorEvent']>;

export interface StreamOptions extends CallOptions {
  /**
   * If no event arrives for this time, the client resumes the stream on a new connection. In milliseconds. Default:
   * 30,000, and 300,000 for an answer that cannot be resumed.
   */
  readonly idleTimeoutMs?: number;
  /**
   * Whether an earlier call with this `idempotencyKey` may still run. If so, the call waits until the earlier call has
   * finished.
   */
  readonly isRepeated?: boolean;
}

/** How a stream starts: with a message, or after an event of an earlier stream. */
export type StreamStart =
  | { readonly type: 'send'; readonly body: Omit<Body<'sendMessage'>, 'stream'> }
  | { readonly type: 'resume'; readonly messageId: string; readonly after: number };

/** What the connections have shown about an answer so far. */
export interface Progress {
  messageId: string | null;
  conversationId: string | null;
  /** `seq` of the last event that was received. */
  after: number;
  answer: Schemas['DoneEvent'] | null;
  /**
   * Whether the client sends the same request again to read the stored events, because the answer cannot be resumed.
   */
  isReplay: boolean;
  /** Whether the service may still work on an earlier attempt of this request. */
  mayBeRunning: boolean;
  readonly startedAt: number;
}

const defaultIdleTimeoutMs = 30_000;

export function isResumable(start: StreamStart): boolean {
  return start.type === 'resume' || (start.body.resumable ?? true);
}

/** Reads the events of one connection. */
export async function* readConnection(
  access: Access,
  start: StreamStart,
  options: StreamOptions,
  progress: Progress,
): AsyncGenerator<ChatEvent, void, undefined> {
  const { response, connection } = await openStream(access, start, options, progress);
  try {
    const { idleTimeoutMs = isResumable(start) ? defaultIdleTimeoutMs : longestSilenceMs } =
      options;
    for await (const value of readEventStream(response, connection, idleTimeoutMs)) {
      const event = value as StreamedEvent;
      if (event.type === 'meta') checkSameAnswer(progress, event, response);
      if (event.seq <= progress.after) continue;
      if (event.seq > progress.after + 1) throw new ConnectionError('An event is missing');
      if (event.type === 'error') throw streamError(event, response);
      progress.after = event.seq;
      if (event.type === 'meta') Object.assign(progress, idsOf(event));
      if (event.type === 'done') progress.answer = event;
      yield event;
      if (event.type === 'done') return;
    }
    throw new ConnectionError('The stream ended before the answer');
  } catch (error) {
    const cause = connection.signal.aborted ? connection.signal.reason : error;
    if (cause instanceof ApiError || cause instanceof ConnectionError) throw cause;
    throw new ConnectionError(`The stream was cut: ${String(cause)}`, { cause });
  } finally {
    connection.close();
  }
}

interface OpenStream {
  readonly response: Response;
  readonly connection: Connection;
}

/** Sends the request once. After a timeout, only a request that resumes an answer is repeated. */
async function openStream(
  access: Access,
  start: StreamStart,
  options: StreamOptions,
  { messageId, after, isReplay, mayBeRunning }: Progress,
): Promise<OpenStream> {
  const once = { ...options, maxRetries: 0 };
  const open = async (response: Response, connection: Connection) => ({ response, connection });
  if (start.type === 'send' && (messageId === null || isReplay)) {
    const body = { ...start.body, resumable: isResumable(start), stream: true };
    return readOperation(access, 'sendMessage', { body, mayBeRunning }, once, open);
  }
  const input = { ids: [messageId ?? ''], query: after < 0 ? {} : { after } };
  try {
    return await readOperation(access, 'resumeAnswer', input, once, open);
  } catch (cause) {
    if (!(cause instanceof TimeoutError)) throw cause;
    throw new ConnectionError(cause.message, { cause });
  }
}

/** Throws if the connection sends another answer, because its text must not continue the text of this answer. */
function checkSameAnswer(
  { messageId }: Progress,
  meta: Schemas['MetaEvent'],
  { headers }: Response,
): void {
  if (messageId === null || meta.messageId === messageId) return;
  const fields = { status: null, code: 'NOT_FOUND', details: ['The answer no longer exists'] };
  throw new ApiError({ ...fields, requestId: headers.get('x-request-id') });
}

function idsOf({ messageId, conversationId }: Schemas['MetaEvent']): Partial<Progress> {
  return { messageId, conversationId };
}

function streamError(
  { message, code, retryable }: Schemas['ErrorEvent'],
  { headers }: Response,
): ApiError {
  const requestId = headers.get('x-request-id');
  const details = [message];
  return new ApiError({ status: null, code, details, requestId, isRetryable: retryable });
}
