import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ChatEvent } from '../../../src/domain/chat/chat-event.ts';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { streamAnswer } from '../../../src/domain/chat/stream-answer.ts';
import { claimHandoff } from '../../../src/domain/handoff/claim-handoff.ts';
import { replyToConversation } from '../../../src/domain/handoff/reply-to-conversation.ts';
import { requestHandoff } from '../../../src/domain/handoff/request-handoff.ts';
import { returnToAssistant } from '../../../src/domain/handoff/return-to-assistant.ts';
import { getUsage } from '../../../src/domain/usage/usage.ts';
import { newId } from '../../../src/platform/ids.ts';
import { addDocuments } from '../../support/knowledge.ts';
import type { OpenAiServer } from '../../support/servers/openai-server.ts';
import type { TestService } from '../../support/service.ts';
import { startServiceWithModel } from '../../support/service-with-model.ts';

const holdingText = 'Ada from the front desk will answer you here.';

let models: OpenAiServer;
let service: TestService;
let projectId: string;
let organizationId: string;
let conversationId: string;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  ({ projectId, organizationId } = await service.createTenant());
  await service.system.db.project.update({ where: { id: projectId }, data: { holdingText } });
  await addDocuments(service, projectId, { 'Check-out.md': 'Check-out is until 11:00.' });
});
afterAll(() => service?.stop());

/** Each test starts with a conversation that an agent has claimed. */
beforeEach(async () => {
  ({ conversationId } = await ask('Until when is check-out?', null));
  const { db } = service.system;
  await db.handoff.create({ data: { id: newId(), projectId, conversationId, status: 'CLAIMED' } });
  await db.conversation.update({ where: { id: conversationId }, data: { status: 'HUMAN' } });
});

function ask(message: string, id: string | null = conversationId) {
  return sendMessage(service.system, { projectId, message, conversationId: id });
}

const transcript = () =>
  service.system.db.message.findMany({
    where: { conversationId, projectId },
    orderBy: { position: 'asc' },
    select: { id: true, role: true, status: true, content: true, position: true },
  });

const roles = async () => (await transcript()).map(({ role }) => role).join(' ');

function inboxMessages(): Promise<{ position: bigint; message_id: string }[]> {
  return service.system.db.$queryRaw`
    select event.position, event.message_id from grounded.inbox_events event
    join grounded.handoffs handoff on handoff.id = event.handoff_id
    where handoff.conversation_id = ${conversationId}::uuid and event.type = 'MESSAGE'
    order by event.position`;
}

const messagesUsed = async () => (await getUsage(service.system, { organizationId })).messages.used;

test('the message is stored, no model is called, and the holding message is the answer', async () => {
  const requests = models.requests.length;
  const used = await messagesUsed();
  const reply = await ask('Are you there?');
  expect(reply).toMatchObject({
    conversationId,
    content: holdingText,
    citations: [],
    confidence: 0,
  });
  expect(models.requests.length).toBe(requests);
  expect(await messagesUsed()).toBe(used);

  const messages = await transcript();
  expect(messages.slice(2)).toMatchObject([
    { role: 'USER', status: 'COMPLETED', content: 'Are you there?', position: 3 },
    { id: reply.messageId, role: 'SYSTEM', status: 'COMPLETED', content: holdingText, position: 4 },
  ]);
  expect(await inboxMessages()).toMatchObject([{ message_id: messages[2]?.id }]);
});

test('the stream has the same events as any answer', async () => {
  const events: ChatEvent[] = [];
  const input = { projectId, conversationId, message: 'Are you there?' };
  for await (const event of await streamAnswer(service.system, input)) events.push(event);
  expect(events.map(({ type }) => type)).toEqual(['meta', 'sources', 'delta', 'done']);
  expect(events[1]).toMatchObject({ citations: [], confidence: 0 });
  expect(events[2]).toMatchObject({ text: holdingText });
});

test('the holding message is stored once per claim, and not again after a reply of the agent', async () => {
  const first = await ask('Are you there?');
  expect((await ask('Hello?')).messageId).toBe(first.messageId);
  const reply = await replyToConversation(service.system, { conversationId, content: 'Yes!' });
  expect(await ask('And now?')).toMatchObject({ messageId: reply.id, content: holdingText });
  expect(await roles()).toBe('USER ASSISTANT USER SYSTEM USER AGENT USER');
});

test('after a reply of the agent, none is stored even if there was none before', async () => {
  const reply = await replyToConversation(service.system, { conversationId, content: 'Hello!' });
  const held = { messageId: reply.id, content: holdingText, citations: [], confidence: 0 };
  expect(await ask('Are you there?')).toMatchObject(held);
  expect(await ask('Hello?')).toMatchObject(held);
  expect(await roles()).toBe('USER ASSISTANT AGENT USER USER');
  expect((await transcript())[2]).toMatchObject({ id: reply.id, content: 'Hello!', position: 3 });
});

test('the next claim has a holding message of its own', async () => {
  const first = await ask('Are you there?');
  const { db } = service.system;
  const { id: handoffId } = await db.handoff.findFirstOrThrow({ where: { conversationId } });
  await replyToConversation(service.system, { conversationId, content: 'Yes!' });
  await returnToAssistant(service.system, { handoffId });
  await requestHandoff(service.system, { projectId, conversationId });
  const { id } = await db.handoff.findFirstOrThrow({
    where: { conversationId, status: 'REQUESTED' },
  });
  await claimHandoff(service.system, { handoffId: id });
  expect((await ask('Hello again?')).messageId).not.toBe(first.messageId);
  expect(await roles()).toBe('USER ASSISTANT USER SYSTEM AGENT USER SYSTEM');
});

test('concurrent messages are all stored and emitted to the inbox, with one holding message', async () => {
  const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => ask(`Message ${n}`)));
  expect(new Set(replies.map(({ messageId }) => messageId)).size).toBe(1);
  const messages = await transcript();
  expect(messages.map(({ position }) => position)).toEqual(messages.map((_, n) => n + 1));
  expect(messages.filter(({ role }) => role === 'SYSTEM')).toHaveLength(1);
  const told = await inboxMessages();
  expect(told).toHaveLength(30);
  expect(new Set(told.map((event) => event.message_id))).toEqual(
    new Set(messages.slice(2).flatMap(({ id, role }) => (role === 'USER' ? [id] : []))),
  );
  const positions = told.map(({ position }) => Number(position));
  expect(positions).toEqual(positions.map((_, n) => (positions[0] ?? 0) + n));
});

test('an exhausted allowance does not keep the end user from reaching the agent', async () => {
  const { db } = service.system;
  const limits = (monthlyMessages: number | null) =>
    db.organization.update({ where: { id: organizationId }, data: { monthlyMessages } });
  await limits(0);
  try {
    expect(await ask('Are you there?')).toMatchObject({ content: holdingText });
  } finally {
    await limits(null);
  }
});

test('the assistant keeps answering while a handoff waits, and again after it is resolved', async () => {
  const { db } = service.system;
  await db.conversation.update({
    where: { id: conversationId },
    data: { status: 'HANDOFF_REQUESTED' },
  });
  const waiting = await ask('Until when is check-out?');
  expect(waiting.citations).not.toEqual([]);

  await db.conversation.update({ where: { id: conversationId }, data: { status: 'RESOLVED' } });
  const resolved = await ask('Until when is check-out?');
  expect(resolved.citations).not.toEqual([]);
  const { status } = await db.conversation.findUniqueOrThrow({ where: { id: conversationId } });
  expect(status).toBe('OPEN');
});
