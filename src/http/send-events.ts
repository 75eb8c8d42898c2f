import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Context } from '../domain/context.ts';
import { isAccessError, serviceAbortReason } from '../platform/errors.ts';
import { toDomainError } from './errors.ts';
import { startKeepAlive } from './keep-alive.ts';

/** The response to which a stream is written, and settings for its client. */
export interface StreamCall {
  readonly response: ServerResponse;
  readonly context: Pick<Context, 'signal' | 'log'>;
  /** If a client reads nothing for this time, it is disconnected. */
  readonly stallTimeoutMs: number;
  /** Receives each event and its serialized frame (`data: …`) before it is sent. */
  readonly recorder: { recordEvent(type: string, text: string): Promise<void> } | null;
}

/** One event of a stream, without its sequence number. */
export interface SseEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Sends server-sent events. Each event consists of only one `data:` line and a blank line. `seq` numbers the events
 * from 0. The status is sent with the first event. An error before the first event is thrown and becomes a normal HTTP
 * error. A later error becomes an `error` event. The stream stops when the client disconnects, or reads nothing for
 * `stallTimeoutMs`. When the service stops, the stream continues until the last event, which reports the error.
 *
 * While the model is silent, the stream has empty deltas with the number of the last event: a comment would be a frame
 * without `data:`. They are not stored.
 *
 * A stream that is resumed continues the numbers. The status is sent immediately, because the stream is known to exist.
 * An error while resuming is not part of the stored stream. So the client is disconnected without an event and can
 * resume again. Only a client that lost access receives an error event.
 */
export async function sendEvents<Event>(
  call: StreamCall,
  events: AsyncIterator<Event>,
  toSseEvent: (event: Event) => SseEvent,
  resume?: { readonly after: number },
): Promise<void> {
  const { response, context, stallTimeoutMs } = call;
  const client = { response, stallTimeoutMs, log: context.log };
  const reader = createEventReader(events, context.signal);
  let seq = resume === undefined ? 0 : resume.after + 1;
  // Its texts may follow: the sources have been sent.
  let isAnswering = seq > 1;
  const silence = { type: 'delta', text: '' };
  using _keepAlive = startKeepAlive(response, () =>
    isAnswering ? toFrame({ ...silence, seq: seq - 1 }) : null,
  );
  const send = async (frame: SseEvent) => {
    const text = toFrame({ ...frame, seq: seq++ });
    isAnswering = frame.type === 'sources' || frame.type === 'delta';
    await call.recorder?.recordEvent(frame.type, text);
    await writeWithBackpressure(client, text);
  };
  try {
    if (resume !== undefined) response.writeHead(200, streamHeaders).flushHeaders();
    if (response.req.method === 'HEAD') return;
    let event = await reader.next();
    if (event === null) return;
    if (!response.headersSent) response.writeHead(200, streamHeaders);
    while (!event.done && shouldSend(call)) {
      await send(toSseEvent(event.value));
      event = await reader.next();
      if (event === null) return;
    }
  } catch (error) {
    if (!response.headersSent) throw error;
    if (isDisconnected(context.signal)) return;
    const frame = errorEvent(call, error);
    if (resume === undefined || isAccessError(error)) await send(frame);
  } finally {
    reader.close();
    closeIterator(call, events);
    if (response.headersSent) await endWithBackpressure(client);
  }
}

export const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** Returns false if the client has disconnected and no recorder needs the events. */
function shouldSend({ response, recorder }: StreamCall): boolean {
  return recorder !== null || !response.destroyed;
}

function isDisconnected(signal: AbortSignal): boolean {
  return signal.aborted && serviceAbortReason(signal) === null;
}

interface EventReader<Event> {
  /** Returns the next event, or null if the client has disconnected. */
  next(): Promise<IteratorResult<Event> | null>;
  close(): void;
}

/**
 * Creates a reader with one listener for all events of the stream. If each event raced against one long-lived promise,
 * that promise would keep every event in memory.
 */
function createEventReader<Event>(
  events: AsyncIterator<Event>,
  signal: AbortSignal,
): EventReader<Event> {
  let onDisconnect = () => {};
  const onAbort = () => {
    if (isDisconnected(signal)) onDisconnect();
  };
  signal.addEventListener('abort', onAbort);
  return {
    next() {
      if (isDisconnected(signal)) return Promise.resolve(null);
      return new Promise((resolve, reject) => {
        onDisconnect = () => resolve(null);
        events.next().then(resolve, reject);
      });
    },
    close: () => signal.removeEventListener('abort', onAbort),
  };
}

function toFrame(event: SseEvent): string {
  return `data: ${toSingleLineJson(event)}\n\n`;
}

/**
 * Escapes Unicode line breaks, which JSON allows in strings. Some clients split lines by Unicode's rules and would
 * split the frame at them.
 */
function toSingleLineJson(frame: object): string {
  return JSON.stringify(frame).replace(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function errorEvent(call: StreamCall, error: unknown): SseEvent {
  const shown = toDomainError(error);
  if (shown.code === 'INTERNAL') call.context.log.error({ err: error }, 'stream failed');
  const { message, code, retryable } = shown;
  return { type: 'error', message, code, retryable };
}

/** Closes the iterator without waiting for it, because its generator may react late to the signal. */
function closeIterator(call: StreamCall, events: AsyncIterator<unknown>): void {
  Promise.resolve(events.return?.()).catch((error: unknown) => {
    if (call.context.signal.aborted) return;
    call.context.log.error({ err: error }, 'stream failed');
  });
}

/** The client of a stream. It is disconnected if it reads nothing for `stallTimeoutMs`. */
export interface StreamClient {
  readonly response: ServerResponse;
  readonly stallTimeoutMs: number;
  readonly log: Logger;
}

/** Writes to the stream. Resolves when there is room for more, or when the client has disconnected. */
export async function writeWithBackpressure(client: StreamClient, text: string): Promise<void> {
  const { response } = client;
  if (response.destroyed) return;
  if (response.write(text)) return;
  await waitForDrain(client, 'drain');
}

/** Ends the stream. Resolves when the client has read the whole stream, or has disconnected. */
export async function endWithBackpressure(client: StreamClient): Promise<void> {
  const { response } = client;
  if (response.destroyed) return;
  response.end();
  if (!response.writableFinished) await waitForDrain(client, 'finish');
}

/**
 * Resolves after `event`, or when the client has disconnected. If the client reads nothing for too long, disconnects
 * it.
 */
function waitForDrain(
  { response, stallTimeoutMs, log }: StreamClient,
  event: 'drain' | 'finish',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      response.off(event, onEvent).off('close', onEvent).off('error', onError);
    };
    const onEvent = () => {
      stop();
      resolve();
    };
    const onError = (error: Error) => {
      stop();
      response.destroy();
      reject(error);
    };
    const timer = setTimeout(() => {
      log.warn('client does not read its stream');
      response.destroy();
      onEvent();
    }, stallTimeoutMs).unref();
    response.on(event, onEvent).on('close', onEvent).on('error', onError);
  });
}
