import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  type ChatEvent,
  type ChatStream,
  type Client,
  createClient,
  StreamInterruptedError,
} from '../../packages/client/src/index.ts';
import { addDocuments } from '../support/knowledge.ts';
import { type FaultProxy, startFaultProxy } from '../support/servers/fault-proxy.ts';
import {
  type OpenAiServer,
  type Reply,
  startOpenAiServer,
} from '../support/servers/openai-server.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { sharedDatabase } from '../support/shared-service.ts';

const message = 'Until when is check-out?';
/** An answer with characters of one to four bytes. It also contains a line break at which some stream readers split. */
const words = [
  'Check-out ',
  'ist „bis“ ',
  '11 Uhr 🧳',
  '\u2028',
  'Späte Abreise',
  ' kostet 20 €. ',
  '[1]',
];
const slow: Reply = { deltas: words, delayMs: 15 };
const endless: Reply = { deltas: words, end: 'stall', finishReason: null };

let models: OpenAiServer;
let service: TestService;
let tenant: Tenant;
let proxy: FaultProxy;
let client: Client;
/** Method and path of each request that the client has sent. */
let sent: string[];

beforeAll(async () => {
  models = await startOpenAiServer();
  service = await startTestService({
    database: await sharedDatabase(),
    openAi: models.chatModelConfig,
  });
  proxy = await startFaultProxy(service.url);
  tenant = await service.createTenant();
  client = createClient({ baseUrl: proxy.url, apiKey: await tenant.key(), fetch: recordingFetch });
  await addDocuments(service, tenant.projectId, {
    'Check-out.md': '# Check-out\n\nCheck-out is until 11:00. Late check-out costs 20 euros.',
  });
});
beforeEach(() => {
  sent = [];
});
afterAll(async () => {
  await proxy?.close();
  await service?.stop();
  await models?.close();
});

const recordingFetch: typeof fetch = (input, init) => {
  sent.push(`${init?.method} ${new URL(String(input)).pathname.replace(/[\da-f-]{36}/, 'ID')}`);
  return fetch(input, init);
};

function storedMessage(messageId: string | null) {
  return service.system.db.message.findFirstOrThrow({
    where: { id: messageId ?? '', projectId: tenant.projectId },
  });
}

function waitForStatus(messageId: string | null, status: string): Promise<void> {
  return vi.waitFor(async () => expect(await storedMessage(messageId)).toMatchObject({ status }), {
    timeout: 15_000,
    interval: 50,
  });
}

async function read(stream: ChatStream): Promise<{ events: ChatEvent[]; text: string }> {
  const events: ChatEvent[] = [];
  for await (const event of stream) events.push(event);
  return {
    events,
    text: events.map((event) => (event.type === 'delta' ? event.text : '')).join(''),
  };
}

test('streams typed events, and returns the answer', async () => {
  models.script(slow);
  const stream = client.chat.stream({ message });
  const { events, text } = await read(stream);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  const last = events.at(-1);
  expect(events[0]?.type).toBe('meta');
  expect(last).toMatchObject({ type: 'done', content: text, messageId: stream.messageId });
  expect(last).toMatchObject(await stream.result());
  expect(stream.conversationId).toBe(last?.type === 'done' && last.conversationId);
  expect((await storedMessage(stream.messageId)).content).toBe(text);
  expect(sent).toEqual(['POST /api/v1/chat']);
});

/**
 * Byte positions at which the test cuts off the response: in the headers, before or in the first event, inside a
 * character, or in the last event.
 */
const cuts = [1, 200, 560, 900, 1_300, 1_450, 1_507, 1_508, 1_509, 1_600];

test.each(cuts)(
  'reads every character once if the connection is cut after %i bytes',
  async (bytes) => {
    models.script(slow);
    proxy.cutAfterBytes(bytes);
    const stream = client.chat.stream({ message });
    const { events, text } = await read(stream);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    const stored = await storedMessage(stream.messageId);
    expect(text).toBe(stored.content);
    expect(stored.status).toBe('COMPLETED');
    expect(sent.length).toBeGreaterThan(1);
    const { messages } = await client.conversations.get(stream.conversationId ?? '');
    expect(messages.map(({ role }) => role)).toEqual(['USER', 'ASSISTANT']);
  },
);

test('resumes a stream whose connection is cut again and again', async () => {
  models.script({ deltas: Array.from({ length: 60 }, (_, n) => `word${n} `), delayMs: 15 });
  const stream = client.chat.stream({ message });
  let text = '';
  for await (const event of stream) {
    if (event.type !== 'delta') continue;
    text += event.text;
    if (sent.length < 5) {
      cutOnce();
    }
  }
  expect(text).toBe((await storedMessage(stream.messageId)).content);
  expect(sent.filter((request) => request === 'GET /api/v1/chat/ID/stream').length).toBe(4);
  expect(sent.filter((request) => request === 'POST /api/v1/chat')).toHaveLength(1);
});

test('resumes a connection that is silent', async () => {
  models.script({ deltas: words, delayMs: 60 });
  const stream = client.chat.stream({ message }, { idleTimeoutMs: 500 });
  let text = '';
  for await (const event of stream) {
    if (event.type !== 'delta') continue;
    if (text === '') proxy.freeze();
    text += event.text;
  }
  expect(text).toBe((await storedMessage(stream.messageId)).content);
  expect(sent).toContain('GET /api/v1/chat/ID/stream');
});

test('says how to resume a stream that could not be resumed', async () => {
  models.script(slow);
  const stream = client.chat.stream({ message }, { maxRetries: 1 });
  let text = '';
  const reading = (async () => {
    for await (const event of stream) {
      if (event.type !== 'delta') continue;
      text += event.text;
      proxy.cut();
    }
  })();
  const error = await reading.catch((reason: unknown) => reason);
  proxy.restore();
  if (!(error instanceof StreamInterruptedError)) throw error;
  const { messageId, after } = error;
  expect(messageId).toBe(stream.messageId);
  const rest = await read(client.chat.resume(messageId, { after }));
  expect(text + rest.text).toBe((await storedMessage(messageId)).content);
  const all = await read(client.chat.resume(messageId));
  expect(all.text).toBe(text + rest.text);
});

test('stops an answer when the reader leaves the stream', async () => {
  models.script(endless);
  const stream = client.chat.stream({ message });
  for await (const event of stream) if (event.type === 'delta') break;
  await waitForStatus(stream.messageId, 'STOPPED');
});

test('stops an answer when the signal aborts, and rejects with its reason', async () => {
  models.script(endless);
  const controller = new AbortController();
  const stream = client.chat.stream({ message }, { signal: controller.signal });
  const reason = new Error('The visitor has left');
  const reading = (async () => {
    for await (const event of stream) if (event.type === 'delta') controller.abort(reason);
  })();
  await expect(reading).rejects.toBe(reason);
  await waitForStatus(stream.messageId, 'STOPPED');
});

test('leaves an answer running if the caller wants to resume it', async () => {
  models.script(slow);
  const stream = client.chat.stream({ message, resumable: true });
  for await (const event of stream) if (event.type === 'delta') break;
  await waitForStatus(stream.messageId, 'COMPLETED');
  expect(sent).toEqual(['POST /api/v1/chat']);
});

test('stops an answer on request, and the stream ends with what was written', async () => {
  models.script(endless);
  const stream = client.chat.stream({ message });
  for await (const event of stream) {
    if (event.type === 'delta') await stream.stop();
  }
  const { content } = await stream.result();
  expect(content).not.toBe('');
  expect(await storedMessage(stream.messageId)).toMatchObject({ status: 'STOPPED', content });
});

test('throws the error of a stream', async () => {
  models.script({ deltas: words, end: 'cut', finishReason: null });
  const stream = client.chat.stream({ message });
  await expect(stream.result()).rejects.toMatchObject({
    name: 'ApiError',
    code: 'MODEL_ERROR',
    status: null,
    isRetryable: true,
    requestId: expect.any(String),
  });
});

test.each([
  ['in the headers', () => proxy.cutAfterBytes(100)],
  ['while it is generated', () => models.request(models.requests.length).then(cutOnce)],
])('asks once if the connection of a complete answer is cut, %s', async (when, cut) => {
  const endUserId = `guest ${when}`;
  models.script(slow);
  void cut();
  const { content, messageId } = await client.chat({ message, endUserId });
  expect(sent.length).toBeGreaterThan(1);
  const { data } = await client.conversations.list({ endUserId });
  expect(data).toMatchObject([{ messageCount: 2 }]);
  expect(await storedMessage(messageId)).toMatchObject({ status: 'COMPLETED', content });
});

function cutOnce(): void {
  proxy.cut();
  proxy.restore();
}
