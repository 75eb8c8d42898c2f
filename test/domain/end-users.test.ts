import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChatEvent } from '../../src/domain/chat/chat-event.ts';
import { createRunningAnswerRegistry } from '../../src/domain/chat/runs/create-running-answers.ts';
import { streamAnswer } from '../../src/domain/chat/stream-answer.ts';
import { type Context, createContext, createSystemContext } from '../../src/domain/context.ts';
import { eraseBatch } from '../../src/domain/end-users/erase-batch.ts';
import { eraseEndUser } from '../../src/domain/end-users/erase-end-user.ts';
import { exportEndUser } from '../../src/domain/end-users/export-end-user.ts';
import { getEvaluation, startEvaluation } from '../../src/domain/evaluation/evaluation-runs.ts';
import type { QuestionInput } from '../../src/domain/evaluation/question-rows.ts';
import { createQuestionSet } from '../../src/domain/evaluation/question-sets.ts';
import { updateSetQuestion } from '../../src/domain/evaluation/set-questions.ts';
import { giveFeedback } from '../../src/domain/feedback/give-feedback.ts';
import { claimIdempotencyKey } from '../../src/domain/idempotency/claim-idempotency-key.ts';
import { createProject } from '../../src/domain/organizations/projects.ts';
import { getUsage } from '../../src/domain/usage/usage.ts';
import { createWebhookEndpoint } from '../../src/domain/webhooks/create-webhook-endpoint.ts';
import { restClient } from '../support/api/rest-client.ts';
import { addConversation } from '../support/conversations.ts';
import { serverUrl } from '../support/database/database.ts';
import { dumpAllRows, pgDump } from '../support/database/dump-database.ts';
import { addDocuments } from '../support/knowledge.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

const question = 'Until when is check-out?';

let models: OpenAiServer;
let service: TestService;
let tenant: Tenant;
let projectId: string;
let receiver: WebhookReceiver;

beforeAll(async () => {
  models = await startOpenAiServer();
  service = await startTestService({
    openAi: models.chatModelConfig,
    allowPrivateWebhooks: true,
  });
});
afterAll(async () => {
  await service?.stop();
  await models?.close();
});
beforeEach(async () => {
  tenant = await service.createTenant();
  projectId = tenant.projectId;
  await addDocuments(service, projectId, {
    'Check-out.md':
      'Until when is check-out? Check-out is until 11:00. Says who? Says the house, again.',
  });
  receiver = await startWebhookReceiver();
});
afterEach(() => receiver?.close());

/** Returns an end user whose data differs from all other data. */
function newPerson() {
  const mark = randomUUID().slice(0, 8);
  return {
    endUserId: `guest-${mark}`,
    email: `ada-${mark}@example.com`,
    name: `Ada ${mark}`,
    mark,
  };
}

type Person = ReturnType<typeof newPerson>;

/** Creates data of the end user in every table: two conversations, one of which is resumable and has a handoff. */
async function leaveTraces({ endUserId, email, name, mark }: Person) {
  const key = await tenant.key({ isOrgWide: true });
  const client = restClient(`${service.url}/api/v1`, key);
  const post = (path: string, body: object) =>
    client.send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `${path}-${name}` },
      body: JSON.stringify({ projectId, ...body }),
    });
  receiver.replyWith({ status: 500, body: [`cannot tell ${email}`] });
  await createWebhookEndpoint(service.system, { projectId, url: `${receiver.url}?token=hidden` });

  models.script({ deltas: [`Dear ${name}, until 11:00.`] });
  const first = await (await post('/chat', { message: question, endUserId })).json();
  const resumable = { message: `I am ${mark}.`, endUserId, stream: true, resumable: true };
  const stream = await client.send('/chat', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `stream-${name}` },
    body: JSON.stringify({ projectId, ...resumable }),
  });
  await stream.text();
  const reason = `${mark} is locked out`;
  const { conversationId, messageId } = first;
  const handoff = await (await post('/handoff', { conversationId, email, name, reason })).json();
  await service.system.db.handoffSatisfaction.create({
    data: {
      ...{ handoffId: handoff.handoffId, projectId, agent: 'agent@example.com' },
      ...{ rating: 2, ratedAt: new Date(), comment: `Slow, says ${mark}` },
    },
  });
  await giveFeedback(service.system, {
    projectId,
    messageId,
    rating: 'DOWN',
    comment: `No, says ${mark}`,
  });
  await evaluate({
    question: `Who is ${mark}?`,
    conversationId,
    expected: [[`${name} is a guest`]],
  });
  await waitUntil(
    async () => (await service.system.db.webhookAttempt.count({ where: ofProject() })) > 0,
    { intervalMs: 50 },
  );
  return { conversationId, messageId };
}

/** Adds a question to a new set, runs it, changes it and runs it again. */
async function evaluate(question: QuestionInput) {
  const { system } = service;
  const set = await createQuestionSet(system, { projectId, name: 'Asked', questions: [question] });
  const where = { setId: set.id, projectId };
  const run = async () => {
    models.script({ deltas: [`${question.question} I cannot say.`] });
    const { id } = await startEvaluation(system, where);
    await waitUntil(async () => (await getEvaluation(system, { id })).finishedAt !== null);
  };
  await run();
  const { id } = await system.db.setQuestion.findFirstOrThrow({ where });
  await updateSetQuestion(system, { id, question: `${question.question} Please.` });
  await run();
}

const ofProject = () => ({ delivery: { projectId } });

const erase = (endUserId: string, context: Context = service.system) =>
  eraseEndUser(context, { projectId, endUserId });

function sentBy(endUserId: string) {
  return service.system.db.message.count({ where: { projectId, conversation: { endUserId } } });
}

/** Starts a chat in the process of `context` and reads up to the meta event. */
async function begin(context: Context, endUserId: string, isResumable = false) {
  const events = await streamAnswer(context, {
    projectId,
    message: question,
    endUserId,
    resumable: isResumable,
  });
  const { value } = await events.next();
  if (value?.type !== 'meta') throw new Error('no meta');
  return { events, messageId: value.messageId };
}

async function collect(events: AsyncIterable<ChatEvent>): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of events) types.push(type);
  return types;
}

describe('after erasure', () => {
  test('no table and no dump contains the id, address, name or texts of the end user', async () => {
    const person = newPerson();
    await leaveTraces(person);
    const before = await dumpAllRows(service.database.url);
    for (const trace of Object.values(person)) expect(before).toContain(trace);
    for (const kept of [
      'grounded.idempotency_keys',
      'grounded.answer_events',
      'grounded.webhook_attempts',
      'grounded.message_feedback',
      'grounded.handoff_satisfaction',
      'grounded.inbox_events',
      'grounded.set_questions',
      'grounded.evaluation_results',
      'grounded_jobs.job',
    ]) {
      expect(before).toContain(kept);
    }

    expect(await erase(person.endUserId)).toEqual({
      conversations: 2,
      messages: 4,
      handoffs: 1,
      satisfaction: 1,
      notes: 0,
      inboxEvents: 1,
      feedback: 1,
      questions: 2,
      streamEvents: expect.any(Number),
      webhookEvents: 1,
      webhookDeliveries: 1,
      webhookAttempts: 1,
      jobs: expect.any(Number),
      keptAnswers: 3,
    });
    const after = await dumpAllRows(service.database.url);
    for (const trace of Object.values(person)) expect(after).not.toContain(trace);
    const [set] = await service.system.db.questionSet.findMany({ where: { projectId } });
    expect(set).toMatchObject({ questionCount: 0, version: 3 });

    const dump = serverUrl() === undefined ? null : await pgDump(service.database.url);
    if (dump === null) return;
    expect(dump).toContain(projectId);
    for (const trace of Object.values(person)) expect(dump).not.toContain(trace);
  }, 60_000);

  test('other end users, the documents and the recorded usage are unchanged', async () => {
    const [person, other] = [newPerson(), newPerson()];
    const elsewhere = await createProject(service.system, {
      organizationId: tenant.organizationId,
      name: 'Spa',
    });
    const kept = [
      await addConversation(service, projectId, { endUserId: other.endUserId, messages: ['a'] }),
      await addConversation(service, projectId, { messages: ['b'] }),
      await addConversation(service, elsewhere.id, {
        endUserId: person.endUserId,
        messages: ['c'],
      }),
    ];
    await leaveTraces(other);
    await leaveTraces(person);
    const { organizationId } = tenant;
    const { storage, ...usage } = await getUsage(service.system, { organizationId });
    const others = await exportEndUser(service.system, { projectId, endUserId: other.endUserId });

    await erase(person.endUserId);
    const after = await getUsage(service.system, { organizationId });
    expect(after).toEqual({ ...usage, storage: after.storage });
    expect(after.storage.usedBytes).toBeLessThan(storage.usedBytes);
    expect(await exportEndUser(service.system, { projectId, endUserId: other.endUserId })).toEqual(
      others,
    );
    expect(await service.system.db.conversation.count({ where: { id: { in: kept } } })).toBe(3);
    expect(await service.system.db.document.count({ where: { projectId } })).toBe(1);
  }, 60_000);

  test('a second erasure finds nothing, and a new message starts a new history', async () => {
    const { endUserId } = newPerson();
    const conversationId = await addConversation(service, projectId, {
      endUserId,
      messages: ['a'],
    });
    expect(await erase(endUserId)).toMatchObject({ conversations: 1, messages: 1 });
    expect(Object.values(await erase(endUserId))).toEqual(Array(14).fill(0));

    const message = question;
    const old = await streamAnswer(service.system, {
      projectId,
      message,
      endUserId,
      conversationId,
    });
    await expect(old.next()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    models.script({ deltas: ['Until 11:00.'] });
    const { events } = await begin(service.system, endUserId);
    expect(await collect(events)).toContain('done');
    expect(await sentBy(endUserId)).toBe(2);
  });
});

describe('an answer that is being generated', () => {
  /** Returns the context of a second process on the same database, with its own registry of running answers. */
  const otherProcess = (): Context => ({
    ...service.system,
    runningAnswers: createRunningAnswerRegistry(service.adapters),
  });

  test.each([
    ['in this process', () => service.system, false],
    ['in another process', otherProcess, false],
    ['in another process, resumable', otherProcess, true],
  ] as const)(
    '%s is stopped and does not reappear',
    async (_where, place, isResumable) => {
      const { endUserId } = newPerson();
      models.script({ deltas: ['Until ', '11:00'], finishReason: null, end: 'stall' });
      const { events, messageId } = await begin(place(), endUserId, isResumable);
      const asked = models.request(models.requests.length);
      const rest = collect(events);
      await asked;
      expect(await erase(endUserId)).toMatchObject({ conversations: 1, messages: 2 });
      expect((await rest).at(-1)).toBe('done');
      expect(await sentBy(endUserId)).toBe(0);
      const { rows } = await service.adapters.pool.query(
        'select from grounded.answer_events where message_id = $1',
        [messageId],
      );
      expect(rows).toEqual([]);
    },
    30_000,
  );

  test('is closed if its process has died', async () => {
    const { endUserId } = newPerson();
    const conversationId = await addConversation(service, projectId, {
      endUserId,
      messages: ['a'],
    });
    models.script({ deltas: ['Until 11:00.'] });
    await collect((await begin(service.system, `not-${endUserId}`)).events);
    await service.adapters.pool.query(
      `insert into grounded.messages (id, conversation_id, project_id, position, role, status, lease_renewed_at)
       values ($1, $2, $3, 9, 'ASSISTANT', 'GENERATING', now() - interval '61 seconds')`,
      [randomUUID(), conversationId, projectId],
    );
    expect(await erase(endUserId)).toMatchObject({ conversations: 1, messages: 2 });
  });

  test('delays the erasure until a request that is storing its response has finished', async () => {
    const { endUserId } = newPerson();
    await tenant.key();
    const { id: keyId } = await service.system.db.apiKey.findFirstOrThrow({
      where: { organizationId: tenant.organizationId },
    });
    const request = { keyId, idempotencyKey: 'k', fingerprint: Buffer.alloc(32) };
    const state = await claimIdempotencyKey(service.system, request);
    if (state.type !== 'CLAIMED') throw new Error('not claimed');
    const conversationId = await addConversation(service, projectId, {
      endUserId,
      messages: ['a'],
    });

    expect(await eraseBatch(service.system, { projectId, endUserId })).toBe('BUSY');
    expect(await sentBy(endUserId)).toBe(1);
    const erasing = erase(endUserId);
    const body = JSON.stringify({ conversationId, content: `for ${endUserId}` });
    await state.claim.store({ status: 200, headers: {}, body });
    expect(await erasing).toMatchObject({ conversations: 1, keptAnswers: 1 });
    expect(await dumpAllRows(service.database.url)).not.toContain(endUserId);
  });

  test('of another request, started later, does not delay it', async () => {
    const { endUserId } = newPerson();
    await addConversation(service, projectId, { endUserId, messages: ['a'] });
    await tenant.key();
    const { id: keyId } = await service.system.db.apiKey.findFirstOrThrow({
      where: { organizationId: tenant.organizationId },
    });
    await setImmediate();
    await service.adapters.pool.query(
      `insert into grounded.idempotency_keys (key_id, idempotency_key, fingerprint, runner, expires_at, created_at)
       values ($1, 'later', $2, $3, now() + interval '1 minute', now() + interval '1 second')`,
      [keyId, Buffer.alloc(32), randomUUID()],
    );
    expect(await erase(endUserId)).toMatchObject({ conversations: 1 });
  });
});

test('five thousand messages are deleted in batches of whole conversations', async () => {
  const { endUserId } = newPerson();
  for (let n = 0; n < 10; n += 1) {
    await addConversation(service, projectId, { endUserId, messages: Array(500).fill('a word') });
  }
  const batch = await eraseBatch(service.system, { projectId, endUserId });
  expect(batch).toMatchObject({ conversations: 4, messages: 2_000 });
  expect(await erase(endUserId)).toMatchObject({ conversations: 6, messages: 3_000 });
}, 60_000);

test('an erasure stops between two batches if its caller disconnects', async () => {
  const { endUserId } = newPerson();
  await addConversation(service, projectId, { endUserId, messages: ['a'] });
  const left = createSystemContext(service.adapters, AbortSignal.abort());
  await expect(erase(endUserId, left)).rejects.toThrow(/abort/i);
  expect(await sentBy(endUserId)).toBe(1);
});

test('an export contains everything about the end user, is repeatable, and contains no secrets', async () => {
  const person = newPerson();
  const { conversationId } = await leaveTraces(person);
  const read = () => exportEndUser(service.system, { projectId, endUserId: person.endUserId });
  const told = await read();
  expect(told).toMatchObject({
    endUserId: person.endUserId,
    conversations: [
      {
        id: conversationId,
        messages: [
          { role: 'USER', content: question },
          {
            role: 'ASSISTANT',
            content: `Dear ${person.name}, until 11:00.`,
            feedback: { rating: 'DOWN', comment: `No, says ${person.mark}` },
          },
        ],
        handoffs: [
          {
            email: person.email,
            name: person.name,
            reason: `${person.mark} is locked out`,
            satisfaction: { rating: 2, comment: `Slow, says ${person.mark}` },
            inbox: [{ type: 'REQUESTED' }],
          },
        ],
      },
      {
        messages: [{ role: 'USER', content: `I am ${person.mark}.` }, { role: 'ASSISTANT' }],
        handoffs: [],
      },
    ],
    webhookEvents: [
      {
        type: 'human.requested',
        data: { email: person.email },
        deliveries: [
          {
            receiver: `127.0.0.1:${receiver.port}`,
            attempts: [{ responseStatus: 500, responseExcerpt: `cannot tell ${person.email}` }],
          },
        ],
      },
    ],
    questions: [
      {
        setName: 'Asked',
        question: `Who is ${person.mark}?`,
        expected: [[`${person.name} is a guest`]],
        answers: [expect.any(String)],
      },
      { question: `Who is ${person.mark}? Please.`, answers: [expect.any(String)] },
    ],
    keptAnswers: [{}, {}, {}],
  });
  const text = JSON.stringify(told);
  expect(text).not.toMatch(/hidden|whsec_|sk_/);
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(await read())));
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(told.conversations[0]).toMatchObject({ createdAt: moment, lastMessageAt: moment });
}, 60_000);

test('the export of an unknown end user is empty', async () => {
  expect(await exportEndUser(service.system, { projectId, endUserId: 'nobody' })).toEqual({
    endUserId: 'nobody',
    conversations: [],
    webhookEvents: [],
    questions: [],
    keptAnswers: [],
  });
});

test('a question of a set names a conversation of its project only', async () => {
  const elsewhere = await createProject(service.system, {
    organizationId: tenant.organizationId,
    name: 'Spa',
  });
  const other = await addConversation(service, elsewhere.id, { messages: ['a'] });
  for (const conversationId of [other, randomUUID(), 'none']) {
    const questions = [{ question, conversationId }];
    await expect(
      createQuestionSet(service.system, { projectId, name: 'Set', questions }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  expect(await service.system.db.questionSet.count({ where: { projectId } })).toBe(0);
});

test('an API key can neither erase nor export', async () => {
  const { organizationId } = tenant;
  const scopes = ['CHAT', 'CONVERSATIONS_READ'] as const;
  const caller = {
    type: 'key',
    keyId: randomUUID(),
    organizationId,
    projectId,
    scopes,
    filter: null,
  } as const;
  const signal = new AbortController().signal;
  const context = createContext(service.adapters, caller, { signal, requestId: null });
  const input = { projectId, endUserId: 'guest' };
  await expect(eraseEndUser(context, input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(exportEndUser(context, input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
