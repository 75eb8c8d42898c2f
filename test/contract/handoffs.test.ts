import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { claimHandoff } from '../../src/domain/handoff/claim-handoff.ts';
import { countUnread } from '../../src/domain/handoff/conversation-reads.ts';
import { requestHandoff } from '../../src/domain/handoff/request-handoff.ts';
import { newId } from '../../src/platform/ids.ts';
import type { ApiKeyScope, Role } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { expectErrorBody, type RestClient, restClient } from '../support/api/rest-client.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let client: RestClient;
let conversationId: string;
let handoffId: string;

const agentScopes = ['HANDOFF_WRITE', 'CONVERSATIONS_READ', 'CHAT'] as const;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  tenant = await service.createTenant();
  client = clientOf(await namedKey('Help desk', agentScopes));
  await addMember('AGENT', 'grace@example.com');
  await addMember('VIEWER', 'viewer@example.com');
});

beforeEach(async () => {
  ({ conversationId, handoffId } = await newHandoff());
});

function clientOf(key: string | null): RestClient {
  return restClient(`${service.url}/api/v1`, key);
}

async function namedKey(name: string, scopes: readonly ApiKeyScope[]): Promise<string> {
  const { organizationId, projectId } = tenant;
  return (await createApiKey(service.system, { organizationId, projectId, name, scopes })).secret;
}

async function addMember(role: Role, email: string): Promise<void> {
  const { organizationId } = tenant;
  await service.system.db.member.create({ data: { id: newId(), organizationId, role, email } });
}

async function newHandoff(projectId = tenant.projectId, reason = 'A refund') {
  const conversationId = newId();
  await service.system.db.conversation.create({
    data: { id: conversationId, projectId, title: 'Refunds', endUserId: 'guest-17' },
  });
  const { id } = await requestHandoff(service.system, { projectId, conversationId, reason });
  return { conversationId, handoffId: id };
}

async function conversationStatus(): Promise<string> {
  const found = await service.system.db.conversation.findUniqueOrThrow({
    where: { id: conversationId },
  });
  return found.status;
}

describe('GET /handoffs', () => {
  test('lists handoffs, latest request first, with owner and conversation', async () => {
    const later = await newHandoff();
    const { data, ...page } = await (await client.get('/handoffs?limit=2')).json();
    expect(data.map(({ id }: { id: string }) => id)).toEqual([later.handoffId, handoffId]);
    expect(data[1]).toMatchObject({
      projectId: tenant.projectId,
      conversationId,
      status: 'REQUESTED',
      reason: 'A refund',
      claimedBy: null,
      claimedAt: null,
      resolvedAt: null,
    });
    expect(page).toMatchObject({ page: 1, limit: 2, hasMore: page.total > 2 });
  });

  test('filters by status, owner and text', async () => {
    const other = await newHandoff(tenant.projectId, 'About zebra crossings');
    await claimHandoff(service.system, { ...other, agent: 'grace@example.com' });
    for (const filter of ['claimedBy=Grace%40example.com&status=CLAIMED', 'search=ZEBRA']) {
      const { data } = await (await client.get(`/handoffs?${filter}`)).json();
      expect(data).toEqual([expect.objectContaining({ id: other.handoffId })]);
    }
    const none = await client.get('/handoffs?search=ZEBRA&status=RESOLVED');
    expect(await none.json()).toMatchObject({ data: [], total: 0, totalPages: 0 });
  });

  test('filters by a key as owner', async () => {
    await client.post(`/handoffs/${handoffId}/claim`);
    const { data } = await (await client.get('/handoffs?claimedBy=key:Help%20desk')).json();
    expect(data).toContainEqual(
      expect.objectContaining({ id: handoffId, claimedBy: 'key:Help desk' }),
    );
  });
});

describe('POST /handoffs/{handoffId}/claim', () => {
  test('claims in the name of the key, and again without a change', async () => {
    const first = await client.post(`/handoffs/${handoffId}/claim`);
    expect(first.status).toBe(200);
    const handoff = await first.json();
    expect(handoff).toMatchObject({
      id: handoffId,
      status: 'CLAIMED',
      claimedBy: 'key:Help desk',
      claimedAt: expect.any(String),
    });
    expect(await conversationStatus()).toBe('HUMAN');
    expect(await (await client.post(`/handoffs/${handoffId}/claim`, {})).json()).toEqual(handoff);
  });

  test('claims in the name of a member', async () => {
    const response = await client.post(`/handoffs/${handoffId}/claim`, {
      agent: 'Grace@Example.com',
    });
    expect(await response.json()).toMatchObject({ claimedBy: 'grace@example.com' });
  });

  test('refuses a person who is no member with 404, and a viewer with 409', async () => {
    const claim = (agent: string) =>
      expectErrorBody(client.post(`/handoffs/${handoffId}/claim`, { agent }));
    expect(await claim('nobody@example.com')).toMatchObject({
      statusCode: 404,
      message: 'Member not found',
    });
    expect(await claim('viewer@example.com')).toMatchObject({ statusCode: 409, code: 'CONFLICT' });
    expect(await conversationStatus()).toBe('HANDOFF_REQUESTED');
  });
});

describe('transfer, resolve and return', () => {
  const transfer = (body: object) => client.post(`/handoffs/${handoffId}/transfer`, body);
  const to = 'grace@example.com';
  const notes = async () =>
    (await (await client.get(`/conversations/${conversationId}/notes`)).json()).data;

  test('transfers a claimed handoff to a member, with a note that is added once', async () => {
    await client.post(`/handoffs/${handoffId}/claim`);
    for (const _attempt of [1, 2]) {
      const response = await transfer({ to, note: 'Asked twice' });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ claimedBy: to });
    }
    expect(await notes()).toMatchObject([{ author: 'key:Help desk', content: 'Asked twice' }]);
    const { messages } = await (await client.get(`/conversations/${conversationId}`)).json();
    expect(messages).toEqual([]);
  });

  test('assigns a handoff that waits, with an unread mark, and none that is resolved', async () => {
    const message = { projectId: tenant.projectId, conversationId, position: 1, content: 'Hi' };
    await service.system.db.message.create({ data: { ...message, id: newId(), role: 'USER' } });
    const assigned = await (await transfer({ to })).json();
    expect(assigned).toMatchObject({ status: 'CLAIMED', claimedBy: to });
    expect(await conversationStatus()).toBe('HUMAN');
    const handoff = await service.system.db.handoff.findUniqueOrThrow({ where: { id: handoffId } });
    expect(await countUnread(service.system, handoff)).toBe(1);
    expect(await notes()).toEqual([]);
    await client.post(`/handoffs/${handoffId}/resolve`);
    expect(await expectErrorBody(transfer({ to, note: 'Late' }))).toMatchObject({
      statusCode: 409,
      message: 'The handoff is resolved',
    });
    expect(await notes()).toEqual([]);
  });

  test('puts a handoff back for its owner, once and with a note, in the name of a member', async () => {
    const release = (body: object) => client.post(`/handoffs/${handoffId}/release`, body);
    await client.post(`/handoffs/${handoffId}/claim`, { agent: to });
    expect(await expectErrorBody(release({ note: 'Mine' }))).toMatchObject({
      statusCode: 409,
      message: 'Another agent has claimed the handoff',
    });
    expect(await conversationStatus()).toBe('HUMAN');
    const both = await Promise.all(
      [1, 2].map(() => release({ agent: to, note: 'Needs an expert' })),
    );
    for (const response of both) {
      expect(response.status).toBe(200);
      const waits = { status: 'REQUESTED', claimedBy: null, claimedAt: null };
      expect(await response.json()).toMatchObject(waits);
    }
    expect(await notes()).toMatchObject([{ author: to, content: 'Needs an expert' }]);
    expect(await conversationStatus()).toBe('HANDOFF_REQUESTED');
    expect((await client.post(`/handoffs/${handoffId}/claim`)).status).toBe(200);
    await client.post(`/handoffs/${handoffId}/resolve`);
    expect(await expectErrorBody(release({}))).toMatchObject({
      message: 'The handoff is resolved',
    });
  });
});

describe('POST /conversations/{conversationId}/replies', () => {
  const reply = (by: RestClient, body: object = {}, headers: Record<string, string> = {}) => {
    const content = 'It is on its way.';
    return by.post(`/conversations/${conversationId}/replies`, { content, ...body }, headers);
  };

  test('stores the reply, which the transcript contains', async () => {
    await client.post(`/handoffs/${handoffId}/claim`);
    const response = await reply(client);
    expect(response.status).toBe(201);
    const message = await response.json();
    expect(message).toMatchObject({
      role: 'AGENT',
      content: 'It is on its way.',
      status: 'COMPLETED',
      citations: [],
      confidence: null,
    });
    const { messages } = await (await client.get(`/conversations/${conversationId}`)).json();
    expect(messages).toEqual([message]);
  });

  test('stores the key or the named member as the author', async () => {
    await client.post(`/handoffs/${handoffId}/claim`);
    const authorOf = async (response: Response) => {
      const { id } = await response.json();
      return (await service.system.db.message.findFirstOrThrow({ where: { id } })).author;
    };
    expect(await authorOf(await reply(client))).toBe('key:Help desk');
    expect(await authorOf(await reply(client, { agent: 'grace@example.com' }))).toBe(
      'grace@example.com',
    );
  });

  test('with an Idempotency-Key, sends a repeated reply once', async () => {
    await client.post(`/handoffs/${handoffId}/claim`);
    const key = { 'Idempotency-Key': newId() };
    const first = await reply(client, {}, key);
    const second = await reply(client, {}, key);
    expect(second.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await second.text()).toBe(await first.text());
    const other = await expectErrorBody(reply(client, { content: 'Something else' }, key));
    expect(other).toMatchObject({ statusCode: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await service.system.db.message.count({ where: { conversationId } })).toBe(1);
  });
});

describe('/conversations/{conversationId}/notes', () => {
  const path = () => `/conversations/${conversationId}/notes`;

  test('adds notes before and after a claim, and lists them oldest first', async () => {
    const first = await client.post(path(), { content: 'Asked twice' });
    expect(first.status).toBe(201);
    const note = await first.json();
    expect(note).toEqual({
      id: expect.any(String),
      conversationId,
      author: 'key:Help desk',
      content: 'Asked twice',
      createdAt: expect.any(String),
    });
    await client.post(`/handoffs/${handoffId}/claim`, { agent: 'grace@example.com' });
    const noteId = newId();
    const second = { content: 'Paid by card', agent: 'grace@example.com', noteId };
    const added = await (await client.post(path(), second)).json();
    expect(added).toMatchObject({ id: noteId, author: 'grace@example.com' });
    expect(await (await client.post(path(), second)).json()).toEqual(added);
    expect(await (await client.get(path())).json()).toEqual({ data: [note, added] });
  });

  test('returns the ids as stored, however the caller spells them', async () => {
    const noteId = newId();
    const response = await client.post(`/conversations/${conversationId.toUpperCase()}/notes`, {
      content: 'a',
      noteId: noteId.toUpperCase(),
    });
    expect(await response.json()).toMatchObject({ id: noteId, conversationId });
  });

  test('refuses ids of other notes', async () => {
    const { id: noteId } = await (await client.post(path(), { content: 'a' })).json();
    const agent = 'grace@example.com';
    const other = client.post(path(), { content: 'b', noteId, agent });
    expect(await expectErrorBody(other)).toMatchObject({ statusCode: 409, code: 'CONFLICT' });
    const elsewhere = await newHandoff();
    const moved = client.post(`/conversations/${elsewhere.conversationId}/notes`, {
      content: 'a',
      noteId,
    });
    expect(await expectErrorBody(moved)).toMatchObject({ statusCode: 404 });
  });

  test('a conversation has at most 200 notes, also with two calls at once', async () => {
    const row = { projectId: tenant.projectId, conversationId, author: 'a', content: 'c' };
    const rows = Array.from({ length: 199 }, () => ({ ...row, id: newId() }));
    await service.system.db.conversationNote.createMany({ data: rows });
    const both = await Promise.all([1, 2].map(() => client.post(path(), { content: 'last' })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await (await client.get(path())).json()).data).toHaveLength(200);
  });
});
