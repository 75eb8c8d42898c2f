import { endedFor } from '../domain/context.ts';
import type { Call } from './call.ts';
import { asDomainError } from './errors.ts';
import { endForReader, writeToReader } from './write-to-reader.ts';

/** What a stream needs to know of the call that it answers. */
type StreamCall = Pick<Call, 'response' | 'context' | 'stallTimeoutMs' | 'record'>;

/** One event of a stream before it is numbered. */
export interface Frame {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Answers with server-sent events: one `data:` line and a blank line per event, nothing else, numbered
 * by `seq` from 0. The first event is awaited before the status is sent, so that what fails until then
 * is thrown and becomes a plain HTTP error; what fails later becomes an `error` frame.
 * Stops when the client leaves, or leaves the stream unread for `call.stallTimeoutMs`. When the service ends
 * the work, the events go on to the last one, which says so.
 *
 * A stream that is `resumed` behind an event goes on with its numbers. It is known to exist, so that the status is
 * sent at once. What fails here is no event of it: the client is cut off, and can resume it once more.
 */
export async function sendEvents<Event>(
  call: StreamCall,
  events: AsyncIterator<Event>,
  frameOf: (event: Event) => Frame,
  resumed?: { readonly after: number },
): Promise<void> {
  const { response, context, stallTimeoutMs } = call;
  const reader = { response, stallTimeoutMs, log: context.log };
  let seq = resumed === undefined ? 0 : resumed.after + 1;
  const send = async (frame: Frame) => {
    const text = `data: ${oneLine({ ...frame, seq: seq++ })}\n\n`;
    await call.record?.frame(frame.type, text);
    await writeToReader(reader, text);
  };
  try {
    if (resumed !== undefined) response.writeHead(200, streamHeaders).flushHeaders();
    let event = await nextEvent(events, context.signal);
    if (event === null) return;
    if (!response.headersSent) response.writeHead(200, streamHeaders);
    while (!event.done && isWanted(call)) {
      await send(frameOf(event.value));
      event = await nextEvent(events, context.signal);
      if (event === null) return;
    }
  } catch (error) {
    if (!response.headersSent) throw error;
    if (hasLeft(context.signal)) return;
    const frame = errorFrame(call, error);
    if (resumed === undefined) await send(frame);
  } finally {
    stop(call, events);
    if (response.headersSent) await endForReader(reader);
  }
}

export const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** Once the client has left, frames are only made to be kept. */
function isWanted({ response, record }: StreamCall): boolean {
  return record !== null || !response.destroyed;
}

function hasLeft(signal: AbortSignal): boolean {
  return signal.aborted && endedFor(signal) === null;
}

/**
 * The next event, or null once the client has left. Not a race against one lasting promise: that would
 * hold on to every event of the stream.
 */
function nextEvent<Event>(
  events: AsyncIterator<Event>,
  signal: AbortSignal,
): Promise<IteratorResult<Event> | null> {
  if (hasLeft(signal)) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const leave = () => {
      if (hasLeft(signal)) resolve(null);
    };
    signal.addEventListener('abort', leave);
    events
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', leave));
  });
}

/** JSON may hold these unescaped, and clients that split text by Unicode's rules take them for line ends. */
function oneLine(frame: object): string {
  return JSON.stringify(frame).replace(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function errorFrame(call: StreamCall, error: unknown): Frame {
  const shown = asDomainError(error);
  if (shown.code === 'INTERNAL') call.context.log.error({ err: error }, 'stream failed');
  const { message, code, retryable } = shown;
  return { type: 'error', message, code, retryable };
}

/** The generator may be in the middle of something that heeds the signal late; nobody waits for it. */
function stop(call: StreamCall, events: AsyncIterator<unknown>): void {
  Promise.resolve(events.return?.()).catch((error: unknown) => {
    if (call.context.signal.aborted) return;
    call.context.log.error({ err: error }, 'stream failed');
  });
}
