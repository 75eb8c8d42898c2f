import { beforeAll, describe, expect, test } from 'vitest';
import { expectErrorBody, type RestClient, restClient } from '../support/rest-client.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const nowhere = '01980a3c-0000-7000-8000-000000000000';

let service: TestService;
let baseUrl: string;
let tenant: Tenant;
let client: RestClient;
let orgWide: RestClient;

beforeAll(async () => {
  service = await sharedService();
  baseUrl = `${service.url}/api/v1`;
  tenant = await service.createTenant();
  client = restClient(baseUrl, await tenant.key());
  orgWide = restClient(baseUrl, await tenant.key({ isOrgWide: true }));
  const content = 'The lighthouse can be visited from nine in the morning. Dogs stay outside.';
  const response = await client.post('/knowledge/documents', { name: 'Visiting', content });
  const { id } = await response.json();
  const isReady = async () => {
    const document = await (await client.get(`/knowledge/documents/${id}`)).json();
    return document.status === 'READY';
  };
  await waitUntil(isReady, { timeoutMs: 20_000 });
});

const uuid = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);
const question = { message: 'When can the lighthouse be visited?' };

describe('a JSON answer', () => {
  test('has the documented fields, with citations', async () => {
    const response = await client.post('/chat', question);
    expect(response.status).toBe(200);
    const reply = await response.json();
    expect(reply).toEqual({
      conversationId: uuid,
      messageId: uuid,
      content: expect.stringContaining('nine'),
      citations: expect.any(Array),
      confidence: expect.any(Number),
      latencyMs: expect.any(Number),
    });
    expect(reply.citations[0]).toEqual({
      documentId: uuid,
      documentName: 'Visiting',
      chunkId: uuid,
      score: expect.any(Number),
      quote: expect.stringContaining('nine'),
      page: null,
      startOffset: 0,
      endOffset: expect.any(Number),
      sourceUrl: null,
      metadata: {},
    });
    expect(reply.confidence).toBeGreaterThan(0.5);
    expect(reply.confidence).toBeLessThanOrEqual(1);
  });

  test('has no citations and a low confidence when the documents contain no answer', async () => {
    const response = await client.post('/chat', {
      message: 'What is the boiling point of osmium?',
    });
    const reply = await response.json();
    expect(reply).toMatchObject({ citations: [] });
    expect(reply.confidence).toBeLessThanOrEqual(0.2);
  });

  test('continues the given conversation', async () => {
    const first = await (await client.post('/chat', { ...question, endUserId: 'mo' })).json();
    const { conversationId } = first;
    const next = await client.post('/chat', {
      message: 'And dogs?',
      conversationId,
      endUserId: 'mo',
    });
    expect(next.status).toBe(200);
    const second = await next.json();
    expect(second.conversationId).toBe(conversationId);
    expect(second.messageId).not.toBe(first.messageId);
  });
});

describe('a streamed answer', () => {
  test.each([
    ['from the documents', question.message],
    ['that is the fallback text', 'Who won the chess tournament of 1987?'],
  ])(
    '%s sends meta, sources, deltas and done; the joined deltas are the answer',
    async (_, message) => {
      const response = await client.post('/chat', { message, stream: true });
      expect(response.status).toBe(200);
      expect(response.headers.get('Content-Type')).toBe('text/event-stream');
      const frames = (await response.text()).split('\n\n');
      expect(frames.pop()).toBe('');
      const events = frames.map((frame) => JSON.parse(frame.replace(/^data: /, '')));
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index));
      const types = events.map(({ type }) => type);
      expect(types.join(' ')).toMatch(/^meta sources( delta)+ done$/);

      const [meta, sources] = events;
      const { type: _type, seq: _seq, ...done } = events.at(-1);
      expect(meta).toMatchObject({ conversationId: uuid, messageId: uuid });
      expect(done).toEqual({
        conversationId: meta.conversationId,
        messageId: meta.messageId,
        content: events.map(({ text }) => text ?? '').join(''),
        citations: sources.citations,
        confidence: expect.any(Number),
        latencyMs: expect.any(Number),
      });
      expect(sources.confidence).toEqual(expect.any(Number));
    },
  );

  test('returns a plain HTTP error if it fails before the first event', async () => {
    const response = client.post('/chat', { ...question, stream: true, conversationId: nowhere });
    expect(await expectErrorBody(response)).toMatchObject({ statusCode: 404, code: 'NOT_FOUND' });
  });
});

describe.each([false, true])('with stream: %s', (stream) => {
  const ask = (from: RestClient, more: object = {}) =>
    from.post('/chat', { ...question, stream, ...more });

  test('a missing or invalid key returns 401', async () => {
    expect(await expectErrorBody(ask(restClient(baseUrl, 'sk_nonsense')))).toMatchObject({
      statusCode: 401,
    });
  });

  test('a key without the scope chat returns 403', async () => {
    const key = await tenant.key({ scopes: ['KNOWLEDGE_READ', 'KNOWLEDGE_WRITE'] });
    const error = await expectErrorBody(ask(restClient(baseUrl, key)));
    expect(error).toMatchObject({ statusCode: 403 });
    expect(error.message).toContain('chat');
  });

  test.each([
    ['an empty message', { message: '' }, 'message must not be blank'],
    ['a long message', { message: 'm'.repeat(4001) }, 'message must be at most 4000 characters'],
    ['an empty end user', { endUserId: '' }, 'endUserId must not be empty'],
    ['an invisible end user', { endUserId: 'a\u200db' }, 'endUserId must be printable characters'],
    ['a misspelt field', { conversationID: nowhere }, 'conversationID is not a known field'],
  ])('%s returns 400', async (_what, fields, message) => {
    expect(await expectErrorBody(ask(client, fields))).toMatchObject({
      statusCode: 400,
      message: [message],
    });
  });

  test('projectId follows the rules of the key', async () => {
    const other = await service.createTenant();
    expect(await expectErrorBody(ask(client, { projectId: tenant.projectId }))).toMatchObject({
      statusCode: 400,
    });
    expect(await expectErrorBody(ask(client, { projectId: other.projectId }))).toMatchObject({
      statusCode: 403,
    });
    const missing = await expectErrorBody(ask(orgWide));
    expect(missing).toMatchObject({ statusCode: 400, code: 'PROJECT_REQUIRED' });
    expect(missing.message).toContain('org-wide');
    for (const projectId of [nowhere, 'nonsense', other.projectId]) {
      expect(await expectErrorBody(ask(orgWide, { projectId }))).toMatchObject({ statusCode: 404 });
    }
    expect((await ask(orgWide, { projectId: tenant.projectId })).status).toBe(200);
  });

  test('an unknown conversation, or one of another tenant or end user, returns 404', async () => {
    const other = await service.createTenant();
    const stranger = restClient(baseUrl, await other.key());
    const mine = await client.post('/chat', { ...question, endUserId: 'mo' });
    const { conversationId } = await mine.json();
    for (const [from, fields] of [
      [client, { conversationId: nowhere }],
      [client, { conversationId: 'nonsense' }],
      [client, { conversationId: '' }],
      [stranger, { conversationId }],
      [client, { conversationId, endUserId: 'kim' }],
    ] as const) {
      expect(await expectErrorBody(ask(from, fields))).toMatchObject({
        statusCode: 404,
        code: 'NOT_FOUND',
      });
    }
  });
});
