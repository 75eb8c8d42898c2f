import { beforeEach, expect, test } from 'vitest';
import type { ChatEvent } from '../../../src/domain/chat/chat-event.ts';
import { startConversation } from '../../../src/domain/chat/start-conversation.ts';
import { streamAnswer } from '../../../src/domain/chat/stream-answer.ts';
import { type Context, createContext } from '../../../src/domain/context.ts';
import { getUsage } from '../../../src/domain/usage/usage.ts';
import { recordingPool } from '../../support/database/recording-pool.ts';
import type { Tenant, TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let context: Context;

beforeEach(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  const key = { type: 'key', keyId: crypto.randomUUID(), scopes: ['CHAT'], filter: null } as const;
  context = createContext(
    service.adapters,
    { ...key, organizationId: tenant.organizationId, projectId: tenant.projectId },
    { signal: new AbortController().signal, requestId: null },
  );
});

async function ask(asking: Context, message: string, projectId?: string): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of await streamAnswer(asking, { message, projectId })) events.push(event);
  return events;
}

const start = (starting: Context, message: string) =>
  startConversation(
    starting,
    { id: tenant.projectId, organizationId: tenant.organizationId },
    { message, endUserId: null, isResumable: false },
  );

const countMessages = (where: object = {}) =>
  service.system.db.message.count({ where: { projectId: tenant.projectId, ...where } });

const setAllowance = (monthlyMessages: number) =>
  service.system.db.organization.update({
    where: { id: tenant.organizationId },
    data: { monthlyMessages },
  });

test('no answer stays unfinished when the project cannot be read', async () => {
  const { pool } = recordingPool(context.pool, async ({ text }, run) => {
    if (!/from grounded\.projects\b/.test(text)) return run();
    await countMessages();
    throw new Error('connection lost');
  });
  await expect(ask({ ...context, pool }, 'Is there a lighthouse?')).rejects.toThrow(
    'connection lost',
  );
  expect(await countMessages({ status: 'GENERATING' })).toBe(0);
});

test('conversations that start at the same time share a statement', async () => {
  const { pool, statements } = recordingPool(context.pool);
  const questions = Array.from({ length: 40 }, (_, n) => `Hello, I am visitor ${n}`);
  await Promise.all(questions.map((question) => ask({ ...context, pool }, question)));
  const starts = statements.filter(({ name }) => name === 'start-conversation');
  expect(starts.length).toBeLessThan(20);

  const conversations = await service.system.db.conversation.findMany({
    where: { projectId: tenant.projectId },
    include: { messages: { orderBy: { position: 'asc' } } },
  });
  expect(conversations.map(({ title }) => title).sort()).toEqual(questions.toSorted());
  for (const { title, messageCount, messages } of conversations) {
    expect(messageCount).toBe(2);
    expect(messages.map(({ role, position }) => [role, position])).toEqual([
      ['USER', 1],
      ['ASSISTANT', 2],
    ]);
    expect(messages[0]?.content).toBe(title);
    expect(messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id).sort());
    expect(messages[1]?.status).toBe('COMPLETED');
  }
});

test('with three messages left, exactly three of twenty simultaneous questions are answered', async () => {
  await setAllowance(3);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => ask(context, `Hello, I am visitor ${n}`)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('QUOTA_EXCEEDED');
  }
  expect(await countMessages()).toBe(6);
  const { messages } = await getUsage(service.system, { organizationId: tenant.organizationId });
  expect(messages).toMatchObject({ used: 3 });
});

test('a question that Postgres refuses does not fail the questions that share its statement', async () => {
  const { pool } = recordingPool(context.pool);
  const asking = { ...context, pool };
  const outcomes = await Promise.allSettled(
    ['Hello', 'Good morning', 'Good \u0000 evening', 'Hi there'].map((text) => ask(asking, text)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  ]);
  expect(await countMessages()).toBe(6);
});

test('a project of another organization is not found', async () => {
  const other = await service.createTenant();
  const { caller } = context;
  const orgWide = { ...context, caller: { ...caller, projectId: null } } as Context;
  await expect(ask(orgWide, 'Hello', other.projectId)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(await countMessages()).toBe(0);
});

test('a newer conversation does not take the last message from older ones that start one by one', async () => {
  await setAllowance(2);
  const newer = Promise.withResolvers<PromiseSettledResult<unknown>[]>();
  const { pool, statements } = recordingPool(context.pool, async ({ values }, run) => {
    if (String(values?.[6]) !== 'second') return run();
    newer.resolve(Promise.allSettled([start(asking, 'newer')]));
    await countMessages();
    return run();
  });
  const asking = { ...context, pool };
  const older = await Promise.allSettled(
    ['first', 'second', 'third'].map((message) => start(asking, message)),
  );
  expect(older.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(await newer.promise).toMatchObject([
    { status: 'rejected', reason: { code: 'QUOTA_EXCEEDED' } },
  ]);
  expect(statements.map(({ values }) => String(values?.[6]))).toEqual([
    ...['first', 'second,third', 'second', 'third', 'newer'],
  ]);
});

test('two services in a process do not share a statement', async () => {
  const released = Promise.withResolvers<void>();
  const slow = recordingPool(context.pool, async (_statement, run) => {
    await released.promise;
    return run();
  });
  const own = recordingPool(context.pool);
  const other = { ...context, database: { ...context.database }, pool: own.pool };
  const waiting = ['one', 'two'].map((message) => start({ ...context, pool: slow.pool }, message));
  const otherStarts = ['three', 'four'].map((message) => start(other, message));
  expect(own.statements).toHaveLength(1);
  released.resolve();
  await Promise.all([...waiting, ...otherStarts]);
  expect(own.statements.map(({ values }) => values?.[6])).toEqual([['three'], ['four']]);
});
