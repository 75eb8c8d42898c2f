import type { RestClient } from './rest-client.ts';

/** A parsed event of a streamed answer. */
export interface ChatStreamEvent {
  readonly type: 'meta' | 'sources' | 'delta' | 'done' | 'error';
  readonly seq: number;
  readonly messageId?: string;
  readonly conversationId?: string;
  readonly text?: string;
  readonly content?: string;
  readonly code?: string;
}

/** Reads a streamed answer event by event. */
export interface ChatStreamReader {
  /** Returns the next event, or null if the stream has ended. */
  next(): Promise<ChatStreamEvent | null>;
  /** Returns the next `count` events. Rejects if the stream ends before. */
  take(count: number): Promise<ChatStreamEvent[]>;
  /** Returns all remaining events. */
  readToEnd(): Promise<ChatStreamEvent[]>;
  disconnect(): void;
}

/** Sends `POST /chat` with these fields and reads the answer as a stream. */
export async function streamChat(client: RestClient, body: object): Promise<ChatStreamReader> {
  const abortController = new AbortController();
  const response = await client.send('/chat', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true }),
    signal: abortController.signal,
  });
  return readChatStream(response, abortController);
}

/** Resumes the stream of an answer after the event with sequence number `after`. */
export async function resumeAnswer(
  client: RestClient,
  messageId: string,
  after?: number,
): Promise<ChatStreamReader> {
  const abortController = new AbortController();
  const query = after === undefined ? '' : `?after=${after}`;
  const response = await client.send(`/chat/${messageId}/stream${query}`, {
    signal: abortController.signal,
  });
  return readChatStream(response, abortController);
}

/** Returns the joined text of the delta events. */
export function joinDeltas(events: readonly ChatStreamEvent[]): string {
  return events.map(({ text }) => text ?? '').join('');
}

export async function readChatStream(
  response: Response,
  abortController: AbortController,
): Promise<ChatStreamReader> {
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const stream = parseSseStream(response);
  const next = async () => {
    const { value, done } = await stream.next();
    return done ? null : value;
  };
  const take = async (count: number) => {
    const events: ChatStreamEvent[] = [];
    while (events.length < count) {
      const event = await next();
      if (event === null) throw new Error('The stream ended early');
      events.push(event);
    }
    return events;
  };
  const readToEnd = async () => {
    const events: ChatStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    return events;
  };
  return {
    next,
    take,
    readToEnd,
    disconnect: () => abortController.abort(),
  };
}

async function* parseSseStream(response: Response): AsyncGenerator<ChatStreamEvent, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) return;
    const frames = (text + value).split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) yield JSON.parse(frame.slice('data: '.length));
  }
}
