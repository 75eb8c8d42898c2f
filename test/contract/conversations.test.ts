import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { expectErrorBody, type RestClient } from '../support/api/rest-client.ts';
import { addConversation, countStatements } from '../support/conversations.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let service: TestService;
let tenant: Tenant;
let client: RestClient;

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  client = await tenant.rest();
});

async function read(from: RestClient, path: string) {
  const response = await from.get(path);
  expect(response.status, path).toBe(200);
  return response.json();
}

describe('the transcript', () => {
  test('of a chat contains the question and the answer with its citations', async () => {
    await addDocuments(service, tenant.projectId, {
      'Check-out.md': '# Check-out\n\nCheck-out is until 11:00. Late check-out costs 20 euros.',
    });
    const message = 'Until when is check-out?';
    const answer = await client.post('/chat', { message, endUserId: 'customer-4711' });
    const { conversationId, messageId, content, citations, confidence, latencyMs } =
      await answer.json();
    expect(citations).not.toEqual([]);
    expect(await read(client, `/conversations/${conversationId}`)).toEqual({
      id: conversationId,
      projectId: tenant.projectId,
      status: 'OPEN',
      endUserId: 'customer-4711',
      endUserName: null,
      endUserEmail: null,
      title: message,
      messageCount: 2,
      lastMessageAt: moment,
      createdAt: moment,
      updatedAt: moment,
      messages: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          role: 'USER',
          authorName: null,
          content: message,
          citations: [],
          confidence: null,
          latencyMs: null,
          status: 'COMPLETED',
          createdAt: moment,
        },
        {
          id: messageId,
          role: 'ASSISTANT',
          authorName: null,
          content,
          citations,
          confidence,
          latencyMs,
          status: 'COMPLETED',
          createdAt: moment,
        },
      ],
      handoff: null,
    });
  });

  test('shows an answer that is still being generated, without content', async () => {
    const { projectId } = tenant;
    const id = await addConversation(service, projectId, { messages: ['Hello?', ''] });
    await service.system.db.message.updateMany({
      where: { conversationId: id, position: 2 },
      data: { status: 'GENERATING' },
    });
    const { messages } = await read(client, `/conversations/${id}`);
    expect(messages[1]).toMatchObject({
      role: 'ASSISTANT',
      status: 'GENERATING',
      content: '',
      citations: [],
      confidence: null,
      latencyMs: null,
    });
  });

  test('contains the latest handoff', async () => {
    const { projectId } = tenant;
    const conversationId = await addConversation(service, projectId, { status: 'HUMAN' });
    const add = (fields: object) =>
      service.system.db.handoff.create({
        data: { id: newId(), projectId, conversationId, ...fields },
      });
    const latest = await add({
      status: 'CLAIMED',
      email: 'ada@example.com',
      requestedAt: new Date('2026-11-21T09:30:00Z'),
      claimedAt: new Date('2026-11-21T09:34:12.345Z'),
    });
    await add({ status: 'RESOLVED', requestedAt: new Date('2026-11-20T09:30:00Z') });
    expect(await read(client, `/conversations/${conversationId}`)).toMatchObject({
      status: 'HUMAN',
      messages: [],
      handoff: {
        id: latest.id,
        status: 'CLAIMED',
        email: 'ada@example.com',
        name: null,
        reason: null,
        requestedAt: '2026-11-21T09:30:00.000Z',
        claimedAt: '2026-11-21T09:34:12.345Z',
        resolvedAt: null,
      },
    });
  });

  test('of 5,000 messages is complete and in order, with a constant number of statements', async () => {
    const contents = Array.from({ length: 5_000 }, (_, n) => `${n}: ${'words '.repeat(50)}`);
    const id = await addConversation(service, tenant.projectId, { messages: contents });
    let transcript: { messageCount: number; messages: { content: string }[] } | undefined;
    const statements = await countStatements(service.adapters.pool, async () => {
      transcript = await read(client, `/conversations/${id}`);
    });
    expect(transcript?.messageCount).toBe(5_000);
    expect(transcript?.messages.map(({ content }) => content)).toEqual(contents);
    expect(statements).toBeLessThan(10);
  });
});

describe('the list', () => {
  let own: Tenant;
  let reader: RestClient;
  const names = new Map<string, string>();

  beforeAll(async () => {
    own = await service.createTenant();
    reader = await own.rest();
    const add = async (name: string, fields: Parameters<typeof addConversation>[2]) => {
      names.set(await addConversation(service, own.projectId, fields), name);
    };
    const lastMessageAt = new Date('2026-11-02T10:00:00.000Z');
    await add('first', {
      lastMessageAt,
      endUserId: 'anna+1@example.com',
      messages: ['A refund of 100%?', 'Yes.'],
    });
    await add('second', { lastMessageAt, status: 'RESOLVED', messages: ['A Refund?'] });
    await add('third', {
      lastMessageAt: new Date('2026-11-01T10:00:00.000Z'),
      endUserId: 'anna+1@example.com',
      messages: ['Où est ma clé ?'],
    });
  });

  async function list(query: string) {
    const { data, ...rest } = await read(reader, `/conversations${query}`);
    return { ...rest, found: data.map(({ id }: { id: string }) => names.get(id)).join(' ') };
  }

  test('returns the record of each conversation, without its messages', async () => {
    const page = await read(reader, '/conversations?status=RESOLVED');
    expect(page).toEqual({
      data: [
        {
          id: expect.any(String),
          projectId: own.projectId,
          status: 'RESOLVED',
          endUserId: null,
          endUserName: null,
          endUserEmail: null,
          title: 'A Refund?',
          messageCount: 1,
          lastMessageAt: '2026-11-02T10:00:00.000Z',
          createdAt: moment,
          updatedAt: moment,
        },
      ],
      page: 1,
      limit: 20,
      total: 1,
      totalPages: 1,
      hasMore: false,
    });
  });

  test('is paginated, with the latest message first', async () => {
    expect(await list('')).toMatchObject({ found: 'second first third', total: 3, limit: 20 });
    expect(await list('?limit=2')).toMatchObject({ found: 'second first', hasMore: true });
    expect(await list('?limit=2&page=2')).toEqual({
      found: 'third',
      page: 2,
      limit: 2,
      total: 3,
      totalPages: 2,
      hasMore: false,
    });
    expect(await list('?page=9')).toMatchObject({ found: '', total: 3, hasMore: false });
  });

  test.each([
    ['?endUserId=anna%2B1@example.com', 'first third'],
    ['?search=CLE%CC%81', 'third'],
    ['?from=2026-11-02T10:00:00Z', 'second first'],
    ['?from=2026-11-02T11:00:00.000%2B01:00', 'second first'],
    ['?to=2026-11-01T10:00Z', 'third'],
    ['?from=2026-11-02', 'second first'],
    ['?from=2026-11-03', ''],
    ['?to=2026-11-01', 'third'],
    ['?to=2026-11-02', 'second first third'],
    ['?from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z', 'second first third'],
    [
      '?status=OPEN&endUserId=anna%2B1@example.com&search=refund&from=2026-11-02T10:00:00Z&to=2026-11-02T10:00:00Z&limit=1',
      'first',
    ],
  ])('with %s', async (query, found) => {
    expect((await list(query)).found).toBe(found);
  });

  const dateTime = (field: string) => `${field} must be an ISO 8601 date or date-time`;

  test.each([
    ['endUserId=a%07', ['endUserId must be printable characters']],
    ['from=', [dateTime('from')]],
    ['from=2026-02-29', [dateTime('from')]],
    ['to=2026-11', [dateTime('to')]],
    ['from=2026-11-01T10:00:00', [dateTime('from')]],
    ['from=2026-02-29T10:00:00Z', [dateTime('from')]],
    ['from=2026-11-01T25:00:00Z', [dateTime('from')]],
    ['from=2026-11-02T11:00:00+01:00', [dateTime('from')]],
    ['from=0000-11-01T10:00:00Z', ['from must be in the year 1 or later']],
    ['to=1762000000', [dateTime('to')]],
    [
      'page=x&limit=0&status=x&endUserId=&from=x&to=x',
      [
        'page must be an integer between 1 and 1000000',
        'limit must be an integer between 1 and 100',
        'status must be one of OPEN, HANDOFF_REQUESTED, HUMAN, RESOLVED',
        'endUserId must not be empty',
        dateTime('from'),
        dateTime('to'),
      ],
    ],
  ])('returns 400 for %s', async (query, message) => {
    expect(await expectErrorBody(reader.get(`/conversations?${query}`))).toMatchObject({
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message,
    });
  });
});
