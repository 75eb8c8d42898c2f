import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ApiKeyScope } from '../../src/domain/generated/prisma/enums.ts';
import { newId } from '../../src/domain/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  askStream,
  type Frame,
  type FrameReader,
  joined,
  resumeAnswer,
} from '../support/frames.ts';
import { addDocuments } from '../support/knowledge.ts';
import { type OpenAiServer, type Reply, startOpenAiServer } from '../support/openai-server.ts';
import { type RestClient, refusal, restClient } from '../support/rest-client.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';

const message = 'Until when is check-out?';
const nowhere = '01980a3c-0000-7000-8000-000000000000';
/** An answer of 20 pieces that takes about half a second. */
const slow: Reply = { deltas: Array.from({ length: 20 }, (_, n) => `word${n} `), delayMs: 25 };
/** One that says this much and then nothing more. */
const stalled: Reply = { deltas: ['Until ', '11:00 ', 'or'], end: 'stall', finishReason: null };

let models: OpenAiServer;
let database: TestDatabase;
/** Two processes on one database. */
let nodes: { here: TestService; there: TestService };
let tenant: Tenant;
let key: string;
let here: RestClient;
let there: RestClient;

beforeAll(async () => {
  models = await startOpenAiServer();
  database = await createTestDatabase();
  nodes = { here: await startNode(true), there: await startNode(false) };
  tenant = await nodes.here.createTenant();
  key = await tenant.key();
  here = clientOf(nodes.here);
  there = clientOf(nodes.there);
  await addDocuments(nodes.here, tenant.projectId, {
    'Check-out.md': '# Check-out\n\nCheck-out is until 11:00. Late check-out costs 20 euros.',
  });
});
afterAll(async () => {
  await nodes?.here.stop();
  await nodes?.there.stop();
  await database?.drop();
  await models?.close();
});

function startNode(isWorker: boolean): Promise<TestService> {
  return startTestService({ database, isWorker, openAi: models.asChatModel });
}

function clientOf({ url }: TestService, secret = key): RestClient {
  return restClient(`${url}/api/v1`, secret);
}

/** Asks for an answer by this script, and reads until its first words are there. */
async function begin(
  client: RestClient,
  reply: Reply,
  body: object = { resumable: true },
): Promise<BegunAnswer> {
  models.script(reply);
  const asked = models.request(models.requests.length);
  const stream = await askStream(client, { message, ...body });
  const known = await stream.take(3);
  return { stream, known, messageId: known[0]?.messageId ?? '', asked };
}

function storedMessage(messageId: string) {
  return nodes.here.system.db.message.findFirstOrThrow({
    where: { id: messageId, projectId: tenant.projectId },
  });
}

async function untilStored(messageId: string, status: string): Promise<void> {
  await vi.waitUntil(async () => (await storedMessage(messageId)).status === status, {
    timeout: 10_000,
    interval: 50,
  });
}

interface BegunAnswer {
  readonly stream: FrameReader;
  /** What was read of it. */
  readonly known: readonly Frame[];
  readonly messageId: string;
  /** The request to the model. */
  readonly asked: Promise<{ readonly closed: Promise<void> }>;
}

const stop = (client: RestClient, messageId: string, body?: object) =>
  client.post(`/chat/${messageId}/stop`, body);

describe('a resumable answer whose reader leaves', () => {
  const places = [1, 2, 3, 5, 9, 14, 20, 22];

  test.each(['the same node', 'another node'])(
    'is read on at %s without a gap or a repetition, wherever it was left',
    async (where) => {
      await Promise.all(
        places.map(async (count) => {
          models.script(slow);
          const first = await askStream(here, { message, resumable: true });
          const known = await first.take(count);
          first.leave();
          const messageId = known[0]?.messageId ?? '';
          const client = where === 'another node' ? there : here;
          const rest = await (await resumeAnswer(client, messageId, count - 1)).rest();

          const all = [...known, ...rest];
          expect(all.map(({ seq }) => seq)).toEqual(all.map((_frame, index) => index));
          expect(all.map(({ type }) => type).join(' ')).toMatch(/^meta sources (delta )+done$/);
          expect(joined(all)).toBe(slow.deltas?.join(''));
          expect(all.at(-1)?.content).toBe(joined(all));
          expect(await storedMessage(messageId)).toMatchObject({
            status: 'COMPLETED',
            content: joined(all),
          });
          expect(await (await resumeAnswer(there, messageId)).rest()).toEqual(all);
        }),
      );
    },
  );

  test('goes on to its end although nobody reads it', async () => {
    const { stream, messageId } = await begin(here, slow);
    stream.leave();
    await untilStored(messageId, 'COMPLETED');
    expect((await storedMessage(messageId)).content).toBe(slow.deltas?.join(''));
  });

  test('goes on to its end where it was to be one JSON response', async () => {
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
    await untilStored(messageId, 'COMPLETED');
    const all = await (await resumeAnswer(here, messageId)).rest();
    expect(joined(all)).toBe(slow.deltas?.join(''));
  });

  test('is read by many at once, from both nodes, all alike', async () => {
    const { stream, messageId } = await begin(here, slow);
    const readers = await Promise.all(
      [here, there, here, there].map((client) => resumeAnswer(client, messageId)),
    );
    const [first, ...others] = await Promise.all(readers.map((reader) => reader.rest()));
    for (const other of others) expect(other).toEqual(first);
    expect(await stream.rest()).toEqual(first?.slice(3));
  });

  test('is 100 answers at once on one node, none of which is lost or mixed up', {
    timeout: 60_000,
  }, async () => {
    const texts = Array.from({ length: 100 }, (_, n) => ['Until ', '11:00 ', `(${n})`]);
    models.script(...texts.map((deltas) => ({ deltas, delayMs: 100 })));
    const known = await Promise.all(
      texts.map(async () => {
        const stream = await askStream(here, { message, resumable: true });
        const [meta] = await stream.take(1);
        stream.leave();
        return meta?.messageId ?? '';
      }),
    );
    const answers = await Promise.all(
      known.map(async (messageId, n) => {
        const frames = await (await resumeAnswer(n % 2 ? here : there, messageId, 0)).rest();
        expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_frame, index) => index + 1));
        expect(frames.at(-1)).toMatchObject({ messageId, content: joined(frames) });
        return joined(frames);
      }),
    );
    expect(answers.sort()).toEqual(texts.map((deltas) => deltas.join('')).sort());
  });
});

describe('a stream that is resumed', () => {
  test('opens at once, also while nothing happens', async () => {
    const { stream, messageId } = await begin(here, stalled);
    await stream.take(2);
    const readers = [
      await resumeAnswer(here, messageId, 4),
      await resumeAnswer(there, messageId, 4),
    ];
    await stop(here, messageId);
    for (const reader of readers) {
      expect(await reader.rest()).toMatchObject([{ type: 'done', seq: 5 }]);
    }
  });

  test('is empty behind its last event, and ends at once', async () => {
    const { stream, messageId } = await begin(here, slow);
    const last = (await stream.rest()).at(-1)?.seq ?? 0;
    for (const after of [last, last + 1, 2_147_483_647]) {
      expect(await (await resumeAnswer(there, messageId, after)).rest()).toEqual([]);
    }
    expect(await (await resumeAnswer(there, messageId, last - 1)).rest()).toHaveLength(1);
  });

  test('is there until ten minutes after its end', async () => {
    const { stream, messageId } = await begin(here, slow);
    await stream.rest();
    const endedAgo = (seconds: number) =>
      nodes.here.adapters.pool.query(
        'update grounded.messages set alive_at = now() - make_interval(secs => $2) where id = $1',
        [messageId, seconds],
      );
    await endedAgo(590);
    expect(await (await resumeAnswer(here, messageId, 3)).next()).toMatchObject({ seq: 4 });
    await endedAgo(601);
    expect(await refusal(here.get(`/chat/${messageId}/stream`))).toMatchObject({
      statusCode: 404,
      code: 'NOT_FOUND',
    });
  });

  test('ends with an error where its process died, and the message is given back', async () => {
    const { stream, messageId } = await begin(here, slow);
    const all = await stream.rest();
    const used = await messagesUsed();
    await die(messageId, 10);
    const frames = await (await resumeAnswer(there, messageId, 7)).rest();
    expect(frames).toMatchObject([
      { type: 'delta', seq: 8 },
      { type: 'delta', seq: 9 },
      { type: 'error', seq: 10, code: 'UNAVAILABLE', retryable: true },
    ]);
    expect(all.length).toBeGreaterThan(10);
    expect((await storedMessage(messageId)).status).toBe('FAILED');
    expect(await messagesUsed()).toBe(used - 1);
    for (const after of [9, 15]) {
      expect(await (await resumeAnswer(here, messageId, after)).rest()).toMatchObject([
        { type: 'error', seq: after + 1 },
      ]);
    }
  });

  /** As if its process had been killed a minute ago, when so many events were stored. */
  async function die(messageId: string, count: number): Promise<void> {
    const { pool } = nodes.here.adapters;
    await pool.query('delete from grounded.answer_events where message_id = $1 and seq >= $2', [
      messageId,
      count,
    ]);
    await pool.query(
      `update grounded.messages set status = 'GENERATING', alive_at = now() - interval '61 seconds'
       where id = $1`,
      [messageId],
    );
  }
});

describe('an answer that is not resumable', () => {
  test('is ended by a client that leaves, and the model with it, within a second', async () => {
    const { stream, messageId, asked } = await begin(here, stalled, {});
    const closed = (await asked).closed.then(() => true);
    stream.leave();
    const second = new Promise((resolve) => setTimeout(resolve, 1000, false));
    expect(await Promise.race([closed, second])).toBe(true);
    await untilStored(messageId, 'STOPPED');
  });

  test('has no stream to resume', async () => {
    const { stream, messageId } = await begin(here, slow, {});
    for (const client of [here, there]) {
      const error = await refusal(client.get(`/chat/${messageId}/stream`));
      expect(error).toMatchObject({ statusCode: 404, code: 'NOT_FOUND' });
    }
    await stream.rest();
  });
});

describe('stopping an answer', () => {
  const cases = (['the same node', 'another node'] as const).flatMap((where) =>
    [true, false].map((resumable) => ({ where, resumable })),
  );

  test.each(cases)(
    'from $where keeps what there is and tells its reader (resumable: $resumable)',
    async ({ where, resumable }) => {
      const used = await messagesUsed();
      const { stream, known, messageId, asked } = await begin(here, stalled, { resumable });
      const more = await stream.take(2);
      const startedAt = performance.now();
      const response = await stop(where === 'the same node' ? here : there, messageId);
      const tookMs = performance.now() - startedAt;
      const content = 'Until 11:00 or';
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({
        id: messageId,
        role: 'ASSISTANT',
        content,
        citations: [expect.objectContaining({ documentName: 'Check-out.md' })],
        confidence: expect.any(Number),
        latencyMs: expect.any(Number),
        status: 'STOPPED',
        createdAt: expect.any(String),
      });
      expect(tookMs).toBeLessThan(where === 'the same node' ? 1_000 : 2_000);
      expect(await stream.rest()).toMatchObject([{ type: 'done', seq: 5, content }]);
      expect(joined([...known, ...more])).toBe(content);
      await (await asked).closed;
      expect(await messagesUsed()).toBe(used + 1);
      expect((await storedMessage(messageId)).content).toBe(content);
    },
  );

  test('reaches all who read it, wherever they do', async () => {
    const { stream, messageId } = await begin(here, stalled);
    const readers = [
      stream,
      await resumeAnswer(here, messageId),
      await resumeAnswer(there, messageId),
    ];
    expect((await stop(there, messageId)).status).toBe(200);
    for (const reader of readers) {
      expect((await reader.rest()).at(-1)).toMatchObject({
        type: 'done',
        content: 'Until 11:00 or',
      });
    }
  });

  test('that was to be one JSON response gives it with what there is', async () => {
    models.script(stalled);
    const asked = models.request(models.requests.length);
    const response = here.post('/chat', { message, endUserId: 'waits' });
    await (await asked).written;
    const { messageId } = await answerOf('waits');
    expect(await (await stop(there, messageId)).json()).toMatchObject({ status: 'STOPPED' });
    const reply = await (await response).json();
    expect(reply).toMatchObject({ messageId, content: 'Until 11:00 or' });
  });

  test('again, or once it has ended, just shows it', async () => {
    const stopped = await begin(here, stalled);
    const first = await (await stop(here, stopped.messageId)).json();
    for (const client of [here, there]) {
      expect(await (await stop(client, stopped.messageId)).json()).toEqual(first);
    }
    const whole = await begin(here, slow);
    await whole.stream.rest();
    expect(await (await stop(there, whole.messageId)).json()).toMatchObject({
      status: 'COMPLETED',
      content: slow.deltas?.join(''),
    });
  });

  test('by two at once is one end', async () => {
    const { stream, messageId } = await begin(here, stalled);
    const answers = await Promise.all([stop(here, messageId), stop(there, messageId)]);
    const [first, second] = await Promise.all(answers.map((answer) => answer.json()));
    expect(first).toEqual(second);
    expect((await stream.rest()).filter(({ type }) => type === 'done')).toHaveLength(1);
  });

  test('needs an answer of the assistant', async () => {
    const { stream, messageId } = await begin(here, slow);
    await stream.rest();
    const { conversationId } = await storedMessage(messageId);
    const { id: questionId } = await nodes.here.system.db.message.findFirstOrThrow({
      where: { conversationId, projectId: tenant.projectId, role: 'USER' },
    });
    for (const id of [questionId, nowhere, 'nonsense']) {
      expect(await refusal(stop(here, id))).toMatchObject({ statusCode: 404, code: 'NOT_FOUND' });
    }
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
    const begun = await begin(here, slow);
    await begun.stream.rest();
    messageId = begun.messageId;
  });

  test('is refused without a key that has the scope chat', async () => {
    const scopes = Object.values(ApiKeyScope).filter((scope) => scope !== 'CHAT');
    expect(await refusal(call(clientOf(nodes.here, 'sk_no'), messageId))).toMatchObject({
      statusCode: 401,
    });
    const client = clientOf(nodes.here, await tenant.key({ scopes }));
    const error = await refusal(call(client, messageId));
    expect(error).toMatchObject({ statusCode: 403, code: 'SCOPE_MISSING' });
    expect(error.message).toContain('chat');
  });

  test('takes the project of an org-wide key, and of no other', async () => {
    const client = clientOf(nodes.here, await tenant.key({ isOrgWide: true }));
    expect(await refusal(call(client, messageId))).toMatchObject({
      statusCode: 400,
      code: 'PROJECT_REQUIRED',
    });
    expect((await call(client, messageId, tenant.projectId)).status).toBe(200);
    expect(await refusal(call(client, messageId, nowhere))).toMatchObject({ statusCode: 404 });
    expect(await refusal(call(here, messageId, tenant.projectId))).toMatchObject({
      statusCode: 400,
    });
  });

  test('finds no answer of another tenant or of nobody', async () => {
    const stranger = clientOf(nodes.here, await (await nodes.here.createTenant()).key());
    expect(await refusal(call(stranger, messageId))).toMatchObject({ statusCode: 404 });
    for (const id of [nowhere, 'nonsense']) {
      expect(await refusal(call(here, id))).toMatchObject({ statusCode: 404, code: 'NOT_FOUND' });
    }
  });

  test('finds a running answer of another tenant no more than one that has ended', async () => {
    const running = await begin(here, stalled);
    const stranger = clientOf(nodes.here, await (await nodes.here.createTenant()).key());
    expect(await refusal(call(stranger, running.messageId))).toMatchObject({ statusCode: 404 });
    await stop(here, running.messageId);
  });

  test('finds nothing while a person has the conversation', async () => {
    const { db } = nodes.here.system;
    const { projectId } = tenant;
    const { conversationId } = await storedMessage(messageId);
    await db.handoff.create({
      data: { id: newId(), projectId, conversationId, status: 'CLAIMED' },
    });
    await db.conversation.update({ where: { id: conversationId }, data: { status: 'HUMAN' } });
    const stream = await askStream(here, { message, conversationId, resumable: true });
    const frames = await stream.rest();
    expect(frames.map(({ type }) => type)).toEqual(['meta', 'sources', 'delta', 'done']);
    const held = frames[0]?.messageId ?? '';
    expect(await refusal(call(here, held))).toMatchObject({ statusCode: 404 });
  });
});

test.each(['-1', '1.5', 'x', '', '2147483648', '99999999999999999999'])(
  'the stream after "%s" is refused with 400',
  async (after) => {
    const error = await refusal(here.get(`/chat/${nowhere}/stream?after=${after}`));
    expect(error).toMatchObject({ statusCode: 400, code: 'VALIDATION_FAILED' });
    expect(error.message).toEqual([expect.stringMatching(/^after must be an integer/)]);
  },
);

test('a service that stops ends its answers with an error, for readers on every node', {
  timeout: 30_000,
}, async () => {
  const node = await startNode(false);
  const used = await messagesUsed();
  const read = await begin(clientOf(node), stalled);
  const away = await resumeAnswer(there, read.messageId, 4);
  const unread = await begin(clientOf(node), stalled);
  await unread.stream.take(2);
  unread.stream.leave();

  const startedAt = performance.now();
  await node.stop();
  expect(performance.now() - startedAt).toBeLessThan(9_000);
  const last = { type: 'error', seq: 5, code: 'UNAVAILABLE', retryable: true };
  expect((await read.stream.rest()).at(-1)).toMatchObject(last);
  expect(await away.rest()).toMatchObject([last]);
  expect(await (await resumeAnswer(here, unread.messageId, 4)).rest()).toMatchObject([last]);
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

/** The answer in the only conversation of an end user. */
async function answerOf(endUserId: string): Promise<{ messageId: string }> {
  const list = await (await here.get(`/conversations?endUserId=${endUserId}`)).json();
  const transcript = await (await here.get(`/conversations/${list.data[0].id}`)).json();
  return { messageId: transcript.messages[1].id };
}
