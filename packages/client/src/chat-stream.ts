import {
  type ChatEvent,
  isResumable,
  type Progress,
  readConnection,
  type StreamOptions,
  type StreamStart,
} from './answer-connection.ts';
import { callOperation, newKey } from './call-operation.ts';
import { ApiError, ConnectionError, StreamInterruptedError } from './errors.ts';
import type { components } from './generated/openapi-types.ts';
import { delay, mayStillRun } from './retries.ts';
import type { Result } from './routes.ts';
import type { Access, CallOptions } from './send-request.ts';
import { createStreamRecovery } from './stream-recovery.ts';

type Schemas = components['schemas'];

/** A streamed answer. Iterate over its events once, or await `result()`. */
export interface ChatStream extends AsyncIterable<ChatEvent> {
  /** Id of the answer, or null before the first event. */
  readonly messageId: string | null;
  /** Id of the conversation, or null before the first event. */
  readonly conversationId: string | null;
  /** Reads the stream until it ends and returns the complete answer. */
  result(): Promise<Schemas['ChatResponse']>;
  /** Stops the answer. The service stores the partial text, and the stream ends with the event `done`. */
  stop(options?: CallOptions): Promise<Result<'stopAnswer'>>;
}

/** How long the service lets a client resume a resumable answer, in milliseconds. */
const resumableMs = 600_000;

export function streamAnswer(
  access: Access,
  start: StreamStart,
  options: StreamOptions,
): ChatStream {
  const progress: Progress = {
    messageId: start.type === 'resume' ? start.messageId : null,
    conversationId: start.type === 'send' ? (start.body.conversationId ?? null) : null,
    after: start.type === 'resume' ? start.after : -1,
    answer: null,
    isReplay: false,
    mayBeRunning: options.isRepeated ?? false,
    startedAt: Date.now(),
  };
  const idempotencyKey = options.idempotencyKey ?? newKey();
  const events = readAnswer(access, start, { ...options, idempotencyKey }, progress);
  return {
    [Symbol.asyncIterator]: () => events,
    get messageId() {
      return progress.messageId;
    },
    get conversationId() {
      return progress.conversationId;
    },
    async result() {
      while (!(await events.next()).done);
      if (progress.answer === null) throw new ConnectionError('The stream was not read to its end');
      const { type: _, seq: __, ...answer } = progress.answer;
      return answer;
    },
    stop: (stopOptions) => stopAnswer(access, progress, { ...options, ...stopOptions }),
  };
}

/**
 * Yields every event once and in order. If the connection is cut, the stream continues on a new connection after the
 * last event. If the caller leaves the stream early, the answer is stopped, unless the caller set `resumable`.
 */
async function* readAnswer(
  access: Access,
  start: StreamStart,
  options: StreamOptions,
  progress: Progress,
): AsyncGenerator<ChatEvent, void, undefined> {
  const { maxRetries = access.maxRetries, signal } = options;
  const stopsWhenLeft = start.type === 'send' && start.body.resumable === undefined;
  const recover = createStreamRecovery(isResumable(start), maxRetries);
  let hasFailed = false;
  try {
    for (;;) {
      const before = progress.after;
      const startedAt = Date.now();
      try {
        yield* readConnection(access, start, options, progress);
        return;
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (becomesReplay(start, progress, error)) continue;
        progress.mayBeRunning ||= mayStillRun(error);
        const hadEvents = progress.after > before;
        const delayMs = recover({ error, hadEvents, durationMs: Date.now() - startedAt });
        hasFailed = delayMs === null;
        if (delayMs === null) throw isResumable(start) ? interruption(error, progress) : error;
        await delay(delayMs, signal);
      }
    }
  } finally {
    const isOpen = !hasFailed && progress.answer === null && progress.messageId !== null;
    if (isOpen && stopsWhenLeft) {
      stopAnswer(access, progress, { ...options, signal: undefined }).catch(() => {});
    }
  }
}

/**
 * Returns whether the client must send the same request again. While a person has the conversation, the reply of the
 * service cannot be resumed. But the service stores the reply under the key of the request, so the same request returns
 * the same events.
 */
function becomesReplay(start: StreamStart, progress: Progress, error: unknown): boolean {
  if (start.type !== 'send' || progress.messageId === null || progress.isReplay) return false;
  if (!(error instanceof ApiError) || error.status !== 404) return false;
  // After this time, the answer may have been a resumable one that has expired. Its key may then be free again, and the
  // same request would ask the question again.
  if (Date.now() - progress.startedAt > resumableMs) return false;
  progress.isReplay = true;
  progress.mayBeRunning = true;
  return true;
}

/**
 * If the error is temporary, returns an error with the values that are needed to resume the answer. Otherwise returns
 * the error.
 */
function interruption(error: unknown, { messageId, after }: Progress): unknown {
  const isRefused = error instanceof ApiError && error.status !== null && error.isRetryable;
  if (messageId === null || !(isRefused || error instanceof ConnectionError)) return error;
  return new StreamInterruptedError(messageId, after, error);
}

async function stopAnswer(
  access: Access,
  { messageId }: Progress,
  { projectId }: CallOptions,
): Promise<Result<'stopAnswer'>> {
  if (messageId === null) throw new TypeError('The answer has no id before its first event');
  return callOperation(access, 'stopAnswer', { ids: [messageId] }, projectId ? { projectId } : {});
}
