import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { type Context, createContext } from '../../../src/domain/context.ts';
import { getLastMessage } from '../../../src/domain/conversations/last-message.ts';
import { claimHandoff } from '../../../src/domain/handoff/claim-handoff.ts';
import {
  countUnread,
  markConversationRead,
} from '../../../src/domain/handoff/conversation-reads.ts';
import { countHandoffs } from '../../../src/domain/handoff/count-handoffs.ts';
import {
  type Handoff,
  listHandoffs,
  listHandoffsByPage,
} from '../../../src/domain/handoff/handoffs.ts';
import { replyToConversation } from '../../../src/domain/handoff/reply-to-conversation.ts';
import { requestHandoff } from '../../../src/domain/handoff/request-handoff.ts';
import { resolveHandoff } from '../../../src/domain/handoff/resolve-handoff.ts';
import { takeOverConversation } from '../../../src/domain/handoff/take-over-conversation.ts';
import { transferHandoff } from '../../../src/domain/handoff/transfer-handoff.ts';
import { newId } from '../../../src/platform/ids.ts';
import type { Role } from '../../../src/platform/postgres/generated/prisma/enums.ts';
import { addConversation } from '../../support/conversations.ts';
import type { Tenant, TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let projectId: string;
let ada: Context;
let grace: Context;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  tenant = await service.createTenant();
  projectId = tenant.projectId;
  ada = await member('ada@example.com', 'AGENT');
  grace = await member('grace@example.com', 'AGENT');
});

async function member(email: string, role: Role): Promise<Context> {
  const userId = newId();
  const { organizationId } = tenant;
  await service.system.db.member.create({
    data: { id: newId(), organizationId, email, role, userId },
  });
  const request = { signal: new AbortController().signal, requestId: null };
  return createContext(service.adapters, { type: 'operator', userId, email }, request);
}

/** Creates a conversation with one question and a handoff that `owner` has claimed. */
async function claimed(owner: Context) {
  const conversationId = await addConversation(service, projectId, { messages: ['Hello?'] });
  const { id } = await requestHandoff(service.system, { projectId, conversationId });
  const handoff = await claimHandoff(owner, { handoffId: id });
  return { conversationId, handoffId: id, handoff };
}

const say = (conversationId: string, message: string) =>
  sendMessage(service.system, { projectId, conversationId, message });

async function latestId(conversationId: string): Promise<string> {
  const { id } = await service.system.db.message.findFirstOrThrow({
    where: { projectId, conversationId },
    orderBy: { position: 'desc' },
  });
  return id;
}

describe('unread messages', () => {
  test('are those of the end user after the last one that the owner has read', async () => {
    const { conversationId, handoffId, handoff } = await claimed(ada);
    expect(await countUnread(ada, handoff)).toBe(1);
    const first = await latestId(conversationId);
    await markConversationRead(ada, { conversationId, messageId: first });
    expect(await countUnread(ada, handoff)).toBe(0);

    await say(conversationId, 'Are you there?');
    await say(conversationId, 'Please answer');
    expect(await countUnread(grace, handoff)).toBe(2);
    expect(await countHandoffs(ada, { projectId })).toMatchObject({ mine: 1, unread: 1 });
    expect(await countHandoffs(grace, { projectId })).toMatchObject({ claimed: 1, unread: 0 });
    // Another agent marks the newest message as read, and the owner marks an older one as read again. Both have no
    // effect.
    await markConversationRead(grace, {
      conversationId,
      messageId: await latestId(conversationId),
    });
    await markConversationRead(ada, { conversationId, messageId: first });
    expect(await countUnread(ada, handoff)).toBe(2);

    await replyToConversation(ada, { conversationId, content: 'Yes.' });
    expect(await countUnread(ada, handoff)).toBe(0);
    await say(conversationId, 'Good.');
    const moved = await transferHandoff(ada, { handoffId, to: 'grace@example.com' });
    expect(await countUnread(ada, moved)).toBe(1);
    const resolved = await resolveHandoff(grace, { handoffId });
    expect(await countUnread(ada, resolved)).toBe(0);
  });

  test('cannot be marked as read by strangers, or with a message of another conversation', async () => {
    const { conversationId } = await claimed(ada);
    const { conversationId: elsewhere } = await claimed(ada);
    const messageId = await latestId(elsewhere);
    await expect(markConversationRead(ada, { conversationId, messageId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    tenant = await service.createTenant();
    const stranger = await member('eve@example.com', 'OWNER');
    await expect(
      markConversationRead(stranger, { conversationId: elsewhere, messageId }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('are counted up to 100 in a conversation', async () => {
    const { conversationId, handoff } = await claimed(ada);
    await service.system.db.message.createMany({
      data: Array.from({ length: 120 }, (_, n) => ({
        id: newId(),
        projectId,
        conversationId,
        position: n + 2,
        role: 'USER' as const,
        content: 'Hello?',
      })),
    });
    expect(await countUnread(ada, handoff)).toBe(100);
  });
});

test('handoffs are counted by state, and pages of the longest wait first have no gap', async () => {
  const handoffs: Handoff[] = [];
  for (let n = 0; n < 5; n++) {
    const conversationId = await addConversation(service, projectId, { messages: ['Hello?'] });
    handoffs.push(await requestHandoff(service.system, { projectId, conversationId }));
  }
  const ids = handoffs.map(({ id }) => id);
  const order = 'OLDEST_FIRST';
  const list = async (after?: Handoff) => {
    const cursor = after && { place: { requestedAt: after.requestedAt, id: after.id } };
    const found = await listHandoffs(ada, { projectId, order }, { take: 2, cursor });
    return found.map(({ id }) => id);
  };
  expect(await list()).toEqual(ids.slice(0, 2));
  expect(await list(handoffs[1])).toEqual(ids.slice(2, 4));
  expect(await list(handoffs[3])).toEqual(ids.slice(4));
  const page = await listHandoffsByPage(ada, { projectId, order, page: 2, limit: 2 });
  expect(page.data.map(({ id }) => id)).toEqual(ids.slice(2, 4));

  const [first = '', second = '', third = ''] = ids;
  await claimHandoff(ada, { handoffId: first });
  await claimHandoff(grace, { handoffId: second });
  await resolveHandoff(ada, { handoffId: third });
  const counts = { waiting: 2, claimed: 2, mine: 1, unread: 1, resolved: 1 };
  expect(await countHandoffs(ada, { projectId })).toEqual(counts);
});

describe('a conversation with several handoffs', () => {
  const resolvedOnce = async (conversationId: string, reason: string) => {
    const request = { projectId, conversationId, reason };
    const { id } = await requestHandoff(service.system, request);
    await resolveHandoff(ada, { handoffId: id });
    return id;
  };
  const latestOnly = true;
  const idsOf = (handoffs: readonly { readonly id: string }[]) => handoffs.map(({ id }) => id);

  test('is listed once, with the latest, and counted once', async () => {
    const [first, second] = await Promise.all([
      addConversation(service, projectId, { messages: ['Hello?'] }),
      addConversation(service, projectId, { messages: ['Good day'] }),
    ]);
    const older = await resolvedOnce(first, 'A refund');
    const other = await resolvedOnce(second, 'A parcel');
    const middle = await resolvedOnce(first, 'A receipt');
    const latest = await resolvedOnce(first, 'A voucher');
    const resolved = { projectId, status: 'RESOLVED' } as const;
    expect(idsOf(await listHandoffs(ada, resolved))).toEqual([latest, middle, other, older]);
    expect(idsOf(await listHandoffs(ada, { ...resolved, latestOnly }))).toEqual([latest, other]);
    const order = 'OLDEST_FIRST' as const;
    expect(idsOf(await listHandoffs(ada, { ...resolved, latestOnly, order }))).toEqual([
      ...[other, latest],
    ]);
    const pages = await Promise.all(
      [1, 2].map((page) => listHandoffsByPage(ada, { ...resolved, latestOnly, page, limit: 1 })),
    );
    expect(pages.map(({ data, total }) => [idsOf(data), total])).toEqual([
      [[latest], 2],
      [[other], 2],
    ]);
    expect(await countHandoffs(ada, { projectId })).toMatchObject({ resolved: 4 });
    expect(await countHandoffs(ada, { projectId, latestOnly })).toMatchObject({ resolved: 2 });
  });

  test('is found by the text of an earlier handoff', async () => {
    const conversationId = await addConversation(service, projectId, { messages: ['Hello?'] });
    await resolvedOnce(conversationId, 'A refund');
    const latest = await resolvedOnce(conversationId, 'A voucher');
    for (const search of ['refund', 'voucher']) {
      const found = await listHandoffs(ada, { projectId, search, latestOnly });
      expect(idsOf(found)).toEqual([latest]);
    }
    expect(await listHandoffs(ada, { projectId, search: 'parcel', latestOnly })).toEqual([]);
  });

  test('moves to the list of its open handoff', async () => {
    const conversationId = await addConversation(service, projectId, { messages: ['Hello?'] });
    await resolvedOnce(conversationId, 'A refund');
    // Simulates another process whose clock is ahead.
    await service.system.db.handoff.updateMany({
      where: { projectId },
      data: { requestedAt: new Date(Date.now() + 60_000) },
    });
    const { id } = await takeOverConversation(ada, { conversationId });
    expect(idsOf(await listHandoffs(ada, { projectId, latestOnly }))).toEqual([id]);
    const counts = { waiting: 0, claimed: 1, mine: 1, resolved: 0 };
    expect(await countHandoffs(ada, { projectId, latestOnly })).toMatchObject(counts);
    await resolveHandoff(ada, { handoffId: id });
    expect(idsOf(await listHandoffs(ada, { projectId, latestOnly }))).toEqual([id]);
  });

  test('has one latest handoff also if several are inserted by one statement', async () => {
    const conversationId = await addConversation(service, projectId);
    const rows = [1, 2, 3].map((minute) => ({
      ...{ id: newId(), projectId, conversationId, status: 'RESOLVED' as const },
      requestedAt: new Date(minute * 60_000),
    }));
    await service.system.db.handoff.createMany({ data: rows });
    expect(idsOf(await listHandoffs(ada, { projectId, latestOnly }))).toEqual([rows[2]?.id]);
  });
});

test('the last message of a conversation is the start of the latest text, without holding messages', async () => {
  const text = `First line\n\nsecond ${'long '.repeat(100)}`;
  const { conversationId } = await claimed(ada);
  await say(conversationId, text);
  const empty = await addConversation(service, projectId);
  const read = (id: string) => getLastMessage(ada, { id, projectId });
  const [last, none] = await Promise.all([read(conversationId), read(empty)]);
  expect(last).toMatchObject({ role: 'USER' });
  expect(last?.text).toHaveLength(160);
  expect(last?.text).toMatch(/^First line second long /);
  expect(none).toBeNull();
  await replyToConversation(ada, { conversationId, content: 'Good morning' });
  expect(await read(conversationId)).toMatchObject({ role: 'AGENT', text: 'Good morning' });
});

describe('taking over a conversation', () => {
  const webhooks = async () =>
    (await service.system.db.webhookEvent.findMany({ where: { projectId } })).map(
      ({ type }) => type,
    );
  const inbox = async () =>
    (
      await service.system.db.inboxEvent.findMany({
        where: { projectId },
        orderBy: { position: 'asc' },
      })
    ).map(({ type }) => type);

  test('that nobody asked a person for opens a handoff that the agent owns, once', async () => {
    const conversationId = await addConversation(service, projectId, { messages: ['Hello?'] });
    const both = await Promise.all([
      takeOverConversation(ada, { conversationId }),
      takeOverConversation(ada, { conversationId }),
    ]);
    expect(both.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
    expect(new Set(both.map(({ id }) => id)).size).toBe(1);
    expect(both[0]).toMatchObject({ status: 'CLAIMED', claimedBy: 'ada@example.com' });
    const where = { id: conversationId };
    const { status } = await service.system.db.conversation.findUniqueOrThrow({ where });
    expect(status).toBe('HUMAN');
    expect(await webhooks()).toEqual(['handoff.claimed']);
    expect(await inbox()).toEqual(['CLAIMED']);
    await replyToConversation(ada, { conversationId, content: 'May I help?' });
  });

  test('claims a request, and takes the conversation of a colleague', async () => {
    const conversationId = await addConversation(service, projectId, { messages: ['Hello?'] });
    const { id } = await requestHandoff(service.system, { projectId, conversationId });
    const first = await takeOverConversation(ada, { conversationId });
    expect(first).toMatchObject({ id, isNew: false, claimedBy: 'ada@example.com' });
    const second = await takeOverConversation(grace, { conversationId });
    expect(second).toMatchObject({ id, isNew: false, claimedBy: 'grace@example.com' });
    expect(await inbox()).toEqual(['REQUESTED', 'CLAIMED', 'CLAIMED']);
  });

  test('reopens a resolved one with a new handoff', async () => {
    const { conversationId, handoffId } = await claimed(ada);
    await resolveHandoff(ada, { handoffId });
    const again = await takeOverConversation(ada, { conversationId });
    expect(again).toMatchObject({ isNew: true, status: 'CLAIMED' });
    expect(again.id).not.toBe(handoffId);
  });

  test('is refused to viewers and to other organizations', async () => {
    const conversationId = await addConversation(service, projectId, { messages: ['Hello?'] });
    const viewer = await member('vera@example.com', 'VIEWER');
    await expect(takeOverConversation(viewer, { conversationId })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    tenant = await service.createTenant();
    const stranger = await member('eve@example.com', 'OWNER');
    await expect(takeOverConversation(stranger, { conversationId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await inbox()).toEqual([]);
  });
});
