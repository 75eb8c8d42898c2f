import { beforeAll, describe, expect, test } from 'vitest';
import { expectErrorBody, type RestClient } from '../support/api/rest-client.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: TestService;
let tenant: Tenant;
let client: RestClient;

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  client = await tenant.rest();
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
});

test.each([false, true])(
  'an unknown conversation, or one of another end user, returns 404 as plain HTTP (stream: %s)',
  async (stream) => {
    const mine = await client.post('/chat', { ...question, endUserId: 'mo' });
    const { conversationId } = await mine.json();
    for (const fields of [
      { conversationId: '01980a3c-0000-7000-8000-000000000000' },
      { conversationId: '' },
      { conversationId, endUserId: 'kim' },
    ]) {
      const response = client.post('/chat', { ...question, stream, ...fields });
      expect(await expectErrorBody(response)).toMatchObject({ statusCode: 404, code: 'NOT_FOUND' });
    }
  },
);
