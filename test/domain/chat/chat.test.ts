import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatEvent } from '../../../src/domain/chat/chat-event.ts';
import { closeStaleAnswersJob } from '../../../src/domain/chat/finalize-turn.ts';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { streamAnswer } from '../../../src/domain/chat/stream-answer.ts';
import { type Context, createContext } from '../../../src/domain/context.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { addDocuments } from '../../support/knowledge.ts';
import type { OpenAiServer } from '../../support/servers/openai-server.ts';
import type { Tenant, TestService } from '../../support/service.ts';
import { startServiceWithModel } from '../../support/service-with-model.ts';
import { waitUntil } from '../../support/wait-until.ts';

let models: OpenAiServer;
let service: TestService;
let tenant: Tenant;
let projectId: string;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  tenant = await service.createTenant();
  projectId = tenant.projectId;
  await addDocuments(service, projectId, {
    'Check-out.md':
      '# Check-out\n\nCheck-out is until 11:00. Late check-out costs 20 euros an hour.',
    'Sauna.md': '# Sauna\n\nThe sauna opens at 16:00 and closes at 22:00. Towels are free.',
  });
});
afterAll(() => service?.stop());

const question = 'Until when is check-out?';

function contextWith(signal: AbortSignal): Context {
  return createContext(service.adapters, { type: 'service' }, { signal, requestId: null });
}

async function collect(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function transcript(conversationId: string) {
  return service.system.db.message.findMany({
    where: { conversationId, projectId },
    orderBy: { position: 'asc' },
    select: {
      role: true,
      status: true,
      content: true,
      position: true,
      confidence: true,
      model: true,
    },
  });
}

function lastPrompt(): string {
  return JSON.stringify(models.requests.at(-1)?.body.messages);
}

test('an answer consists of meta, sources, deltas and done; the deltas equal the returned and stored text', async () => {
  models.script({ deltas: ['Until ', '11:00', ' [1]', '.'] });
  const events = await collect(
    await streamAnswer(service.system, { projectId, message: question }),
  );
  expect(events.map(({ type }) => type).join(' ')).toMatch(/^meta sources (delta )+done$/);

  const text = events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
  const done = events.at(-1);
  if (done?.type !== 'done') throw new Error('no done');
  expect(text).toBe('Until 11:00 [1].');
  expect(done.reply.content).toBe(text);
  expect(done.reply.citations[0]).toMatchObject({
    documentName: 'Check-out.md',
    quote: expect.stringContaining('Check-out is until 11:00.'),
  });
  expect(await transcript(done.reply.conversationId)).toMatchObject([
    { role: 'USER', content: question, position: 1 },
    { role: 'ASSISTANT', content: text, position: 2, status: 'COMPLETED', model: 'stand-in' },
  ]);
});

test('quotes are in their chunk at the offsets of the citation', async () => {
  models.script({ deltas: ['Until 11:00 [1].'] });
  const reply = await sendMessage(service.system, { projectId, message: question });
  for (const citation of reply.citations) {
    const chunk = await service.adapters.pool.query(
      'select content, start_offset, end_offset from grounded.chunks where id = $1',
      [citation.chunkId],
    );
    expect(chunk.rows[0]).toMatchObject({
      start_offset: citation.startOffset,
      end_offset: citation.endOffset,
      content: expect.stringContaining(citation.quote ?? ''),
    });
  }
});

test('a question for which search finds nothing is answered with "I don\'t know", without a model call', async () => {
  const before = models.requests.length;
  const empty = await service.createTenant();
  const message = 'Which volcano erupted in Iceland in 1783?';
  const reply = await sendMessage(service.system, { projectId: empty.projectId, message });
  expect(reply).toMatchObject({ citations: [], content: expect.stringContaining("I don't know") });
  expect(reply.confidence).toBeLessThanOrEqual(0.2);
  expect(models.requests).toHaveLength(before);
});

test('a follow-up is searched in its rewritten form and answered in its original form', async () => {
  models.script({ deltas: ['Until 11:00 [1].'] });
  const first = await sendMessage(service.system, { projectId, message: question });
  models.script(
    { deltas: ['What does late check-out cost?'] },
    { deltas: ['20 euros an hour [1].'] },
  );
  const message = 'And how much is it later?';
  const reply = await sendMessage(service.system, {
    projectId,
    message,
    conversationId: first.conversationId,
  });
  expect(reply.conversationId).toBe(first.conversationId);
  expect(reply.citations[0]?.documentName).toBe('Check-out.md');
  expect(lastPrompt()).toContain(message);
  expect(lastPrompt()).toContain(question);
});

test.each([
  ['fails', { status: 400, body: '{"error":{"message":"no"}}' }],
  ['is empty', { deltas: [' '] }],
])(
  "a follow-up is searched with the words of its topic if the model's rewrite %s",
  async (_, rewrite) => {
    models.script({ deltas: ['Until 11:00 [1].'] });
    const first = await sendMessage(service.system, { projectId, message: question });
    models.script(rewrite, { deltas: ['It costs 20 euros an hour [1].'] });
    const reply = await sendMessage(service.system, {
      projectId,
      message: 'And how much is it?',
      conversationId: first.conversationId,
    });
    expect(reply.content).toBe('It costs 20 euros an hour [1].');
    expect(reply.citations[0]?.documentName).toBe('Check-out.md');
  },
);

test('concurrent questions in one conversation are all answered, each directly after its question', async () => {
  const { conversationId } = await sendMessage(service.system, { projectId, message: question });
  const messages = Array.from({ length: 10 }, (_, n) => `When does the sauna open on day ${n}?`);
  await Promise.all(
    messages.map((message) => sendMessage(service.system, { projectId, message, conversationId })),
  );
  const stored = await transcript(conversationId);
  expect(stored.map(({ position }) => position)).toEqual(stored.map((_, index) => index + 1));
  expect(stored.map(({ role }) => role)).toEqual(
    stored.map((_, i) => (i % 2 ? 'ASSISTANT' : 'USER')),
  );
  expect(
    stored
      .slice(2)
      .filter(({ role }) => role === 'USER')
      .map(({ content }) => content)
      .sort(),
  ).toEqual(messages);
  expect(stored.every(({ status }) => status === 'COMPLETED')).toBe(true);
});

describe('if the model fails in the middle', () => {
  test('the answer ends with an error, and the partial answer is stored as FAILED', async () => {
    models.script({ deltas: ['Until ', '11:00 ', 'and'], finishReason: null, end: 'cut' });
    const events = await collect(
      await streamAnswer(service.system, { projectId, message: question }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'MODEL_ERROR' });
    expect(events.some(({ type }) => type === 'done')).toBe(false);
    const [meta] = events;
    if (meta?.type !== 'meta') throw new Error('no meta');
    const [user, assistant] = await transcript(meta.conversationId);
    expect(user).toMatchObject({ content: question, status: 'COMPLETED' });
    expect(assistant?.status).toBe('FAILED');
    expect(assistant?.content).toContain('Until 11:00');
  });

  test('a caller waiting for the complete answer receives the same error code', async () => {
    models.script({ deltas: ['Until'], finishReason: null, end: 'done' });
    await expect(
      sendMessage(service.system, { projectId, message: question }),
    ).rejects.toMatchObject({
      code: 'MODEL_ERROR',
    });
  });
});

describe('if the caller disconnects', () => {
  test('the model is stopped, and the partial answer is stored as STOPPED', async () => {
    const gone = new AbortController();
    models.script({ deltas: ['Until ', '11:00 today. '], end: 'stall' });
    const asked = models.request(models.requests.length);
    const events: ChatEvent[] = [];
    for await (const event of await streamAnswer(contextWith(gone.signal), {
      projectId,
      message: question,
    })) {
      events.push(event);
      if (event.type === 'delta') gone.abort();
    }
    await (await asked).closed;
    const [meta] = events;
    if (meta?.type !== 'meta') throw new Error('no meta');
    const [, assistant] = await transcript(meta.conversationId);
    expect(assistant?.status).toBe('STOPPED');
    expect(assistant?.content).toContain('Until');
  });

  test('a consumer that stops reading has the same effect', async () => {
    models.script({ deltas: ['Until ', '11:00 today. '], end: 'stall' });
    const asked = models.request(models.requests.length);
    let conversationId = '';
    for await (const event of await streamAnswer(service.system, {
      projectId,
      message: question,
    })) {
      if (event.type === 'meta') conversationId = event.conversationId;
      if (event.type === 'delta') break;
    }
    await (await asked).closed;
    expect((await transcript(conversationId))[1]?.status).toBe('STOPPED');
  });

  test('a shutdown instead fails the answer and returns an error to the caller', async () => {
    models.script({ deltas: ['Until ', '11:00 today. '], end: 'stall' });
    const stopping = new AbortController();
    const events: ChatEvent[] = [];
    for await (const event of await streamAnswer(contextWith(stopping.signal), {
      projectId,
      message: question,
    })) {
      events.push(event);
      if (event.type === 'delta') stopping.abort(new DomainError('UNAVAILABLE', 'Stopping'));
    }
    const [meta] = events;
    if (meta?.type !== 'meta') throw new Error('no meta');
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'UNAVAILABLE' });
    expect((await transcript(meta.conversationId))[1]?.status).toBe('FAILED');
  });
});

describe('a conversation', () => {
  test('is not found in another project, nor by another end user', async () => {
    const { conversationId } = await sendMessage(service.system, {
      projectId,
      message: question,
      endUserId: 'ada',
    });
    const other = await service.createTenant();
    const refused = { code: 'NOT_FOUND' };
    const again = (input: object) =>
      sendMessage(service.system, { projectId, message: question, conversationId, ...input });
    await expect(again({ projectId: other.projectId })).rejects.toMatchObject(refused);
    await expect(again({ endUserId: 'bob' })).rejects.toMatchObject(refused);
    await expect(again({ conversationId: 'nonsense' })).rejects.toMatchObject(refused);
    await expect(again({ endUserId: 'ada' })).resolves.toMatchObject({ conversationId });
    await expect(again({})).resolves.toMatchObject({ conversationId });
  });

  test('is assigned to the first end user named', async () => {
    const { conversationId } = await sendMessage(service.system, { projectId, message: question });
    const ask = (endUserId: string) =>
      sendMessage(service.system, { projectId, message: question, conversationId, endUserId });
    await ask('ada');
    await expect(ask('bob')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('fails an answer whose process died', async () => {
    const { conversationId } = await sendMessage(service.system, { projectId, message: question });
    await service.adapters.pool.query(
      `update grounded.messages set status = 'GENERATING', lease_renewed_at = now() - interval '1 hour'
       where conversation_id = $1 and role = 'ASSISTANT'`,
      [conversationId],
    );
    await service.adapters.queue.enqueue(service.system.db, closeStaleAnswersJob, {});
    await waitUntil(async () => (await transcript(conversationId))[1]?.status === 'FAILED', {
      timeoutMs: 20_000,
    });
  });
});

test('documents are fenced as data in the prompt, and markers without a source are removed', async () => {
  models.script({ deltas: ['Until 11:00 [', '9] and [1', '].'] });
  const reply = await sendMessage(service.system, { projectId, message: question });
  expect(reply.content).toBe('Until 11:00 and [1].');
  expect(lastPrompt()).toMatch(/<source-[^ ]+ number=/);
});
