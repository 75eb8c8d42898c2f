import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { type Context, createContext } from '../../../src/domain/context.ts';
import { claimHandoff } from '../../../src/domain/handoff/claim-handoff.ts';
import { replyToConversation } from '../../../src/domain/handoff/reply-to-conversation.ts';
import { requestHandoff } from '../../../src/domain/handoff/request-handoff.ts';
import { resolveHandoff } from '../../../src/domain/handoff/resolve-handoff.ts';
import { returnToAssistant } from '../../../src/domain/handoff/return-to-assistant.ts';
import { transferHandoff } from '../../../src/domain/handoff/transfer-handoff.ts';
import {
  webhookBody,
  webhookBodyLimitBytes,
} from '../../../src/domain/webhooks/webhook-event-types.ts';
import { newId } from '../../../src/platform/ids.ts';
import type { Role } from '../../../src/platform/postgres/generated/prisma/enums.ts';
import { addConversation } from '../../support/conversations.ts';
import { addDocuments } from '../../support/knowledge.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/servers/openai-server.ts';
import { startTestService, type Tenant, type TestService } from '../../support/service.ts';
import { sharedDatabase } from '../../support/shared-service.ts';

let models: OpenAiServer;
let service: TestService;
/** A second node of the service on the same database. */
let otherNode: TestService;
let tenant: Tenant;
let projectId: string;
let conversationId: string;
let handoffId: string;

const ada = 'ada@example.com';
const grace = 'grace@example.com';
const vera = 'vera@example.com';
const userIds = new Map<string, string>();

beforeAll(async () => {
  models = await startOpenAiServer();
  const openAi = { apiKey: null, chatModel: 'stand-in', embeddingModel: null };
  service = await startTestService({
    openAi: { ...openAi, baseUrl: models.baseUrl },
    database: await sharedDatabase(),
  });
  otherNode = await startTestService({ isWorker: false, database: service.database });
  tenant = await service.createTenant();
  projectId = tenant.projectId;
  await addMember(ada, 'AGENT');
  await addMember(grace, 'AGENT');
  await addMember(vera, 'VIEWER');
  await addDocuments(service, projectId, { 'Check-out.md': 'Check-out is until 11:00.' });
});
afterAll(async () => {
  await otherNode?.stop();
  await service?.stop();
  await models?.close();
});

/** Each test starts with a conversation that waits for an agent. */
beforeEach(async () => {
  ({ conversationId, handoffId } = await startHandoff());
});

async function startHandoff() {
  const { id: conversationId } = await service.system.db.conversation.create({
    data: { id: newId(), projectId, title: 'Refunds', endUserId: 'customer-4711' },
  });
  const { id: handoffId } = await requestHandoff(service.system, { projectId, conversationId });
  return { conversationId, handoffId };
}

async function addMember(email: string, role: Role): Promise<void> {
  const userId = newId();
  userIds.set(email, userId);
  const { organizationId } = tenant;
  await service.system.db.member.create({
    data: { id: newId(), organizationId, email, userId, role },
  });
}

function as(email: string, node = service): Context {
  const caller = { type: 'operator', userId: userIds.get(email) ?? '', email } as const;
  const signal = new AbortController().signal;
  return createContext(node.adapters, caller, { signal, requestId: null });
}

const claim = (email = ada) => claimHandoff(as(email), { handoffId });
const reply = (email = ada, content = 'Good day!') =>
  replyToConversation(as(email), { conversationId, content });

function ask(message: string, node = service) {
  return sendMessage(node.system, { projectId, conversationId, message });
}

const readHandoff = () =>
  service.system.db.handoff.findUniqueOrThrow({ where: { id: handoffId, projectId } });
const readConversation = () =>
  service.system.db.conversation.findUniqueOrThrow({ where: { id: conversationId, projectId } });
const readMessages = () =>
  service.system.db.message.findMany({
    where: { conversationId, projectId },
    orderBy: { position: 'asc' },
  });

/** Returns the inbox events and webhook events of the conversation, oldest first. */
async function storedEvents() {
  const { rows: inbox } = await service.adapters.pool.query<{ type: string; message_id: string }>(
    `select event.type, event.message_id, event.handoff_id from grounded.inbox_events event
     join grounded.handoffs handoff on handoff.id = event.handoff_id
     where handoff.conversation_id = $1 order by event.position`,
    [conversationId],
  );
  const webhooks = await service.system.db.webhookEvent.findMany({
    where: { data: { path: ['conversationId'], equals: conversationId } },
    orderBy: { id: 'asc' },
  });
  return { inbox, webhooks };
}

async function storedEventTypes() {
  const { inbox, webhooks } = await storedEvents();
  return { inbox: inbox.map(({ type }) => type), webhooks: webhooks.map(({ type }) => type) };
}

const dataOf = async (type: string) =>
  (await storedEvents()).webhooks.findLast((event) => event.type === type)?.data;

describe('a claim', () => {
  test('assigns the conversation to the claiming agent and emits an event', async () => {
    const handoff = await claim();
    expect(handoff).toMatchObject({ id: handoffId, status: 'CLAIMED', claimedBy: ada });
    expect(handoff.claimedAt).toBeInstanceOf(Date);
    expect(await readHandoff()).toEqual(handoff);
    expect((await readConversation()).status).toBe('HUMAN');
    const { inbox } = await storedEvents();
    expect(inbox.at(-1)).toMatchObject({ type: 'CLAIMED', handoff_id: handoffId });
    expect(await dataOf('handoff.claimed')).toEqual({
      handoffId,
      organizationId: tenant.organizationId,
      projectId,
      conversationId,
      endUserId: 'customer-4711',
      claimedBy: ada,
      claimedAt: handoff.claimedAt?.toISOString(),
    });
  });

  test('of a handoff that the agent already owns changes nothing and emits no event', async () => {
    const first = await claim();
    const before = await storedEvents();
    expect(await claim()).toEqual(first);
    expect(await storedEvents()).toEqual(before);
  });

  test('of a handoff that is owned by another agent, or resolved, is a CONFLICT', async () => {
    await claim();
    const before = await storedEvents();
    await expect(claim(grace)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await readHandoff()).claimedBy).toBe(ada);
    expect(await storedEvents()).toEqual(before);
    await resolveHandoff(as(ada), { handoffId });
    for (const email of [ada, grace]) {
      await expect(claim(email)).rejects.toMatchObject({ code: 'CONFLICT' });
    }
    expect((await readConversation()).status).toBe('RESOLVED');
  });

  test('has one winner among 20 concurrent claims on two nodes, and one event', async () => {
    const emails = Array.from({ length: 20 }, (_, n) => `agent-${n}-${handoffId}@example.com`);
    for (const email of emails) await addMember(email, 'AGENT');
    const results = await Promise.allSettled(
      emails.map((email, n) =>
        claimHandoff(as(email, n % 2 === 0 ? service : otherNode), { handoffId }),
      ),
    );
    const winners = emails.filter((_, n) => results[n]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    const reasons = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason.code] : [],
    );
    expect(reasons).toEqual(Array.from({ length: 19 }, () => 'CONFLICT'));
    expect((await readHandoff()).claimedBy).toBe(winners[0]);
    expect(await storedEventTypes()).toEqual({
      inbox: ['REQUESTED', 'CLAIMED'],
      webhooks: ['human.requested', 'handoff.claimed'],
    });
  });

  test('by one operator, 10 times concurrently on two nodes, is one claim', async () => {
    const handoffs = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        claimHandoff(as(ada, n % 2 === 0 ? service : otherNode), { handoffId }),
      ),
    );
    expect(new Set(handoffs.map(({ claimedAt }) => claimedAt?.getTime())).size).toBe(1);
    expect((await storedEventTypes()).inbox).toEqual(['REQUESTED', 'CLAIMED']);
  });
});

describe('a reply', () => {
  test('is the next message of the transcript, and emits an event', async () => {
    await claim();
    await ask('Are you there?');
    const message = await reply(ada, 'Yes, I am.');
    expect(message).toMatchObject({ role: 'AGENT', status: 'COMPLETED', content: 'Yes, I am.' });
    expect(message).toMatchObject({ author: ada, position: 3, conversationId });
    expect((await readMessages()).map(({ role }) => role)).toEqual(['USER', 'SYSTEM', 'AGENT']);
    expect(await readConversation()).toMatchObject({
      status: 'HUMAN',
      messageCount: 3,
      lastMessageAt: message.createdAt,
      holdingMessageId: message.id,
    });
    const { inbox } = await storedEvents();
    expect(inbox.at(-1)).toMatchObject({ type: 'MESSAGE', message_id: message.id });
    expect(await dataOf('message.created')).toEqual({
      organizationId: tenant.organizationId,
      projectId,
      conversationId,
      endUserId: 'customer-4711',
      messageId: message.id,
      role: 'AGENT',
      content: 'Yes, I am.',
      createdAt: message.createdAt.toISOString(),
    });
  });

  test('may come from another agent than the owner, and names its author', async () => {
    await claim(ada);
    expect(await reply(grace)).toMatchObject({ author: grace });
    expect((await readHandoff()).claimedBy).toBe(ada);
    const input = { conversationId, content: 'From a bot' };
    expect(await replyToConversation(service.system, input)).toMatchObject({ author: 'service' });
  });

  test.each([
    ['waits for a person', async () => {}],
    ['is resolved', async () => resolveHandoff(as(ada), { handoffId })],
    ['went back to the assistant', async () => returnToAssistant(as(ada), { handoffId })],
  ])('is a CONFLICT while the conversation %s, and stores nothing', async (_state, arrange) => {
    await arrange();
    const before = { conversation: await readConversation(), told: await storedEvents() };
    await expect(reply()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect({ conversation: await readConversation(), told: await storedEvents() }).toEqual(before);
    expect(await readMessages()).toEqual([]);
  });

  test('is stored once for its id, even if it is sent repeatedly and concurrently to both nodes', async () => {
    await claim();
    const messageId = newId();
    const send = (node = service) =>
      replyToConversation(as(ada, node), { conversationId, content: 'Good day!', messageId });
    const sent = await Promise.all([send(), send(otherNode), send()]);
    const [message] = await readMessages();
    expect(message).toMatchObject({ author: ada });
    expect(sent.concat(await send()).map(({ id }) => id)).toEqual(Array(4).fill(message?.id));
    const { inbox } = await storedEvents();
    expect(inbox.filter(({ type }) => type === 'MESSAGE')).toHaveLength(1);
  });

  test('is sent alike whether its messageId is new, or the id of a message of anybody else', async () => {
    await claim();
    const other = await service.createTenant();
    await addConversation(service, other.projectId, { messages: ['Theirs'] });
    const { id: foreign } = await service.system.db.message.findFirstOrThrow({
      where: { projectId: other.projectId },
    });
    const { id: ofColleague } = await reply(grace);
    const sent = await Promise.all(
      [newId(), foreign, ofColleague].map((messageId) =>
        replyToConversation(as(ada), { conversationId, content: 'Mine', messageId }),
      ),
    );
    const known = [foreign, ofColleague];
    for (const { id, content } of sent) {
      expect(content).toBe('Mine');
      expect(known).not.toContain(id);
    }
    expect(await readMessages()).toHaveLength(4);
  });

  test('takes the place of the holding message, which is sent once per claim', async () => {
    await claim();
    await ask('One');
    await ask('Two');
    await reply();
    await ask('Three');
    await ask('Four');
    expect((await readMessages()).map(({ role }) => role).join(' ')).toBe(
      'USER SYSTEM USER AGENT USER USER',
    );
  });

  test('and 30 concurrent messages on two nodes have one order without gaps', async () => {
    await claim();
    const nodes = [service, otherNode];
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => {
        const node = nodes[n % 2] ?? service;
        if (n % 3 > 0) return ask(`Question ${n}`, node);
        const content = `Reply ${n}`;
        return replyToConversation(as(n % 2 === 0 ? ada : grace, node), {
          conversationId,
          content,
        });
      }),
    );
    const messages = await readMessages();
    expect(messages.map(({ position }) => position)).toEqual(messages.map((_, n) => n + 1));
    expect((await readConversation()).messageCount).toBe(messages.length);
    const { inbox } = await storedEvents();
    expect(inbox.slice(2).map((event) => event.message_id)).toEqual(
      messages.filter(({ role }) => role !== 'SYSTEM').map(({ id }) => id),
    );
    expect(messages.filter(({ role }) => role === 'AGENT')).toHaveLength(10);
    const waits = messages.map(({ role }) => role[0]).join('');
    expect(waits).not.toMatch(/S[^A]*S/);
    for (const wait of waits.split('A')) expect(wait).toMatch(/^(USU*)?$/);
  });

  test('concurrent with the resolution is emitted before it, or is a CONFLICT', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, startHandoff));
    for (const { handoffId } of all) await claimHandoff(as(ada), { handoffId });
    await Promise.all(
      all.flatMap(({ conversationId, handoffId }, n) => [
        ...Array.from({ length: 4 }, () =>
          replyToConversation(as(grace), { conversationId, content: 'Hello' }).catch((error) =>
            expect(error).toMatchObject({ code: 'CONFLICT' }),
          ),
        ),
        resolveHandoff(as(ada, n % 2 === 0 ? service : otherNode), { handoffId }),
      ]),
    );
    for (const each of all) {
      ({ conversationId } = each);
      const { inbox } = await storedEventTypes();
      expect(inbox.at(-1)).toBe('RESOLVED');
      expect(await readMessages()).toHaveLength(inbox.filter((type) => type === 'MESSAGE').length);
    }
  });

  test.each([
    ['characters of four bytes', '\u{1f411}'],
    ['characters that JSON writes as six', '\u0001'],
  ])(
    'of 10,000 %s is stored completely and emitted in less than 20 kB',
    async (_what, character) => {
      await claim();
      const content = character.repeat(10_000);
      expect((await reply(ada, content)).content).toBe(content);
      const event = (await storedEvents()).webhooks.at(-1);
      const body = webhookBody(event ?? expect.unreachable());
      expect(Buffer.byteLength(body)).toBeLessThan(webhookBodyLimitBytes);
      expect(Buffer.byteLength(body)).toBeGreaterThan(webhookBodyLimitBytes - 20);
      const { data } = JSON.parse(body);
      expect(data.content.endsWith('…')).toBe(true);
      expect(content.startsWith(data.content.slice(0, -1))).toBe(true);
    },
  );
});

describe('a transfer', () => {
  test('assigns a claimed handoff to another agent in the same wait, and emits an event', async () => {
    await claim();
    const held = await ask('Are you there?');
    const handoff = await transferHandoff(as(ada), { handoffId, to: 'Grace@Example.com' });
    expect(handoff).toMatchObject({ status: 'CLAIMED', claimedBy: grace });
    expect(await storedEventTypes()).toEqual({
      inbox: ['REQUESTED', 'CLAIMED', 'MESSAGE', 'CLAIMED'],
      webhooks: ['human.requested', 'handoff.claimed', 'handoff.claimed'],
    });
    expect(await dataOf('handoff.claimed')).toMatchObject({ claimedBy: grace });
    expect((await ask('Still?')).messageId).toBe(held.messageId);
    await expect(claim(ada)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('to the current owner changes nothing and emits no event', async () => {
    const handoff = await claim();
    const before = await storedEvents();
    expect(await transferHandoff(as(grace), { handoffId, to: ada })).toEqual(handoff);
    expect(await storedEvents()).toEqual(before);
  });

  test('to a member who has not signed in yet takes effect after the first sign-in', async () => {
    const email = `new-${handoffId}@example.com`;
    await service.system.db.member.create({
      data: { id: newId(), organizationId: tenant.organizationId, email, role: 'ADMIN' },
    });
    await claim();
    const handoff = await transferHandoff(as(ada), { handoffId, to: email });
    userIds.set(email, newId());
    expect(await claim(email)).toEqual(handoff);
  });

  test.each([
    ['a viewer', vera, 'CONFLICT'],
    ['nobody of the organization', 'stranger@example.com', 'NOT_FOUND'],
  ])('to %s is rejected', async (_who, to, code) => {
    const handoff = await claim();
    await expect(transferHandoff(as(ada), { handoffId, to })).rejects.toMatchObject({ code });
    expect(await readHandoff()).toEqual(handoff);
  });

  test('of a resolved handoff is a CONFLICT', async () => {
    const transfer = () => transferHandoff(as(ada), { handoffId, to: grace });
    await resolveHandoff(as(ada), { handoffId });
    await expect(transfer()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await storedEventTypes()).inbox).toEqual(['REQUESTED', 'RESOLVED']);
  });
});

describe.each([
  ['resolved', resolveHandoff, 'RESOLVED'],
  ['returned to the assistant', returnToAssistant, 'OPEN'],
] as const)('a handoff that is %s', (_what, end, status) => {
  test.each(['claimed', 'still requested'])(
    'while it is %s is closed, and emits an event',
    async (state) => {
      if (state === 'claimed') {
        await claim();
        await ask('Are you there?');
      }
      const handoff = await end(as(grace), { handoffId });
      expect(handoff).toMatchObject({ id: handoffId, status: 'RESOLVED' });
      expect(await readHandoff()).toEqual(handoff);
      expect(await readConversation()).toMatchObject({ status, holdingMessageId: null });
      expect((await storedEvents()).inbox.at(-1)).toMatchObject({ type: 'RESOLVED' });
      expect(await dataOf('handoff.resolved')).toEqual({
        handoffId,
        organizationId: tenant.organizationId,
        projectId,
        conversationId,
        endUserId: 'customer-4711',
        resolvedAt: handoff.resolvedAt?.toISOString(),
      });
    },
  );

  test('repeatedly, even 10 times concurrently on two nodes, is closed once with one event', async () => {
    await claim();
    const handoffs = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        end(as(ada, n % 2 === 0 ? service : otherNode), { handoffId }),
      ),
    );
    expect(new Set(handoffs.map(({ resolvedAt }) => resolvedAt?.getTime())).size).toBe(1);
    expect((await storedEventTypes()).inbox).toEqual(['REQUESTED', 'CLAIMED', 'RESOLVED']);
  });

  test('does not close the next handoff of its conversation', async () => {
    await end(as(ada), { handoffId });
    const next = await requestHandoff(service.system, { projectId, conversationId });
    await claimHandoff(as(grace), { handoffId: next.id });
    await end(as(ada), { handoffId });
    expect((await readConversation()).status).toBe('HUMAN');
  });

  test("leaves the next question to the assistant, whose history includes the agent's messages", async () => {
    await claim();
    await ask('May I check out late?');
    await reply(ada, 'For you, late check-out is free of charge.');
    await end(as(ada), { handoffId });
    const requests = models.requests.length;
    const answer = await ask('Until when is check-out?');
    expect(answer.citations).not.toEqual([]);
    const bodies = models.requests.slice(requests).map(({ body }) => JSON.stringify(body));
    expect(bodies.some((body) => body.includes('late check-out is free of charge'))).toBe(true);
    expect((await readConversation()).status).toBe('OPEN');
  });
});

test('all operations concurrently on two nodes finish without deadlock and with gap-free events', async () => {
  const open = await Promise.all(Array.from({ length: 6 }, startHandoff));
  await Promise.all(
    open.flatMap(({ handoffId, conversationId }, n) => {
      const context = as(ada, n % 2 === 0 ? service : otherNode);
      const other = as(grace, n % 2 === 0 ? otherNode : service);
      const work = [
        claimHandoff(context, { handoffId }),
        replyToConversation(other, { conversationId, content: 'Hello' }),
        transferHandoff(other, { handoffId, to: grace }),
        sendMessage(service.system, { projectId, conversationId, message: 'Hello?' }),
        resolveHandoff(other, { handoffId }),
        requestHandoff(otherNode.system, { projectId, conversationId }),
      ];
      return work.map((each) =>
        Promise.resolve(each).catch((error) => expect(error).toMatchObject({ code: 'CONFLICT' })),
      );
    }),
  );
  const { rows } = await service.adapters.pool.query(
    `select count(*)::int as count, max(position)::int as last from grounded.inbox_events
     where project_id = $1`,
    [projectId],
  );
  expect(rows[0].count).toBe(rows[0].last);
});

test.each([
  ['claim', () => claim(grace), 'REQUESTED'],
  ['reply', () => reply(), 'CLAIMED'],
  ['transfer', () => transferHandoff(as(ada), { handoffId, to: grace }), 'CLAIMED'],
  ['resolution', () => resolveHandoff(as(ada), { handoffId }), 'CLAIMED'],
  ['return', () => returnToAssistant(as(ada), { handoffId }), 'CLAIMED'],
] as const)(
  'nothing remains of a %s whose inbox event cannot be written',
  async (_what, act, from) => {
    if (from === 'CLAIMED') {
      await claim();
      await ask('Are you there?');
    }
    const state = async () => [
      await readHandoff(),
      await readConversation(),
      await readMessages(),
      await storedEvents(),
    ];
    const before = await state();
    const { ownerPool: owner } = service;
    await owner.query(
      `create or replace function public.refuse() returns trigger language plpgsql
     as $$ begin raise exception 'refused'; end $$`,
    );
    await owner.query(
      `create trigger refuse before insert on grounded.inbox_events
     for each row execute function public.refuse()`,
    );
    try {
      await expect(act()).rejects.toThrow('refused');
    } finally {
      await owner.query('drop trigger refuse on grounded.inbox_events');
    }
    expect(await state()).toEqual(before);
  },
);
