import { once } from 'node:events';
import type { Call } from './call.ts';
import { asDomainError } from './errors.ts';
import { requestIdOf } from './prepare-response.ts';

/** One event of a stream before it is numbered. */
export interface Frame {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Answers with server-sent events: one `data:` line and a blank line per event, nothing else, numbered
 * by `seq` from 0. The first event is awaited before the status is sent, so that what fails until then
 * is thrown and becomes a plain HTTP error; what fails later becomes an `error` frame.
 * Stops when the client leaves, or leaves the stream unread for `call.stallTimeoutMs`.
 */
export async function sendEvents<Event>(
  call: Call,
  events: AsyncIterator<Event>,
  frameOf: (event: Event) => Frame,
): Promise<void> {
  const { response, context } = call;
  const gone = aborted(context.signal);
  let seq = 0;
  const send = (frame: Frame) => write(call, { ...frame, seq: seq++ });
  try {
    let event = await Promise.race([events.next(), gone]);
    if (event === 'gone') return;
    response.writeHead(200, streamHeaders);
    while (!event.done) {
      await send(frameOf(event.value));
      event = await Promise.race([events.next(), gone]);
      if (event === 'gone') return;
    }
  } catch (error) {
    if (!response.headersSent) throw error;
    if (context.signal.aborted) return;
    await send(errorFrame(call, error));
  } finally {
    stop(call, events);
    if (response.headersSent) await end(call);
  }
}

const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

function aborted(signal: AbortSignal): Promise<'gone'> {
  if (signal.aborted) return Promise.resolve('gone');
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('gone'), { once: true });
  });
}

/** Resolves when the client has room for more. Ends the connection of one that does not read. */
async function write(call: Call, frame: object): Promise<void> {
  const { response } = call;
  if (response.destroyed) return;
  if (response.write(`data: ${JSON.stringify(frame)}\n\n`)) return;
  await settled(call, 'drain');
}

async function end(call: Call): Promise<void> {
  const { response } = call;
  if (response.destroyed) return;
  response.end();
  if (!response.writableFinished) await settled(call, 'finish');
}

/** Waits for an event of the response, for as long as the client is there and takes what it asked for. */
async function settled(call: Call, event: 'drain' | 'finish'): Promise<void> {
  const { response, context, stallTimeoutMs } = call;
  const stalled = AbortSignal.timeout(stallTimeoutMs);
  try {
    await once(response, event, { signal: AbortSignal.any([context.signal, stalled]) });
  } catch (error) {
    if (stalled.aborted) {
      context.log.warn({ requestId: requestIdOf(response) }, 'client does not read its stream');
    }
    response.destroy();
    if (!stalled.aborted && !context.signal.aborted) throw error;
  }
}

function errorFrame(call: Call, error: unknown): Frame {
  const shown = asDomainError(error);
  if (shown.code === 'INTERNAL') {
    const requestId = requestIdOf(call.response);
    call.context.log.error({ err: error, requestId }, 'stream failed');
  }
  const { message, code, retryable } = shown;
  return { type: 'error', message, code, retryable };
}

/** The generator may be in the middle of something that heeds the signal late; nobody waits for it. */
function stop(call: Call, events: AsyncIterator<unknown>): void {
  Promise.resolve(events.return?.()).catch((error: unknown) => {
    if (call.context.signal.aborted) return;
    call.context.log.error({ err: error, requestId: requestIdOf(call.response) }, 'stream failed');
  });
}
