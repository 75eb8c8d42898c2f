/** A GraphQL subscription over server-sent events. */
export interface Subscription<T> {
  /** Returns the next result, or null if the server has completed the stream. */
  next(): Promise<SubscriptionResult<T> | null>;
  /** Returns the data of the next `count` results. Rejects if one of them is an error. */
  take(count: number): Promise<T[]>;
  disconnect(): void;
}

export interface SubscriptionResult<T> {
  readonly data?: T | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

/** Opens a subscription. Resolves when the server has accepted it. */
export async function subscribe<T>(
  endpoint: string,
  token: string,
  query: string,
  variables: object = {},
): Promise<Subscription<T>> {
  const abortController = new AbortController();
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      Accept: 'text/event-stream',
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ query, variables }),
    signal: abortController.signal,
  });
  const results = readResults<T>(response);
  const next = async () => (await results.next()).value ?? null;
  return {
    next,
    async take(count) {
      const data: T[] = [];
      while (data.length < count) {
        const result = await next();
        if (result?.data == null) throw new Error(`expected data, got ${JSON.stringify(result)}`);
        data.push(result.data);
      }
      return data;
    },
    disconnect: () => abortController.abort(),
  };
}

async function* readResults<T>(
  response: Response,
): AsyncGenerator<SubscriptionResult<T>, undefined, undefined> {
  if (response.body === null) throw new Error('no body');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += read.value;
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      if (frame.startsWith('event: complete')) return undefined;
      const json = /^event: next\ndata: (.*)$/s.exec(frame)?.[1];
      if (json !== undefined) yield JSON.parse(json);
    }
  }
  throw new Error('the connection broke off');
}
