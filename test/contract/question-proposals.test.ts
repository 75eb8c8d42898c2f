import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RestClient } from '../support/api/rest-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';

let service: TestService;
let tenant: Tenant;
let client: RestClient;
let setId: string;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

beforeEach(async () => {
  tenant = await service.createTenant();
  client = await tenant.rest();
  setId = await createSet();
});

async function createSet(questions: readonly object[] = []): Promise<string> {
  const response = await client.post('/evaluation/sets', { name: 'Front desk', questions });
  return (await response.json()).id;
}

/** Asks a question through the API, in a new conversation or an existing one. */
async function ask(message: string, conversationId?: string) {
  const response = await client.post('/chat', { message, conversationId });
  expect(response.status).toBe(200);
  return response.json();
}

/** Requests a person, and an agent claims the handoff and replies. Returns the id of the handoff. */
async function handOver(conversationId: string, reply?: string): Promise<string> {
  const { handoffId } = await (await client.post('/handoff', { conversationId })).json();
  expect((await client.post(`/handoffs/${handoffId}/claim`)).status).toBe(200);
  if (reply === undefined) return handoffId;
  const path = `/conversations/${conversationId}/replies`;
  expect((await client.post(path, { content: reply })).status).toBe(201);
  return handoffId;
}

async function proposals(query = '') {
  const response = await client.get(`/evaluation/sets/${setId}/proposals${query}`);
  expect(response.status).toBe(200);
  return response.json();
}

const questionsOf = ({ data }: { readonly data: readonly { readonly question: string }[] }) =>
  data.map(({ question }) => question);

describe('GET /evaluation/sets/{setId}/proposals', () => {
  test('proposes questions that were not answered, rated down, claimed and resolved', async () => {
    await addDocuments(service, tenant.projectId, {
      'sauna.md': '# Sauna\n\nThe sauna opens at noon. Towels cost 3 euros.',
    });
    const unanswered = await ask('Who won the chess championship in 1972?');
    const rated = await ask('When does the sauna open?');
    await client.put(`/messages/${rated.messageId}/feedback`, { rating: 'DOWN' });
    await ask('How much do towels cost?');
    const claimed = await ask('Is my horse allowed in the garden?');
    await ask('hello', claimed.conversationId);
    await handOver(claimed.conversationId);
    const resolved = await ask('Do you deliver to Norway?');
    const handoffId = await handOver(resolved.conversationId, 'Yes, within five days.');
    await ask('Thank you, and to Sweden?', resolved.conversationId);
    await client.post(`/conversations/${resolved.conversationId}/replies`, { content: 'Also.' });
    expect((await client.post(`/handoffs/${handoffId}/resolve`)).status).toBe(200);

    const { data, ...page } = await proposals();
    expect(data).toMatchObject([
      {
        ...{ question: 'Do you deliver to Norway?', reason: 'RESOLVED', count: 1 },
        conversationId: resolved.conversationId,
        humanReply: 'Yes, within five days.',
      },
      {
        ...{ question: 'Is my horse allowed in the garden?', reason: 'CLAIMED', humanReply: null },
        conversationId: claimed.conversationId,
      },
      {
        ...{ question: 'When does the sauna open?', reason: 'RATED_DOWN', humanReply: null },
        answer: rated.content,
      },
      {
        ...{ question: 'Who won the chess championship in 1972?', reason: 'UNANSWERED' },
        ...{ answer: unanswered.content, humanReply: null, askedAt: expect.any(String) },
      },
    ]);
    expect(page).toEqual({ page: 1, limit: 20, total: 4, totalPages: 1, hasMore: false });
    const asked = await service.system.db.message.findUniqueOrThrow({
      where: { id: data[0].messageId },
    });
    expect(asked).toMatchObject({ role: 'USER', content: 'Do you deliver to Norway?' });

    expect(questionsOf(await proposals('?reason=RATED_DOWN'))).toEqual([
      'When does the sauna open?',
    ]);
    const second = await proposals('?limit=1&page=2');
    expect(second).toMatchObject({ data: [data[1]], total: 4, totalPages: 4, hasMore: true });
    const since = encodeURIComponent(new Date(Date.now() + 60_000).toISOString());
    expect(await proposals(`?since=${since}`)).toMatchObject({ data: [], total: 0 });
  });

  test('counts a wording once, and no longer proposes it when the set has it', async () => {
    await ask('Who won the chess championship in 1972?');
    await ask('  who won the\nCHESS championship in 1972? ');
    const { data } = await proposals();
    expect(data).toMatchObject([
      { question: 'who won the\nCHESS championship in 1972?', reason: 'UNANSWERED', count: 2 },
    ]);
    const [{ question }] = data;
    const added = await client.post(`/evaluation/sets/${setId}/questions`, {
      questions: [{ question, mustRefuse: true }],
    });
    expect(await added.json()).toMatchObject({ questionCount: 1, version: 2 });
    expect(await proposals()).toMatchObject({ data: [], total: 0 });
    setId = await createSet();
    expect(await proposals()).toMatchObject({ total: 1 });
  });

  test('compares with all questions of a large set', async () => {
    await ask('Who won the chess championship in 1972?');
    const questions = Array.from({ length: 2_000 }, (_, n) => ({ question: `Question ${n}?` }));
    setId = await createSet(questions);
    expect(await proposals()).toMatchObject({ total: 1 });
    setId = await createSet([
      ...questions,
      { question: 'Who won the chess championship in 1972? ' },
    ]);
    expect(await proposals()).toMatchObject({ total: 0 });
  });

  test('prefers the strongest reason of a wording', async () => {
    const question = 'Do you deliver to Norway?';
    const { conversationId } = await ask(question);
    await handOver(conversationId, 'y'.repeat(1_200));
    const again = await ask(question);
    await client.put(`/messages/${again.messageId}/feedback`, { rating: 'DOWN' });
    const humanReply = 'y'.repeat(1_000);
    expect((await proposals()).data).toMatchObject([
      { question, reason: 'CLAIMED', conversationId, count: 2, humanReply },
    ]);
  });

  test('omits small talk, also before a handoff', async () => {
    const { conversationId } = await ask('hello');
    await handOver(conversationId, 'Hello!');
    expect(await proposals()).toMatchObject({ data: [], total: 0 });
  });

  const omitted: Record<
    string,
    (message: { id: string; conversationId: string }) => Promise<unknown>
  > = {
    'in the playground': ({ conversationId }) =>
      service.system.db.conversation.update({
        where: { id: conversationId },
        data: { channel: 'PLAYGROUND' },
      }),
    'that the team dismissed': ({ id }) =>
      service.system.db.questionDecision.create({
        data: { messageId: id, projectId: tenant.projectId, status: 'DISMISSED' },
      }),
    'that are too long for a set': ({ id }) =>
      service.system.db.message.update({ where: { id }, data: { content: 'x'.repeat(4_001) } }),
    'that are blank': ({ id }) =>
      service.system.db.message.update({ where: { id }, data: { content: ' \n' } }),
    'of an end user who was erased': ({ conversationId }) =>
      service.system.db.conversation.delete({ where: { id: conversationId } }),
  };

  test.each(Object.entries(omitted))('omits questions %s', async (_which, omit) => {
    const claimed = await ask('Do you deliver to Norway?');
    const rated = await ask('Do you deliver to Norway?');
    await handOver(claimed.conversationId, 'Yes.');
    await client.put(`/messages/${rated.messageId}/feedback`, { rating: 'DOWN' });
    expect(await proposals()).toMatchObject({ data: [{ count: 2 }], total: 1 });
    for (const { conversationId } of [claimed, rated]) {
      const where = { conversationId, role: 'USER' } as const;
      await omit(await service.system.db.message.findFirstOrThrow({ where }));
    }
    expect(await proposals()).toMatchObject({ data: [], total: 0 });
  });
});
