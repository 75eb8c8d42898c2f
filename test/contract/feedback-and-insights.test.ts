import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RestClient } from '../support/api/rest-client.ts';
import { addConversation } from '../support/conversations.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let client: RestClient;
let conversationId: string;
let messageId: string;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});

beforeEach(async () => {
  tenant = await service.createTenant();
  client = await tenant.rest({ scopes: ['CHAT', 'CONVERSATIONS_READ'] });
  ({ conversationId, messageId } = await ask('Do you deliver to Norway?'));
});

async function ask(question: string) {
  const messages = [question, 'Perhaps.'];
  const conversationId = await addConversation(service, tenant.projectId, { messages });
  const answer = await service.system.db.message.findFirstOrThrow({
    where: { conversationId, role: 'ASSISTANT' },
  });
  return { conversationId, messageId: answer.id };
}

describe('PUT /messages/{messageId}/feedback', () => {
  const rate = (body: object, by = client) => by.put(`/messages/${messageId}/feedback`, body);

  test('stores the rating, and replaces it with its comment', async () => {
    const first = await rate({ rating: 'DOWN', comment: ' Not what I asked ' });
    expect(first.status).toBe(200);
    expect(await first.json()).toMatchObject({
      messageId,
      rating: 'DOWN',
      comment: 'Not what I asked',
    });
    expect(await (await rate({ rating: 'UP' })).json()).toMatchObject({
      rating: 'UP',
      comment: null,
    });
    expect(await service.system.db.messageFeedback.count({ where: { messageId } })).toBe(1);
  });
});

describe('GET /insights/unanswered', () => {
  test('lists badly rated questions in groups, most frequent first, in pages', async () => {
    const same = await ask('Do you deliver to Norway?');
    const other = await ask('How large is the swimming pool?');
    for (const id of [messageId, same.messageId, other.messageId]) {
      await client.put(`/messages/${id}/feedback`, { rating: 'DOWN' });
    }
    const first = await (await client.get('/insights/unanswered?limit=1')).json();
    expect(first).toMatchObject({
      data: [{ question: 'Do you deliver to Norway?', count: 2, badFeedbackCount: 2 }],
      page: 1,
      limit: 1,
      total: 2,
      totalPages: 2,
      hasMore: true,
    });
    expect([...first.data[0].conversationIds].sort()).toEqual(
      [conversationId, same.conversationId].sort(),
    );
    const second = await (await client.get('/insights/unanswered?limit=1&page=2')).json();
    expect(second).toMatchObject({
      data: [{ question: 'How large is the swimming pool?', count: 1 }],
      hasMore: false,
    });
  });

  test('lists questions that are done or dismissed on request, each with its state and its earlier count', async () => {
    await client.put(`/messages/${messageId}/feedback`, { rating: 'DOWN' });
    const open = (await (await client.get('/insights/unanswered')).json()).data[0];
    expect(open).toMatchObject({ status: 'OPEN', previousCount: 0, documentId: null });
    const { projectId } = tenant;
    await service.system.db.questionDecision.create({
      data: { messageId: open.questionId, projectId, status: 'DISMISSED' },
    });
    expect(await (await client.get('/insights/unanswered')).json()).toMatchObject({ total: 0 });
    const dismissed = await client.get('/insights/unanswered?status=DISMISSED');
    expect((await dismissed.json()).data).toEqual([{ ...open, status: 'DISMISSED' }]);
  });

  test('ignores questions before since', async () => {
    await client.put(`/messages/${messageId}/feedback`, { rating: 'DOWN' });
    const since = encodeURIComponent(new Date(Date.now() + 60_000).toISOString());
    const page = await (await client.get(`/insights/unanswered?since=${since}`)).json();
    expect(page).toMatchObject({ data: [], total: 0 });
  });
});
