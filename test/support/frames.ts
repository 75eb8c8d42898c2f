import type { RestClient } from './rest-client.ts';

/** An event of a streamed answer as it came over the wire. */
export interface Frame {
  readonly type: 'meta' | 'sources' | 'delta' | 'done' | 'error';
  readonly seq: number;
  readonly messageId?: string;
  readonly conversationId?: string;
  readonly text?: string;
  readonly content?: string;
  readonly code?: string;
}

/** A stream that is read event by event. */
export interface FrameReader {
  /** Null at the end. */
  next(): Promise<Frame | null>;
  /** So many more. */
  take(count: number): Promise<Frame[]>;
  /** The rest, to the end. */
  rest(): Promise<Frame[]>;
  /** Closes the connection. */
  leave(): void;
}

/** Asks with these fields, and reads the stream. */
export async function askStream(client: RestClient, body: object): Promise<FrameReader> {
  const leaving = new AbortController();
  const response = await client.send('/chat', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true }),
    signal: leaving.signal,
  });
  return readFrames(response, leaving);
}

/** Resumes the stream of an answer behind `after`. */
export async function resumeAnswer(
  client: RestClient,
  messageId: string,
  after?: number,
): Promise<FrameReader> {
  const leaving = new AbortController();
  const query = after === undefined ? '' : `?after=${after}`;
  const response = await client.send(`/chat/${messageId}/stream${query}`, {
    signal: leaving.signal,
  });
  return readFrames(response, leaving);
}

/** The text of the deltas. */
export function joined(frames: readonly Frame[]): string {
  return frames.map(({ text }) => text ?? '').join('');
}

export async function readFrames(
  response: Response,
  leaving: AbortController,
): Promise<FrameReader> {
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const frames = framesOf(response);
  const next = async () => {
    const { value, done } = await frames.next();
    return done ? null : value;
  };
  const take = async (count: number) => {
    const taken: Frame[] = [];
    while (taken.length < count) {
      const frame = await next();
      if (frame === null) throw new Error('The stream ended early');
      taken.push(frame);
    }
    return taken;
  };
  const rest = async () => {
    const taken: Frame[] = [];
    for await (const frame of frames) taken.push(frame);
    return taken;
  };
  return {
    next,
    take,
    rest,
    leave: () => leaving.abort(),
  };
}

async function* framesOf(response: Response): AsyncGenerator<Frame, undefined> {
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
