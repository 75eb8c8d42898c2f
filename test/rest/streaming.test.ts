import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/platform/errors.ts';
import { expectErrorBody, restClient } from '../support/api/rest-client.ts';
import {
  keys,
  type RestServer,
  type ScriptedField,
  startRestServer,
} from '../support/api/rest-server.ts';

const ids = {
  conversationId: '01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11',
  messageId: '01980a3c-7d60-7e11-8c45-9b1a2c3d4e5f',
};
const citation = {
  documentId: '01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a',
  documentName: 'Line\nbreak\u0085\u2028.txt',
  chunkId: '01980a3b-2d44-7f02-9a31-4c5d6e7f8091',
  score: 0.87,
  quote: null,
  page: null,
  startOffset: 0,
  endOffset: 10,
  sourceUrl: null,
  metadata: {},
};
const reply = { ...ids, content: 'ab\n\ncd', citations: [citation], confidence: 0.9, latencyMs: 7 };
const meta = { __typename: 'ChatMeta', ...ids };

async function* wholeAnswer() {
  yield meta;
  yield { __typename: 'ChatSources', citations: [citation], confidence: 0.9 };
  yield { __typename: 'ChatDelta', text: 'ab' };
  yield { __typename: 'ChatDelta', text: '\n\ncd' };
  yield { __typename: 'ChatDone', reply };
}

describe('a streamed answer', () => {
  test('sends one data line and a blank line per event, numbered from 0, and nothing else', async () => {
    await using server = await startRestServer({ chat: wholeAnswer });
    const response = await ask(server);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/event-stream');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('X-Accel-Buffering')).toBe('no');
    expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);

    const frames = (await response.text()).split('\n\n');
    expect(frames.pop()).toBe('');
    expect(frames.every((frame) => /^data: \{[^\r\n\u0085\u2028]*\}$/.test(frame))).toBe(true);
    expect(frames.map((frame) => JSON.parse(frame.slice('data: '.length)))).toEqual([
      { type: 'meta', ...ids, seq: 0 },
      { type: 'sources', citations: [citation], confidence: 0.9, seq: 1 },
      { type: 'delta', text: 'ab', seq: 2 },
      { type: 'delta', text: '\n\ncd', seq: 3 },
      { type: 'done', ...reply, seq: 4 },
    ]);
  });

  test('is delivered event by event', async () => {
    const gate = Promise.withResolvers<void>();
    await using server = await startRestServer({
      chat: async function* () {
        yield meta;
        await gate.promise;
        yield { __typename: 'ChatDone', reply };
      },
    });
    const chunks = (await ask(server)).body?.getReader();
    const first = await chunks?.read();
    expect(new TextDecoder().decode(first?.value)).toContain('"type":"meta"');
    gate.resolve();
    const second = await chunks?.read();
    expect(new TextDecoder().decode(second?.value)).toContain('"type":"done"');
    expect((await chunks?.read())?.done).toBe(true);
  });

  test('without stream: true is one JSON response', async () => {
    await using server = await startRestServer({ sendMessage: () => reply });
    const client = restClient(server.baseUrl, keys.project);
    for (const stream of [undefined, false]) {
      const response = await client.post('/chat', { message: 'hi', stream });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual(reply);
    }
  });
});

describe('a stream that fails', () => {
  test.each<[string, ScriptedField]>([
    [
      'when it is refused',
      () => {
        throw quotaExceeded();
      },
    ],
    [
      'before its first event',
      // biome-ignore lint/correctness/useYield: the generator throws before it can yield
      async function* () {
        throw quotaExceeded();
      },
    ],
  ])('%s is a plain HTTP error', async (_when, chat) => {
    await using server = await startRestServer({ chat });
    const error = await expectErrorBody(ask(server));
    expect(error).toMatchObject({ statusCode: 402, code: 'QUOTA_EXCEEDED', message: 'Used up' });
  });

  test('after its first event ends with an error event', async () => {
    await using server = await startRestServer({
      chat: async function* () {
        yield meta;
        throw new DomainError('MODEL_ERROR', 'The model stopped', { retryable: true });
      },
    });
    const response = await ask(server);
    expect(response.status).toBe(200);
    expect(await framesOf(response)).toEqual([
      { type: 'meta', ...ids, seq: 0 },
      { type: 'error', message: 'The model stopped', code: 'MODEL_ERROR', retryable: true, seq: 1 },
    ]);
  });

  test('unexpectedly hides the cause from the client and logs it', async () => {
    await using server = await startRestServer({
      chat: async function* () {
        yield meta;
        throw new Error('password=hunter2');
      },
    });
    const response = await ask(server);
    const [, error] = await framesOf(response);
    expect(error).toMatchObject({ type: 'error', code: 'INTERNAL', retryable: true, seq: 1 });
    expect(JSON.stringify(error)).not.toContain('hunter2');
    const requestId = response.headers.get('X-Request-Id') ?? '?';
    expect(server.logLines.find((line) => line.includes(requestId))).toContain('hunter2');
  });

  test('forwards the error event of the schema', async () => {
    const error = { message: 'Stalled', code: 'MODEL_ERROR', retryable: true };
    await using server = await startRestServer({
      chat: async function* () {
        yield meta;
        yield { __typename: 'ChatError', ...error };
      },
    });
    expect((await framesOf(await ask(server))).at(-1)).toEqual({ type: 'error', ...error, seq: 1 });
  });
});

test('a resumed stream continues its numbering, and is closed without an event when it fails', async () => {
  await using server = await startRestServer({
    resumeAnswer: async function* () {
      yield { __typename: 'ChatDelta', text: 'ab' };
      yield { __typename: 'ChatDelta', text: 'cd' };
      throw new Error('lost the database');
    },
  });
  const client = restClient(server.baseUrl, keys.project);
  const response = await client.get(`/chat/${ids.messageId}/stream?after=6`);
  expect(await framesOf(response)).toEqual([
    { type: 'delta', text: 'ab', seq: 7 },
    { type: 'delta', text: 'cd', seq: 8 },
  ]);
  expect(server.logLines.join()).toContain('lost the database');
});

describe('a client that', () => {
  test('disconnects stops the work for a stream', async () => {
    const aborted = Promise.withResolvers<void>();
    const returned = Promise.withResolvers<void>();
    await using server = await startRestServer({
      chat: async function* (_input, { signal }) {
        try {
          yield meta;
          await once(signal, 'abort');
          aborted.resolve();
        } finally {
          returned.resolve();
        }
      },
    });
    const response = await ask(server);
    await response.body?.cancel();
    await Promise.all([aborted.promise, returned.promise]);
  });

  test('disconnects stops the work for a JSON answer', async () => {
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    await using server = await startRestServer({
      sendMessage: async (_input, { signal }) => {
        started.resolve();
        await once(signal, 'abort');
        aborted.resolve();
        throw signal.reason;
      },
    });
    const leaving = new AbortController();
    const client = restClient(server.baseUrl, keys.project);
    const response = client.send('/chat', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"message":"hi"}',
      signal: leaving.signal,
    });
    await started.promise;
    leaving.abort();
    await expect(response).rejects.toThrow();
    await aborted.promise;
    expect(server.logLines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
  });

  test('does not read pauses the work, and is disconnected after a timeout', async () => {
    let events = 0;
    const returned = Promise.withResolvers<void>();
    await using server = await startRestServer(
      {
        chat: async function* () {
          try {
            yield meta;
            for (;;) {
              events += 1;
              yield { __typename: 'ChatDelta', text: 'x'.repeat(64_000) };
            }
          } finally {
            returned.resolve();
          }
        },
      },
      { stallTimeoutMs: 300 },
    );
    const socket = connect(server.port, '127.0.0.1').pause();
    socket.on('error', () => {});
    const body = '{"message":"hi","stream":true}';
    socket.write(
      `POST /api/v1/chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.project}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await returned.promise;
    // The capacity of two socket buffers limits how many events the service can produce.
    expect(events).toBeLessThan(500);
    socket.resume();
    await once(socket, 'close');
    expect(server.logLines.join()).toContain('client does not read its stream');
  });
});

test('a service that shuts down sends an error event and ends the stream', async () => {
  const stopping = new AbortController();
  await using server = await startRestServer(
    {
      chat: async function* (_input, { signal }) {
        yield meta;
        stopping.abort(new DomainError('UNAVAILABLE', 'Stopping', { retryable: true }));
        await Promise.resolve();
        signal.throwIfAborted();
      },
    },
    { stopping: stopping.signal },
  );
  expect((await framesOf(await ask(server))).at(-1)).toEqual({
    type: 'error',
    message: 'Stopping',
    code: 'UNAVAILABLE',
    retryable: true,
    seq: 1,
  });
});

function ask(server: RestServer): Promise<Response> {
  return restClient(server.baseUrl, keys.project).post('/chat', { message: 'hi', stream: true });
}

async function framesOf(response: Response): Promise<unknown[]> {
  const frames = (await response.text()).split('\n\n').slice(0, -1);
  return frames.map((frame) => JSON.parse(frame.replace(/^data: /, '')));
}

function quotaExceeded(): DomainError {
  return new DomainError('QUOTA_EXCEEDED', 'Used up');
}
