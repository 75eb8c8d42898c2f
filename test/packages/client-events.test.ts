import { expect, test, vi } from 'vitest';
import { type ChatEvent, createClient } from '../../packages/client/src/index.ts';
import { withFakeTime } from '../support/fake-time.ts';

const meta = { type: 'meta', conversationId: 'c', messageId: 'm', seq: 0 };
const sources = { type: 'sources', citations: [], confidence: 0.9, seq: 1 };
const delta = (seq: number, text: string) => ({ type: 'delta', text, seq });
const done = (seq: number, content: string) => ({
  ...{ type: 'done', conversationId: 'c', messageId: 'm', content, seq },
  ...{ citations: [], confidence: 0.9, latencyMs: 1 },
});
const frame = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
const whole = [meta, sources, delta(2, 'Grüße '), delta(3, '🧳'), done(4, 'Grüße 🧳')];

/** Returns a client and the recorded requests. Each request streams the parts of the next response. */
function clientOf(...responses: readonly (readonly (string | Uint8Array)[])[]) {
  const sent: { readonly path: string; readonly key: string | null }[] = [];
  const client = createClient({
    baseUrl: 'https://chat.example.com',
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input));
      const key = new Headers(init?.headers).get('idempotency-key');
      sent.push({ path: `${init?.method} ${pathname}${search}`, key });
      const parts = (responses[sent.length - 1] ?? []).map((part) =>
        typeof part === 'string' ? new TextEncoder().encode(part) : part,
      );
      return new Response(
        new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      );
    },
  });
  return { client, sent };
}

async function readAll(stream: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

test('reads events wherever the bytes are split', async () => {
  const bytes = new TextEncoder().encode(whole.map(frame).join(''));
  for (let at = 1; at < bytes.length; at += 1) {
    const { client } = clientOf([bytes.subarray(0, at), bytes.subarray(at)]);
    expect(await readAll(client.chat.stream({ message: 'Hello' }))).toEqual(whole);
  }
});

test('reads line ends of other servers, and skips comments', async () => {
  const text = `: hello\n\n${whole.map(frame).join('')}`.replaceAll('\n', '\r\n');
  const { client } = clientOf([text]);
  expect(await readAll(client.chat.stream({ message: 'Hello' }))).toEqual(whole);
});

test('drops an event that is sent twice', async () => {
  const twice = whole.flatMap((event) => [event, event, whole[1] ?? event]);
  const { client, sent } = clientOf([twice.map(frame).join('')]);
  expect(await readAll(client.chat.stream({ message: 'Hello' }))).toEqual(whole);
  expect(sent).toHaveLength(1);
});

test.each([1, 2, 3, 4])('resumes after event %i if the next one is missing', async (count) => {
  const before = whole.slice(0, count).map(frame);
  const gap = count < 4 ? whole.slice(count + 1).map(frame) : [];
  const { client, sent } = clientOf([...before, ...gap], whole.slice(count).map(frame));
  expect(await readAll(client.chat.stream({ message: 'Hello' }))).toEqual(whole);
  expect(sent.map(({ path }) => path)).toEqual([
    'POST /api/v1/chat',
    `GET /api/v1/chat/m/stream?after=${count - 1}`,
  ]);
});

test.each([{}, { idempotencyKey: undefined }, { idempotencyKey: 'mine' }])(
  'asks again with the same key if no event has arrived: %o',
  async (options) => {
    const { client, sent } = clientOf([], [': hello\n\n'], whole.map(frame));
    expect(await readAll(client.chat.stream({ message: 'Hello' }, options))).toEqual(whole);
    const keys = new Set(sent.map(({ key }) => key));
    expect(sent.map(({ path }) => path)).toEqual(Array(3).fill('POST /api/v1/chat'));
    expect([...keys]).toEqual([options.idempotencyKey ?? expect.stringMatching(/^\w{32}$/)]);
  },
);

test('a stream that is not resumable is not resumed', async () => {
  const { client, sent } = clientOf(whole.slice(0, 3).map(frame));
  const stream = client.chat.stream({ message: 'Hello', resumable: false });
  await expect(stream.result()).rejects.toMatchObject({ name: 'ConnectionError' });
  expect(sent).toHaveLength(1);
});

test('a message that is not resumable is not sent again, because the first attempt may be stored', async () => {
  let count = 0;
  const client = createClient({
    baseUrl: 'https://chat.example.com',
    fetch: () => {
      count += 1;
      return Promise.reject(new TypeError('fetch failed'));
    },
  });
  const answer = client.chat({ message: 'Hello', resumable: false });
  await expect(answer).rejects.toMatchObject({ name: 'ConnectionError' });
  expect(count).toBe(1);
});

/**
 * Returns a client. Its requests receive the entries of `answers` in turn. The last entry answers all further requests.
 */
function clientWith(...answers: readonly ((init: RequestInit) => Response | Promise<Response>)[]) {
  const sent: string[] = [];
  const client = createClient({
    baseUrl: 'https://chat.example.com',
    fetch: async (input, init = {}) => {
      const { pathname, search } = new URL(String(input));
      sent.push(`${init.method} ${pathname.replace('/api/v1', '')}${search}`);
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (answer === undefined) throw new Error('no answer');
      return answer(init);
    },
  });
  return { client, sent };
}

/** Returns a response with these events. After them, the response ends, or stays open without sending. */
const streamOf =
  (events: readonly object[], end: 'cut' | 'silence' = 'cut') =>
  ({ signal }: RequestInit) =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const event of events) controller.enqueue(new TextEncoder().encode(frame(event)));
          if (end === 'cut') controller.close();
          signal?.addEventListener('abort', () => {
            if (end === 'silence') controller.error(signal.reason);
          });
        },
      }),
    );
const refusal = (status: number, code: string) => () => Response.json({ code }, { status });
const dead = () => Promise.reject(new TypeError('fetch failed'));

test('an answer that is silent for three minutes is read to its end', async () => {
  const silences = Array<ReturnType<typeof streamOf>>(6).fill(streamOf([], 'silence'));
  const { client, sent } = clientWith(
    streamOf(whole.slice(0, 2), 'silence'),
    ...silences,
    streamOf(whole.slice(2)),
  );
  const answer = await withFakeTime(() => client.chat({ message: 'Hello' }));
  expect(answer.content).toBe('Grüße 🧳');
  expect(new Set(sent.slice(1))).toEqual(new Set(['GET /chat/m/stream?after=1']));
});

test('an answer that stays silent is left to the caller after five minutes', async () => {
  const { client } = clientWith(streamOf([meta], 'silence'), streamOf([], 'silence'));
  const error = await withFakeTime(async () => {
    const before = Date.now();
    const reason = await client.chat({ message: 'Hello' }).catch((cause: unknown) => cause);
    return { reason, seconds: (Date.now() - before) / 1_000 };
  });
  expect(error.reason).toMatchObject({ name: 'StreamInterruptedError', messageId: 'm', after: 0 });
  expect(error.seconds).toBeGreaterThan(300);
  expect(error.seconds).toBeLessThan(400);
});

test('an answer that is not resumable may be silent as long as a model may think', async () => {
  const late = ({ signal }: RequestInit) => {
    const { readable, writable } = new TransformStream<Uint8Array>();
    const writer = writable.getWriter();
    const write = (event: object) => writer.write(new TextEncoder().encode(frame(event)));
    signal?.addEventListener('abort', () => void writer.abort(signal.reason).catch(() => {}));
    void write(meta).catch(() => {});
    setTimeout(() => {
      for (const event of whole.slice(1)) write(event).catch(() => {});
      writer.close().catch(() => {});
    }, 170_000);
    return new Response(readable);
  };
  const { client, sent } = clientWith(late);
  const message = { message: 'Hello', resumable: false };
  expect((await withFakeTime(() => client.chat(message))).content).toBe('Grüße 🧳');
  expect(sent).toHaveLength(1);
});

test('the time that the caller takes for an event is no silence', async () => {
  const { client, sent } = clientWith(streamOf(whole.slice(0, 3), 'silence'), streamOf([]));
  const stream = client.chat.stream({ message: 'Hello' }, { idleTimeoutMs: 40 });
  const signals: string[] = [];
  vi.useFakeTimers();
  try {
    for await (const event of stream) {
      signals.push(event.type);
      await vi.advanceTimersByTimeAsync(120);
      expect(sent).toHaveLength(1);
      if (event.type === 'delta') break;
    }
  } finally {
    vi.useRealTimers();
  }
  expect(signals).toEqual(['meta', 'sources', 'delta']);
});

test('a service that is down is called four times', async () => {
  const { client, sent } = clientWith(dead);
  const failed = withFakeTime(() => client.chat({ message: 'Hello' }));
  await expect(failed).rejects.toMatchObject({ name: 'ConnectionError' });
  expect(sent).toHaveLength(4);
});

test.each([
  ['502', refusal(502, 'UNKNOWN')],
  ['503', refusal(503, 'UNAVAILABLE')],
  ['429', refusal(429, 'RATE_LIMITED')],
  ['a lost connection', dead],
])('a resume that is refused is repeated, and its end keeps the place: %s', async (_, refuse) => {
  const passing = clientWith(streamOf(whole.slice(0, 3)), refuse, streamOf(whole.slice(3)));
  const answer = await withFakeTime(() => passing.client.chat({ message: 'Hello' }));
  expect(answer.content).toBe('Grüße 🧳');
  const lasting = clientWith(streamOf(whole.slice(0, 3)), refuse);
  const failed = withFakeTime(() => lasting.client.chat({ message: 'Hello' }));
  await expect(failed).rejects.toMatchObject({
    name: 'StreamInterruptedError',
    messageId: 'm',
    after: 2,
  });
});

test('a resume that takes too long is repeated, and its end keeps the place', async () => {
  const hanging = ({ signal }: RequestInit) =>
    new Promise<Response>((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason)),
    );
  const passing = clientWith(streamOf(whole.slice(0, 3)), hanging, streamOf(whole.slice(3)));
  const answer = await withFakeTime(() => passing.client.chat({ message: 'Hello' }));
  expect(answer.content).toBe('Grüße 🧳');
  const lasting = clientWith(streamOf(whole.slice(0, 3)), hanging);
  const failed = withFakeTime(() => lasting.client.chat({ message: 'Hello' }));
  await expect(failed).rejects.toMatchObject({ name: 'StreamInterruptedError', after: 2 });
});

test('what cannot be resumed is read again with the same request', async () => {
  const { client, sent } = clientWith(
    streamOf(whole.slice(0, 3)),
    refusal(404, 'NOT_FOUND'),
    refusal(409, 'IDEMPOTENCY_KEY_IN_USE'),
    streamOf(whole),
  );
  const events = await withFakeTime(() => readAll(client.chat.stream({ message: 'Hello' })));
  expect(events).toEqual(whole);
  expect(sent).toEqual(['POST /chat', 'GET /chat/m/stream?after=2', 'POST /chat', 'POST /chat']);
});

test('a new answer never continues the text of another one', async () => {
  const other = [{ ...meta, messageId: 'other' }, ...whole.slice(1)];
  const { client } = clientWith(
    streamOf(whole.slice(0, 3)),
    refusal(404, 'NOT_FOUND'),
    streamOf(other),
  );
  const failed = client.chat({ message: 'Hello' });
  await expect(failed).rejects.toMatchObject({ code: 'NOT_FOUND', status: null });
});

test('an answer is resumable if the caller leaves it open', async () => {
  const bodies: unknown[] = [];
  const client = createClient({
    baseUrl: 'https://chat.example.com',
    fetch: async (_, init = {}) => {
      bodies.push(JSON.parse(String(init.body)));
      return streamOf(whole)(init);
    },
  });
  await client.chat({ message: 'Hello', resumable: undefined as unknown as boolean });
  await client.chat({ message: 'Hello', resumable: false });
  expect(bodies).toMatchObject([{ resumable: true }, { resumable: false }]);
});

test('a call may wait for an earlier one with its key', async () => {
  const inUse = refusal(409, 'IDEMPOTENCY_KEY_IN_USE');
  const { client, sent } = clientWith(inUse, streamOf(whole));
  const options = { idempotencyKey: 'mine', isRepeated: true };
  const answer = await withFakeTime(() => client.chat({ message: 'Hello' }, options));
  expect(answer.content).toBe('Grüße 🧳');
  expect(sent).toEqual(['POST /chat', 'POST /chat']);
});
