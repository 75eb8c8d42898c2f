import { beforeAll, beforeEach, expect, test } from 'vitest';
import { giveFeedback } from '../../src/domain/feedback/give-feedback.ts';
import { newId } from '../../src/platform/ids.ts';
import { type Exchange, hoursAgo, storeExchanges } from '../support/api/exchanges.ts';
import type { GraphqlClient } from '../support/api/graphql-client.ts';
import { inputMutation } from '../support/api/input-mutation.ts';

import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let projectId: string;
let agent: GraphqlClient;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  tenant = await service.createTenant();
  ({ projectId } = tenant);
  agent = await tenant.member('AGENT');
});

interface Question {
  readonly questionId: string;
  readonly question: string;
  readonly count: number;
  readonly previousCount: number;
  readonly documentId: string | null;
  readonly decidedBy: string | null;
}

const store = (...exchanges: Exchange[]) => storeExchanges(service, projectId, exchanges);

async function list(
  status: 'OPEN' | 'DONE' | 'DISMISSED',
  { since, by = agent }: { since?: Date; by?: GraphqlClient } = {},
): Promise<Question[]> {
  const { unansweredQuestions } = await by.data<{
    unansweredQuestions: { edges: { node: Question }[] };
  }>(
    `query ($projectId: ID!, $status: QuestionStatus, $since: DateTime) {
      unansweredQuestions(projectId: $projectId, status: $status, since: $since, first: 50) {
        edges { node { questionId question count previousCount documentId decidedBy } }
      }
    }`,
    { projectId, status, since: since?.toISOString() },
  );
  return unansweredQuestions.edges.map(({ node }) => node);
}

const counts = async (...args: Parameters<typeof list>) =>
  (await list(...args)).map(({ question, count }) => [question, count]);

async function idOf(question: string): Promise<string> {
  const found = (await list('OPEN')).find((one) => one.question === question);
  if (found === undefined) throw new Error(`not listed: ${question}`);
  return found.questionId;
}

const decide = (input: object, by = agent) => run('decideQuestion', 'status documentId', input, by);
const merge = (input: object, by = agent) => run('mergeQuestions', 'questionId status', input, by);

async function run(mutation: string, fields: string, input: object, by: GraphqlClient) {
  const { data, errors } = await by.send(inputMutation(mutation, fields), {
    input: { projectId, ...input },
  });
  return errors?.[0]?.extensions?.code ?? (data as Record<string, unknown>)[mutation];
}

const pets = 'Are pets allowed?';
const checkOut = 'When is check-out?';
const piano = 'Is there a piano?';

test('a dismissed question stays dismissed when it is asked again in similar words, until it is opened again', async () => {
  await store({ question: checkOut, hours: 5 }, { question: checkOut, hours: 4 });
  await store({ question: pets });
  const questionId = await idOf(checkOut);
  expect(await decide({ questionId, status: 'DISMISSED' })).toEqual({
    status: 'DISMISSED',
    documentId: null,
  });
  await store({ question: 'Until when is check-out?', hours: 1 });
  expect(await counts('OPEN')).toEqual([[pets, 1]]);
  const [dismissed] = await list('DISMISSED');
  expect(dismissed).toMatchObject({ questionId, question: checkOut, count: 3 });
  expect(dismissed?.decidedBy).toContain('@');
  await decide({ questionId, status: 'OPEN' });
  expect(await counts('DISMISSED')).toEqual([]);
  expect(await counts('OPEN')).toEqual([
    [checkOut, 3],
    [pets, 1],
  ]);
});

test('a decision holds for questions of a later period', async () => {
  const [old] = await store({ question: pets, hours: 40 * 24 });
  await decide({ questionId: old?.questionId, status: 'DISMISSED' });
  expect(await list('DISMISSED')).toEqual([]);
  await store({ question: 'are pets allowed' });
  expect(await counts('DISMISSED')).toEqual([['are pets allowed', 1]]);
  expect(await counts('OPEN')).toEqual([]);
});

test('a question that is done is open again when it is asked later and not answered well', async () => {
  await store({ question: pets, hours: 2 });
  const document = await addDocument();
  const questionId = await idOf(pets);
  await decide({ questionId, status: 'DONE', documentId: document });
  expect(await counts('OPEN')).toEqual([]);
  expect(await list('DONE')).toMatchObject([{ question: pets, documentId: document }]);
  await store({ question: pets, hours: -1 });
  expect(await list('OPEN')).toMatchObject([{ questionId, count: 2, documentId: document }]);
});

test('a question is done by itself once it is answered well later and not rated down', async () => {
  await store({ question: checkOut, hours: 5 }, { question: pets, hours: 5 });
  await store({ question: checkOut, confidence: 0.9, hours: 6 });
  await store({ question: 'When is check-in?', confidence: 0.9, hours: 4 });
  expect(await counts('DONE')).toEqual([]);
  const [answered] = await store({ question: 'when is check-out', confidence: 0.9, hours: 4 });
  expect(await counts('DONE')).toEqual([[checkOut, 1]]);
  expect(await counts('OPEN')).toEqual([[pets, 1]]);
  const rated = { projectId, messageId: answered?.answerId ?? '', rating: 'DOWN' } as const;
  await giveFeedback(service.system, rated);
  expect(await counts('DONE')).toEqual([]);
});

test('a question that was opened again is done by itself only by a later answer', async () => {
  await store({ question: pets, hours: 5 }, { question: pets, confidence: 0.9, hours: 4 });
  const [done] = await list('DONE');
  await decide({ questionId: done?.questionId, status: 'OPEN' });
  expect(await counts('OPEN')).toEqual([[pets, 1]]);
  await store({ question: pets, confidence: 0.9, hours: -1 });
  expect(await counts('DONE')).toEqual([[pets, 1]]);
});

test('merged questions are one, also after later decisions and questions', async () => {
  await store({ question: pets }, { question: checkOut }, { question: checkOut });
  const [questionId, intoId] = [await idOf(pets), await idOf(checkOut)];
  await decide({ questionId, status: 'DONE' });
  expect(await merge({ questionId, intoId })).toEqual({ questionId: intoId, status: 'OPEN' });
  await store({ question: pets, hours: 2 });
  expect(await counts('OPEN')).toEqual([[checkOut, 4]]);
  await store({ question: piano }, { question: piano });
  await merge({ questionId: intoId, intoId: await idOf(piano) });
  expect((await counts('OPEN')).map(([, count]) => count)).toEqual([6]);
  await decide({ questionId, status: 'DISMISSED' });
  expect((await counts('DISMISSED')).map(([, count]) => count)).toEqual([6]);
  expect(await merge({ questionId, intoId })).toMatchObject({ status: 'DISMISSED' });
});

test('questions merged in both directions at once are one', async () => {
  await store({ question: pets }, { question: checkOut });
  const [a, b] = [await idOf(pets), await idOf(checkOut)];
  await Promise.all([
    merge({ questionId: a, intoId: b }),
    merge({ questionId: b, intoId: a }),
    decide({ questionId: a, status: 'DISMISSED' }),
  ]);
  expect([...(await counts('OPEN')), ...(await counts('DISMISSED'))]).toHaveLength(1);
});

test('the count is compared with the period before, which has the same length', async () => {
  await store(...[1, 2, 3].map((hours) => ({ question: pets, hours })));
  await store({ question: 'are pets allowed', hours: 12 }, { question: checkOut, hours: 13 });
  await store({ question: pets, hours: 25 });
  expect(await list('OPEN', { since: hoursAgo(10) })).toMatchObject([
    { question: pets, count: 3, previousCount: 1 },
  ]);
});

test('conversations that operators start are no unanswered questions, those of API keys are', async () => {
  const document = inputMutation('sendMessage', 'conversationId');
  await agent.data(document, { input: { projectId, message: pets } });
  await await (await tenant.rest()).post('/chat', { message: piano });
  expect((await counts('OPEN')).map(([question]) => question)).toEqual([piano]);
});

test('an answer is no question, and an unknown document is not found', async () => {
  const [asked] = await store({ question: pets });
  const { questionId, answerId } = asked ?? {};
  expect(await decide({ questionId: answerId, status: 'DONE' })).toBe('NOT_FOUND');
  expect(await merge({ questionId, intoId: answerId })).toBe('NOT_FOUND');
  expect(await decide({ questionId, status: 'DONE', documentId: newId() })).toBe('NOT_FOUND');
});

test('a project keeps its latest 500 decisions, and an erased end user leaves none', async () => {
  const exchanges = Array.from({ length: 501 }, (_, n) => ({ question: `Room ${n}?` }));
  const rows = await store(...exchanges);
  await service.system.db.questionDecision.createMany({
    data: rows.slice(0, 500).map(({ questionId }, n) => ({
      ...{ messageId: questionId, projectId, status: 'DONE' as const },
      decidedAt: hoursAgo(n + 1),
    })),
  });
  await decide({ questionId: rows[500]?.questionId, status: 'DONE' });
  const where = { projectId };
  expect(await service.system.db.questionDecision.count({ where })).toBe(500);
  const oldest = { ...where, messageId: rows[499]?.questionId ?? '' };
  expect(await service.system.db.questionDecision.count({ where: oldest })).toBe(0);
  const [personal] = await store({ question: pets, endUserId: 'guest-1' });
  await decide({ questionId: personal?.questionId, status: 'DISMISSED' });
  const admin = await tenant.member('ADMIN');
  const erase =
    'mutation ($input: EraseEndUserInput!) { eraseEndUser(input: $input) { messages } }';
  await admin.data(erase, { input: { projectId, endUserId: 'guest-1' } });
  const erased = { ...where, messageId: personal?.questionId ?? '' };
  expect(await service.system.db.questionDecision.count({ where: erased })).toBe(0);
});

test('a deleted document is no longer linked', async () => {
  await store({ question: pets });
  const documentId = await addDocument();
  await decide({ questionId: await idOf(pets), status: 'DONE', documentId });
  await service.system.db.document.update({
    where: { id: documentId },
    data: { deletedAt: new Date() },
  });
  expect(await list('DONE')).toMatchObject([{ question: pets, documentId: null }]);
});

async function addDocument(): Promise<string> {
  const document = await service.system.db.document.create({
    data: {
      ...{ id: newId(), projectId, name: 'Pets', sourceType: 'TEXT', mimeType: 'text/plain' },
      ...{ sizeBytes: 1, contentHash: '', status: 'READY' },
    },
  });
  return document.id;
}
