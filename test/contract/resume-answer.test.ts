import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { ApiKeyScope } from '../../src/platform/postgres/generated/prisma/enums.ts';
import {
  type ChatStreamEvent,
  type ChatStreamReader,
  joinDeltas,
  resumeAnswer,
  streamChat,
} from '../support/api/chat-stream.ts';
import { expectErrorBody, type RestClient, restClient } from '../support/api/rest-client.ts';
import type { TestDatabase } from '../support/database/database.ts';
import { addDocuments } from '../support/knowledge.ts';
import {
  type OpenAiServer,
  type Reply,
  startOpenAiServer,
} from '../support/servers/openai-server.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { sharedDatabase } from '../support/shared-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const message = 'Until when is check-out?';
/**
 * An answer of 40 parts that takes about a second. The tests read fewer parts, because a busy machine may receive
 * several parts at once, as one event.
 */
const slow: Reply = { deltas: Array.from({ length: 40 }, (_, n) => `word${n} `), delayMs: 25 };
/** An answer that is sent at once, for tests that need only its end. */
const whole: Reply = { deltas: ['Until 11:00.'] };
/** An answer that stops sending after its first parts but does not end. */
const stalled: Reply = { deltas: ['Until 11:00 or'], end: 'stall', finishReason: null };

let models: OpenAiServer;
let database: TestDatabase;
/** Two processes that use the same database. */
let nodes: { firstClient: TestService; secondClient: TestService };
let tenant: Tenant;
let key: string;
let here: RestClient;
let there: RestClient;

beforeAll(async () => {
  models = await startOpenAiServer();
  database = await sharedDatabase();
  nodes = { firstClient: await startNode(true), secondClient: await startNode(false) };
  tenant = await nodes.firstClient.createTenant();
  key = await tenant.key();
  here = clientOf(nodes.firstClient);
  there = clientOf(nodes.secondClient);
  await addDocuments(nodes.firstClient, tenant.projectId, {
    'Check-out.md': '# Check-out\n\nCheck-out is until 11:00. Late check-out costs 20 euros.',
  });
});
afterAll(async () => {
  await nodes?.firstClient.stop();
  await nodes?.secondClient.stop();
  await models?.close();
});

function startNode(isWorker: boolean, stopGraceMs?: number): Promise<TestService> {
  return startTestService({
    ...{ database, isWorker, openAi: models.chatModelConfig },
    ...(stopGraceMs !== undefined && { stopGraceMs }),
  });
}

function clientOf({ url }: TestService, secret = key): RestClient {
  return restClient(`${url}/api/v1`, secret);
}

/** Sets the model's script, requests an answer, and reads the stream until its first delta. */
async function startAnswer(
  client: RestClient,
  reply: Reply,
  body: object = { resumable: true },
): Promise<StartedAnswer> {
  models.script(reply);
  const asked = models.request(models.requests.length);
  const stream = await streamChat(client, { message, ...body });
  const known = await stream.take(3);
  return { stream, known, messageId: known[0]?.messageId ?? '', asked };
}

function storedMessage(messageId: string) {
  return nodes.firstClient.system.db.message.findFirstOrThrow({
    where: { id: messageId, projectId: tenant.projectId },
  });
}

async function waitForStatus(messageId: string, status: string): Promise<void> {
  await waitUntil(async () => (await storedMessage(messageId)).status === status, {
    intervalMs: 50,
  });
}

interface StartedAnswer {
  readonly stream: ChatStreamReader;
  /** The events that the test has read so far. */
  readonly known: readonly ChatStreamEvent[];
  readonly messageId: string;
  /** Resolves with the request that reached the model. */
  readonly asked: Promise<{ readonly closed: Promise<void> }>;
}

const stop = (client: RestClient, messageId: string, body?: object) =>
  client.post(`/chat/${messageId}/stop`, body);

describe('a resumable answer whose reader disconnects', () => {
  const places = [1, 2, 3, 5, 9, 14, 20, 22];

  test.each(['the same node', 'another node'])(
    'can be resumed at %s without a gap or a repetition, from any event',
    async (where) => {
      await Promise.all(
        places.map(async (count) => {
          models.script(slow);
          const first = await streamChat(here, { message, resumable: true });
          const known = await first.take(count);
          first.disconnect();
          const messageId = known[0]?.messageId ?? '';
          const client = where === 'another node' ? there : here;
          const rest = await (await resumeAnswer(client, messageId, count - 1)).readToEnd();

          const all = [...known, ...rest];
          expect(all.map(({ seq }) => seq)).toEqual(all.map((_frame, index) => index));
          expect(all.map(({ type }) => type).join(' ')).toMatch(/^meta sources (delta )+done$/);
          expect(joinDeltas(all)).toBe(slow.deltas?.join(''));
          expect(all.at(-1)?.content).toBe(joinDeltas(all));
          expect(await storedMessage(messageId)).toMatchObject({
            status: 'COMPLETED',
            content: joinDeltas(all),
          });
          expect(await (await resumeAnswer(there, messageId)).readToEnd()).toEqual(all);
        }),
      );
    },
  );

  test('runs to completion without a reader', async () => {
    const { stream, messageId } = await startAnswer(here, slow);
    stream.disconnect();
    await waitForStatus(messageId, 'COMPLETED');
    expect((await storedMessage(messageId)).content).toBe(slow.deltas?.join(''));
  });

  test('runs to completion if it was requested as JSON', async () => {
    models.script(slow);
    const asked = models.request(models.requests.length);
    const leaving = new AbortController();
    const response = here.send('/chat', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ message, resumable: true, endUserId: 'leaves-early' }),
      signal: leaving.signal,
    });
    await asked;
    leaving.abort();
    await expect(response).rejects.toThrow();
    const { messageId } = await answerOf('leaves-early');
    await waitForStatus(messageId, 'COMPLETED');
    const all = await (await resumeAnswer(here, messageId)).readToEnd();
    expect(joinDeltas(all)).toBe(slow.deltas?.join(''));
  });

  test('can be read by many clients at once, from both nodes, with identical events', async () => {
    const { stream, messageId } = await startAnswer(here, slow);
    const readers = await Promise.all(
      [here, there, here, there].map((client) => resumeAnswer(client, messageId)),
    );
    const [first, ...others] = await Promise.all(readers.map((reader) => reader.readToEnd()));
    for (const other of others) expect(other).toEqual(first);
    expect(await stream.readToEnd()).toEqual(first?.slice(3));
  });

  test('keeps 100 concurrent answers on one node complete and separate', {
    timeout: 60_000,
  }, async () => {
    const texts = Array.from({ length: 100 }, (_, n) => ['Until ', '11:00 ', `(${n})`]);
    models.script(...texts.map((deltas) => ({ deltas, delayMs: 100 })));
    const known = await Promise.all(
      texts.map(async () => {
        const stream = await streamChat(here, { message, resumable: true });
        const [meta] = await stream.take(1);
        stream.disconnect();
        return meta?.messageId ?? '';
      }),
    );
    const answers = await Promise.all(
      known.map(async (messageId, n) => {
        const frames = await (await resumeAnswer(n % 2 ? here : there, messageId, 0)).readToEnd();
        expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_frame, index) => index + 1));
        expect(frames.at(-1)).toMatchObject({ messageId, content: joinDeltas(frames) });
        return joinDeltas(frames);
      }),
    );
    expect(answers.sort()).toEqual(texts.map((deltas) => deltas.join('')).sort());
  });
});

describe('a resumed stream', () => {
  test('opens at once, even while no event occurs', async () => {
    const { messageId } = await startAnswer(here, stalled);
    const readers = [
      await resumeAnswer(here, messageId, 2),
      await resumeAnswer(there, messageId, 2),
    ];
    await stop(here, messageId);
    for (const reader of readers) {
      expect(await reader.readToEnd()).toMatchObject([{ type: 'done', seq: 3 }]);
    }
  });

  test('after its last event is empty and ends at once', async () => {
    const { stream, messageId } = await startAnswer(here, whole);
    const last = (await stream.readToEnd()).at(-1)?.seq ?? 0;
    for (const after of [last, last + 1, 2_147_483_647]) {
      expect(await (await resumeAnswer(there, messageId, after)).readToEnd()).toEqual([]);
    }
    expect(await (await resumeAnswer(there, messageId, last - 1)).readToEnd()).toHaveLength(1);
  });

  test('is available until ten minutes after the end of the answer', async () => {
    const { stream, messageId } = await startAnswer(here, whole);
    await stream.readToEnd();
    const endedAgo = (seconds: number) =>
      nodes.firstClient.adapters.pool.query(
        'update grounded.messages set lease_renewed_at = now() - make_interval(secs => $2) where id = $1',
        [messageId, seconds],
      );
    await endedAgo(590);
    expect(await (await resumeAnswer(here, messageId, 2)).next()).toMatchObject({ seq: 3 });
    await endedAgo(601);
    expect(await expectErrorBody(here.get(`/chat/${messageId}/stream`))).toMatchObject({
      statusCode: 404,
      code: 'NOT_FOUND',
    });
  });

  test('ends with an error if its process died, and the message is refunded', async () => {
    const { stream, messageId } = await startAnswer(here, slow);
    const all = await stream.readToEnd();
    const used = await messagesUsed();
    await die(messageId, 10);
    const frames = await (await resumeAnswer(there, messageId, 7)).readToEnd();
    expect(frames).toMatchObject([
      { type: 'delta', seq: 8 },
      { type: 'delta', seq: 9 },
      { type: 'error', seq: 10, code: 'UNAVAILABLE', retryable: true },
    ]);
    expect(all.length).toBeGreaterThan(10);
    expect((await storedMessage(messageId)).status).toBe('FAILED');
    expect(await messagesUsed()).toBe(used - 1);
    for (const after of [9, 15]) {
      expect(await (await resumeAnswer(here, messageId, after)).readToEnd()).toMatchObject([
        { type: 'error', seq: after + 1 },
      ]);
    }
  });

  /**
   * Changes the stored answer so that its process seems to have been killed a minute ago, after it stored `count`
   * events.
   */
  async function die(messageId: string, count: number): Promise<void> {
    const { pool } = nodes.firstClient.adapters;
    await pool.query('delete from grounded.answer_events where message_id = $1 and seq >= $2', [
      messageId,
      count,
    ]);
    await pool.query(
      `update grounded.messages set status = 'GENERATING', lease_renewed_at = now() - interval '61 seconds'
       where id = $1`,
      [messageId],
    );
  }
});

describe('an answer that is not resumable', () => {
  test('is stopped when its client disconnects, together with the model call', async () => {
    const { stream, messageId, asked } = await startAnswer(here, stalled, {});
    stream.disconnect();
    // The model stalls. So if the service did not close the connection, this test would time out.
    await (await asked).closed;
    await waitForStatus(messageId, 'STOPPED');
  });

  test('has no stream to resume', async () => {
    const { stream, messageId } = await startAnswer(here, stalled, {});
    for (const client of [here, there]) {
      const error = await expectErrorBody(client.get(`/chat/${messageId}/stream`));
      expect(error).toMatchObject({ statusCode: 404, code: 'NOT_FOUND' });
    }
    stream.disconnect();
    await waitForStatus(messageId, 'STOPPED');
  });
});

describe('stopping an answer', () => {
  const cases = (['the same node', 'another node'] as const).flatMap((where) =>
    [true, false].map((resumable) => ({ where, resumable })),
  );

  test.each(cases)(
    'from $where keeps the partial answer and notifies its reader (resumable: $resumable)',
    async ({ where, resumable }) => {
      const used = await messagesUsed();
      const { stream, known, messageId, asked } = await startAnswer(here, stalled, { resumable });
      const response = await stop(where === 'the same node' ? here : there, messageId);
      const content = 'Until 11:00 or';
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({
        id: messageId,
        role: 'ASSISTANT',
        authorName: null,
        content,
        citations: [expect.objectContaining({ documentName: 'Check-out.md' })],
        confidence: expect.any(Number),
        latencyMs: expect.any(Number),
        status: 'STOPPED',
        createdAt: expect.any(String),
      });
      expect(await stream.readToEnd()).toMatchObject([{ type: 'done', seq: 3, content }]);
      expect(joinDeltas(known)).toBe(content);
      await (await asked).closed;
      expect(await messagesUsed()).toBe(used + 1);
      expect((await storedMessage(messageId)).content).toBe(content);
    },
  );

  test('reaches every reader on every node', async () => {
    const { stream, messageId } = await startAnswer(here, stalled);
    const readers = [
      stream,
      await resumeAnswer(here, messageId),
      await resumeAnswer(there, messageId),
    ];
    expect((await stop(there, messageId)).status).toBe(200);
    for (const reader of readers) {
      expect((await reader.readToEnd()).at(-1)).toMatchObject({
        type: 'done',
        content: 'Until 11:00 or',
      });
    }
  });

  test('that was requested as JSON returns the partial answer', async () => {
    models.script(stalled);
    const asked = models.request(models.requests.length);
    const response = here.post('/chat', { message, endUserId: 'waits' });
    await (await asked).written;
    const { messageId } = await answerOf('waits');
    expect(await (await stop(there, messageId)).json()).toMatchObject({ status: 'STOPPED' });
    const reply = await (await response).json();
    expect(reply).toMatchObject({ messageId, content: 'Until 11:00 or' });
  });

  test('repeatedly, or after its end, returns it unchanged', async () => {
    const stopped = await startAnswer(here, stalled);
    const first = await (await stop(here, stopped.messageId)).json();
    for (const client of [here, there]) {
      expect(await (await stop(client, stopped.messageId)).json()).toEqual(first);
    }
    const complete = await startAnswer(here, whole);
    await complete.stream.readToEnd();
    expect(await (await stop(there, complete.messageId)).json()).toMatchObject({
      status: 'COMPLETED',
      content: whole.deltas?.join(''),
    });
  });

  test('from two clients at once stops it once', async () => {
    const { stream, messageId } = await startAnswer(here, stalled);
    const answers = await Promise.all([stop(here, messageId), stop(there, messageId)]);
    const [first, second] = await Promise.all(answers.map((answer) => answer.json()));
    expect(first).toEqual(second);
    expect((await stream.readToEnd()).filter(({ type }) => type === 'done')).toHaveLength(1);
  });

  test('requires an answer of the assistant', async () => {
    const { stream, messageId } = await startAnswer(here, whole);
    await stream.readToEnd();
    const { conversationId } = await storedMessage(messageId);
    const { id: questionId } = await nodes.firstClient.system.db.message.findFirstOrThrow({
      where: { conversationId, projectId: tenant.projectId, role: 'USER' },
    });
    expect(await expectErrorBody(stop(here, questionId))).toMatchObject({
      statusCode: 404,
      code: 'NOT_FOUND',
    });
  });
});

describe.each([
  ['GET', 'stream'],
  ['POST', 'stop'],
])('%s /chat/{messageId}/%s', (method, verb) => {
  const call = (client: RestClient, id: string, projectId?: string) => {
    if (method === 'POST') return client.post(`/chat/${id}/stop`, projectId && { projectId });
    return client.get(`/chat/${id}/${verb}${projectId ? `?projectId=${projectId}` : ''}`);
  };
  let messageId: string;

  beforeAll(async () => {
    const begun = await startAnswer(here, whole);
    await begun.stream.readToEnd();
    messageId = begun.messageId;
  });

  test("does not find another tenant's running answer", async () => {
    const running = await startAnswer(here, stalled);
    const stranger = clientOf(
      nodes.firstClient,
      await (await nodes.firstClient.createTenant()).key(),
    );
    expect(await expectErrorBody(call(stranger, running.messageId))).toMatchObject({
      statusCode: 404,
    });
    await stop(here, running.messageId);
  });

  test('needs the right to read conversations for answers that another key has asked for', async () => {
    const scopes = [ApiKeyScope.CHAT];
    const clientWith = async (scopes: readonly ApiKeyScope[], node = nodes.firstClient) =>
      clientOf(node, await tenant.key({ scopes }));
    const own = await tenant.key({ scopes });
    const asking = clientOf(nodes.firstClient, own);
    const asked = await startAnswer(asking, whole);
    await asked.stream.readToEnd();
    for (const node of Object.values(nodes)) {
      const other = await clientWith(scopes, node);
      expect(await expectErrorBody(call(other, asked.messageId))).toMatchObject({
        statusCode: 404,
        code: 'NOT_FOUND',
      });
      const reading = await clientWith([ApiKeyScope.CHAT, ApiKeyScope.CONVERSATIONS_READ], node);
      expect((await call(reading, asked.messageId)).status).toBe(200);
      expect((await call(clientOf(node, own), asked.messageId)).status).toBe(200);
    }
    // Asks another question in the same conversation.
    const { conversationId } = await storedMessage(asked.messageId);
    const next = await startAnswer(asking, whole, { resumable: true, conversationId });
    await next.stream.readToEnd();
    expect((await call(asking, next.messageId)).status).toBe(200);
  });

  test('finds no answer while an agent owns the conversation', async () => {
    const { db } = nodes.firstClient.system;
    const { projectId } = tenant;
    const { conversationId } = await storedMessage(messageId);
    await db.handoff.create({
      data: { id: newId(), projectId, conversationId, status: 'CLAIMED' },
    });
    await db.conversation.update({ where: { id: conversationId }, data: { status: 'HUMAN' } });
    const stream = await streamChat(here, { message, conversationId, resumable: true });
    const frames = await stream.readToEnd();
    expect(frames.map(({ type }) => type)).toEqual(['meta', 'sources', 'delta', 'done']);
    const held = frames[0]?.messageId ?? '';
    expect(await expectErrorBody(call(here, held))).toMatchObject({ statusCode: 404 });
  });
});

test('a service that shuts down ends its answers with an error, for readers on every node', {
  timeout: 30_000,
}, async () => {
  // The grace period is so short that the shutdown does not wait for the answers.
  const node = await startNode(false, 300);
  const used = await messagesUsed();
  const read = await startAnswer(clientOf(node), stalled);
  const away = await resumeAnswer(there, read.messageId, 2);
  const unread = await startAnswer(clientOf(node), stalled);
  unread.stream.disconnect();

  // The model never ends its answers, so only the shutdown can end them.
  await node.stop();
  const last = { type: 'error', seq: 3, code: 'UNAVAILABLE', retryable: true };
  expect((await read.stream.readToEnd()).at(-1)).toMatchObject(last);
  expect(await away.readToEnd()).toMatchObject([last]);
  expect(await (await resumeAnswer(here, unread.messageId, 2)).readToEnd()).toMatchObject([last]);
  for (const { messageId } of [read, unread]) {
    expect(await storedMessage(messageId)).toMatchObject({
      status: 'FAILED',
      content: 'Until 11:00 or',
    });
  }
  expect(await messagesUsed()).toBe(used);
});

async function messagesUsed(): Promise<number> {
  return (await (await here.get('/usage')).json()).messages.used;
}

/** Returns the answer in the end user's only conversation. */
async function answerOf(endUserId: string): Promise<{ messageId: string }> {
  const list = await (await here.get(`/conversations?endUserId=${endUserId}`)).json();
  const transcript = await (await here.get(`/conversations/${list.data[0].id}`)).json();
  return { messageId: transcript.messages[1].id };
}
