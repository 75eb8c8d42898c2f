import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import type { RestClient } from '../support/api/rest-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: TestService;
let tenant: Tenant;
let client: RestClient;
let saunaId: string;

const scopes = ['EVALUATION_READ', 'EVALUATION_WRITE'] as const;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant();
  client = await tenant.rest({ scopes });
  const [sauna] = await addDocuments(service, tenant.projectId, {
    'sauna.md': '# Sauna\n\nThe sauna opens at noon. Towels cost 3 euros.',
    'boats.md': '# Boats\n\nKayaks are rented at the pier. A kayak costs 12 euros per hour.',
  });
  saunaId = sauna?.id ?? '';
});
afterAll(() => service?.stop());

const questions = [
  { question: 'When does the sauna open?', expected: ['noon'], documentName: 'sauna.md' },
  { question: 'How much does a kayak cost?', expected: [['12 euros', '€12']], tags: ['prices'] },
  { question: 'Who won the chess championship in 1972?', mustRefuse: true, language: 'en' },
];

interface Run {
  readonly id: string;
  readonly status: string;
  readonly progress: { readonly done: number; readonly total: number };
  // biome-ignore lint/suspicious/noExplicitAny: the tests compare single figures
  readonly figures: any;
}

async function createSet(name: string, given: readonly object[] = questions): Promise<string> {
  const response = await client.post('/evaluation/sets', { name, questions: given });
  expect(response.status).toBe(201);
  return (await response.json()).id;
}

async function run(setId: string, candidate?: object): Promise<Run> {
  const response = await client.post('/evaluation/runs', { setId, candidate });
  expect(response.status).toBe(202);
  return ended((await response.json()).id);
}

async function ended(id: string): Promise<Run> {
  let found: Run | undefined;
  await waitUntil(async () => {
    found = await (await client.get(`/evaluation/runs/${id}`)).json();
    return found?.status !== 'QUEUED' && found?.status !== 'RUNNING';
  });
  return found as Run;
}

describe('question sets', () => {
  test('are created, read, renamed and deleted', async () => {
    const id = await createSet('Front desk');
    expect(await (await client.get(`/evaluation/sets/${id}`)).json()).toMatchObject({
      ...{ id, projectId: tenant.projectId, name: 'Front desk', version: 1, questionCount: 3 },
    });
    const listed = await (await client.get('/evaluation/sets')).json();
    expect(listed.data.map((set: { id: string }) => set.id)).toContain(id);
    const renamed = await client.patch(`/evaluation/sets/${id}`, { name: 'Reception' });
    expect(await renamed.json()).toMatchObject({ name: 'Reception', version: 1 });
    expect((await client.delete(`/evaluation/sets/${id}`)).status).toBe(204);
    expect((await client.get(`/evaluation/sets/${id}`)).status).toBe(404);
  });

  test('return their questions as they were sent', async () => {
    const id = await createSet('As sent');
    const { data, total } = await (await client.get(`/evaluation/sets/${id}/questions`)).json();
    expect(total).toBe(3);
    expect(data).toEqual([
      { ...emptyQuestion, id: expect.anything(), ...questions[0] },
      { ...emptyQuestion, id: expect.anything(), ...questions[1] },
      { ...emptyQuestion, id: expect.anything(), ...questions[2] },
    ]);
  });

  test('are not returned in pages of more than 8 MB', async () => {
    const id = await createSet('Long texts');
    const { db } = service.system;
    const { projectId } = tenant;
    const question = 'Why? '.repeat(800);
    const expected = [['𝒳'.repeat(20_000)]];
    await db.setQuestion.createMany({
      data: Array.from({ length: 120 }, (_, n) => ({
        ...{ id: newId(), setId: id, projectId, position: n + 10, question, expected },
      })),
    });
    const page = (limit: number) => client.get(`/evaluation/sets/${id}/questions?limit=${limit}`);
    const refused = await page(100);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      code: 'QUERY_TOO_COMPLEX',
      message: expect.stringContaining('smaller pages'),
    });
    expect((await page(50)).status).toBe(200);
  });

  test('count versions: questions are replaced by an array, and added', async () => {
    const id = await createSet('Versions');
    const replaced = await client.put(`/evaluation/sets/${id}/questions`, questions.slice(0, 1));
    expect(await replaced.json()).toMatchObject({ version: 2, questionCount: 1 });
    const added = await client.post(`/evaluation/sets/${id}/questions`, { questions });
    expect(await added.json()).toMatchObject({ version: 3, questionCount: 4 });
    const { data } = await (await client.get(`/evaluation/sets/${id}/questions`)).json();
    expect(data.map(({ question }: { question: string }) => question)).toEqual(
      [questions[0], ...questions].map((question) => question?.question),
    );
  });

  test('with an org-wide key, the project of an array is a parameter', async () => {
    const orgWide = await tenant.rest({ scopes, isOrgWide: true });
    const id = await createSet('Org-wide');
    const path = `/evaluation/sets/${id}/questions`;
    const { projectId } = tenant;
    expect((await orgWide.put(`${path}?projectId=${projectId}`, questions)).status).toBe(200);
    expect((await orgWide.put(path, { projectId, questions })).status).toBe(200);
    const missing = await orgWide.put(path, questions);
    expect(await missing.json()).toMatchObject({ statusCode: 400, code: 'PROJECT_REQUIRED' });
  });

  test('report each wrong question, and store none', async () => {
    const id = await createSet('Wrong', []);
    const wrong = [
      { question: ' ' },
      { question: 'Right?' },
      { question: 'How?', expected: ['yes', ['no', ' ']] },
      { question: 'Which?', documentId: 'x' },
    ];
    const response = await client.put(`/evaluation/sets/${id}/questions`, wrong);
    const { statusCode, message } = await response.json();
    expect(statusCode).toBe(400);
    expect(message).toEqual([
      'questions.0.question must not be blank',
      'questions.2.expected.1.1 must not be blank',
      'questions.3.documentId must be a UUID',
    ]);
    expect(await (await client.get(`/evaluation/sets/${id}`)).json()).toMatchObject({
      version: 1,
      questionCount: 0,
    });
  });

  test('change and delete single questions', async () => {
    const setId = await createSet('Single');
    const path = `/evaluation/sets/${setId}/questions`;
    const read = async () => (await (await client.get(path)).json()).data;
    const [first, second] = await read();
    const response = await client.patch(`/evaluation/questions/${second.id}`, {
      ...{ question: 'What is the price of a kayak?', expected: ['12 euros'], tags: [] },
    });
    expect(response.status).toBe(200);
    const changed = {
      ...second,
      ...{ question: 'What is the price of a kayak?', expected: ['12 euros'], tags: [] },
    };
    expect(await response.json()).toEqual(changed);
    await client.patch(`/evaluation/questions/${first.id}`, { documentName: null });
    expect((await read())[0]).toEqual({ ...first, documentName: null });
    expect((await client.delete(`/evaluation/questions/${first.id}`)).status).toBe(204);
    expect((await client.delete(`/evaluation/questions/${first.id}`)).status).toBe(404);
    await client.post(path, { questions: [{ question: 'Is there tea?' }] });
    expect((await read()).map(({ question }: { question: string }) => question)).toEqual([
      'What is the price of a kayak?',
      'Who won the chess championship in 1972?',
      'Is there tea?',
    ]);
    const set = await (await client.get(`/evaluation/sets/${setId}`)).json();
    expect(set).toMatchObject({ questionCount: 3, version: 5 });
    const refused = await client.patch(`/evaluation/questions/${second.id}`, {
      question: ' ',
      expected: [[]],
    });
    expect((await refused.json()).message).toEqual([
      'question must not be blank',
      'expected.0 must not be empty',
    ]);
  });

  test('have at most 10,000 questions', async () => {
    const many = Array.from({ length: 10_000 }, (_, n) => ({ question: `Question ${n}?` }));
    const id = await createSet('Many', []);
    const path = `/evaluation/sets/${id}/questions`;
    expect((await client.put(path, [...many, { question: 'One more?' }])).status).toBe(400);
    expect(await (await client.put(path, many)).json()).toMatchObject({ questionCount: 10_000 });
    expect((await client.post(path, [{ question: 'One more?' }])).status).toBe(400);
  });
});

const emptyQuestion = {
  expected: [],
  documentId: null,
  documentName: null,
  mustRefuse: false,
  tags: [],
  language: null,
  conversationId: null,
};

describe('runs', () => {
  test('ask all questions and judge the answers, without conversations and messages', async () => {
    const { db } = service.system;
    const usage = async () => {
      const sql = `select messages, embedding_tokens::float8 as tokens from grounded.usage_periods where organization_id = $1`;
      const { rows } = await service.ownerPool.query(sql, [tenant.organizationId]);
      return rows[0] ?? { messages: 0, tokens: 0 };
    };
    const before = await usage();
    const { id, status, progress, figures } = await run(await createSet('Judged'));
    expect({ status, progress }).toEqual({ status: 'DONE', progress: { done: 3, total: 3 } });
    expect(figures).toMatchObject({
      ...{ recallAt1: 1, recallAt5: 1, mrr: 1, firstCitationRight: 1, containsExpected: 1 },
      ...{ refusedRight: 1, refusedWrongly: 0, auroc: 1 },
      n: { recallAt1: 1, containsExpected: 2, refusedRight: 1, refusedWrongly: 2, auroc: 3 },
    });
    const results = await (await client.get(`/evaluation/runs/${id}/results`)).json();
    expect(results.data).toMatchObject([
      { answer: expect.stringContaining('noon'), rank: 1, firstCitationRight: true },
      { answer: expect.stringContaining('12 euros'), rank: null, firstCitationRight: null },
      { refused: true, containsExpected: null, citations: [] },
    ]);
    expect(await db.conversation.count({ where: { projectId: tenant.projectId } })).toBe(0);
    const after = await usage();
    expect(after.messages).toBe(before.messages);
    expect(after.tokens).toBeGreaterThan(before.tokens);
  });

  test('try other settings and leave documents out, which the project keeps', async () => {
    const setId = await createSet('Candidates');
    const strict = await run(setId, { answerThreshold: 1 });
    expect(strict.figures).toMatchObject({ refusedWrongly: 1, containsExpected: 0 });
    const without = await run(setId, { withoutDocumentIds: [saunaId] });
    expect(without.figures).toMatchObject({ recallAt1: null, n: { recallAt1: 0 } });
    const { data } = await (await client.get(`/evaluation/runs/${without.id}/results`)).json();
    expect(data[0]).toMatchObject({ isDocumentMissing: true, rank: null, refused: true });
    expect((await run(setId)).figures).toMatchObject({ refusedWrongly: 0, containsExpected: 1 });
  });

  test('are compared question by question', async () => {
    const setId = await createSet('Compared');
    const [before, after] = [await run(setId, { answerThreshold: 1 }), await run(setId)];
    const compared = await client.get(`/evaluation/runs/${before.id}/compare/${after.id}`);
    const { figures, changed, changedCount } = await compared.json();
    expect(figures).toContainEqual(
      expect.objectContaining({ figure: 'containsExpected', n: 2, before: 0, after: 1 }),
    );
    expect(changedCount).toBe(2);
    expect(changed).toMatchObject([
      { question: questions[0]?.question, isBetter: true, before: { refused: true } },
      { question: questions[1]?.question, isBetter: true, after: { refused: false } },
    ]);
  });

  test('refuse a candidate that the installation cannot try, before the first question', async () => {
    const setId = await createSet('Impossible');
    for (const candidate of [
      { chatModel: 'gpt-0' },
      { embeddingModel: 'built-in/no-such-model' },
      { embeddingModel: 'no-model-server' },
      { embeddingModel: ' ' },
      { contextChunks: 3 },
      { answerThreshold: 2 },
    ]) {
      const response = await client.post('/evaluation/runs', { setId, candidate });
      expect(await response.json()).toMatchObject({ statusCode: 400, code: 'VALIDATION_FAILED' });
    }
    const empty = await createSet('Empty', []);
    expect((await client.post('/evaluation/runs', { setId: empty })).status).toBe(400);
    const runs = await (await client.get(`/evaluation/runs?setId=${setId}`)).json();
    expect(runs.total).toBe(0);
  });

  test('of a project run one at a time, and are cancelled', async () => {
    const many = Array.from({ length: 2_000 }, () => questions[0] ?? {});
    const setId = await createSet('Long', many);
    const started = await (await client.post('/evaluation/runs', { setId })).json();
    expect((await client.post('/evaluation/runs', { setId })).status).toBe(409);
    await waitUntil(async () => {
      const { progress } = await (await client.get(`/evaluation/runs/${started.id}`)).json();
      return progress.done > 0;
    });
    const cancelled = await client.post(`/evaluation/runs/${started.id}/cancel`);
    expect(await cancelled.json()).toMatchObject({ status: 'CANCELLED', figures: null });
    expect((await client.post(`/evaluation/runs/${started.id}/cancel`)).status).toBe(409);
    const asked = async () =>
      (await (await client.get(`/evaluation/runs/${started.id}/results`)).json()).total;
    const { progress } = await ended(started.id);
    expect(await asked()).toBe(progress.done);
    expect(await run(await createSet('Next'))).toMatchObject({ status: 'DONE' });
    expect(await asked()).toBe(progress.done);
  });

  test('ask the version of the set from their start', async () => {
    const setId = await createSet('Snapshot');
    const { id } = await run(setId);
    await client.put(`/evaluation/sets/${setId}/questions`, [{ question: 'Something else?' }]);
    const results = await (await client.get(`/evaluation/runs/${id}/results`)).json();
    expect(results.data.map((row: { question: string }) => row.question)).toEqual(
      questions.map(({ question }) => question),
    );
    expect(await (await client.get(`/evaluation/runs/${id}`)).json()).toMatchObject({
      setVersion: 1,
    });
  });
});
