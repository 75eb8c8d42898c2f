import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { giveFeedback } from '../../src/domain/feedback/give-feedback.ts';
import { listUnansweredQuestions } from '../../src/domain/insights/unanswered-questions.ts';
import { type Exchange, hoursAgo, storeExchanges } from '../support/api/exchanges.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { countStatements } from '../support/conversations.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let root: GraphqlClient;
let projectId: string;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
});
beforeEach(async () => {
  ({ projectId } = await service.createTenant());
});

const insertExchanges = (exchanges: readonly Exchange[]) =>
  storeExchanges(service, projectId, exchanges);

interface Unanswered {
  readonly question: string;
  readonly count: number;
  readonly badFeedbackCount: number;
  readonly lastAskedAt: string;
  readonly conversationIds: readonly string[];
}

async function unanswered(variables: { since?: string; first?: number; after?: string } = {}) {
  const { unansweredQuestions } = await root.data<{
    unansweredQuestions: {
      edges: { node: Unanswered }[];
      pageInfo: { hasNextPage: boolean; endCursor: string };
    };
  }>(
    `query ($projectId: ID!, $since: DateTime, $first: Int, $after: String) {
      unansweredQuestions(projectId: $projectId, since: $since, first: $first, after: $after) {
        edges { node { question count badFeedbackCount lastAskedAt conversationIds } }
        pageInfo { hasNextPage endCursor }
      }
    }`,
    { projectId, ...variables },
  );
  const { edges, pageInfo } = unansweredQuestions;
  return { ...pageInfo, questions: edges.map(({ node }) => node) };
}

const counts = async (variables: Parameters<typeof unanswered>[0] = {}) =>
  (await unanswered(variables)).questions.map(({ question, count }) => [question, count]);

test('questions with the same meaning form one group, most frequent first, titled with the most frequent wording', async () => {
  await insertExchanges([
    { question: 'Are pets allowed?', hours: 1 },
    { question: 'When is check-out?', hours: 2 },
    { question: 'Until when is check-out?', hours: 3 },
    { question: 'WHEN IS CHECK-OUT', hours: 4 },
  ]);
  expect(await counts()).toEqual([
    ['When is check-out?', 3],
    ['Are pets allowed?', 1],
  ]);
});

test('a question is unanswered if its answer was unsure or rated as bad', async () => {
  const [, , , rated, praised] = await insertExchanges([
    { question: 'Do you sell umbrellas?', confidence: 0.29 },
    { question: 'Where is the lighthouse?', confidence: 0.3 },
    { question: 'Who repairs bicycles?', confidence: 0, status: 'STOPPED' },
    { question: 'What does the ferry cost?', confidence: 0.9 },
    { question: 'Is there a piano?', confidence: 0.9 },
    { question: 'How old is the tower?', confidence: 0, status: 'FAILED' },
    { question: 'Which wine is local?', confidence: 0, status: 'GENERATING' },
  ]);
  if (rated === undefined || praised === undefined) throw new Error('not asked');
  const rate = (messageId: string, rating: 'UP' | 'DOWN') =>
    giveFeedback(service.system, { projectId, messageId, rating });
  await rate(rated.answerId, 'DOWN');
  await rate(praised.answerId, 'DOWN');
  await rate(praised.answerId, 'UP');
  const { questions } = await unanswered();
  expect(
    questions.map(({ question, badFeedbackCount }) => [question, badFeedbackCount]).sort(),
  ).toEqual([
    ['Do you sell umbrellas?', 0],
    ['What does the ferry cost?', 1],
  ]);
});

test('a group contains the time of its last question and its latest five conversations', async () => {
  const places = await insertExchanges(
    Array.from({ length: 7 }, (_, n) => ({ question: 'Are pets allowed?', hours: n + 1 })),
  );
  const { questions } = await unanswered();
  expect(questions).toEqual([
    {
      question: 'Are pets allowed?',
      count: 7,
      badFeedbackCount: 0,
      lastAskedAt: hoursAgo(1).toISOString(),
      conversationIds: places.slice(0, 5).map(({ conversationId }) => conversationId),
    },
  ]);
});

test('only questions since the given time count, by default those of the last 30 days', async () => {
  await insertExchanges([
    { question: 'Are pets allowed?', hours: 5 },
    { question: 'Is there a piano?', hours: 29 * 24 },
    { question: 'How old is the tower?', hours: 31 * 24 },
  ]);
  expect(await counts({ since: hoursAgo(6).toISOString() })).toEqual([['Are pets allowed?', 1]]);
  expect((await counts()).length).toBe(2);
  expect((await counts({ since: hoursAgo(32 * 24).toISOString() })).length).toBe(3);
});

test('pages are consecutive, even if a question of the first page is asked again', async () => {
  await insertExchanges([
    { question: 'Are pets allowed?', hours: 1 },
    { question: 'Are pets allowed?', hours: 2 },
    { question: 'Is there a piano?', hours: 3 },
    { question: 'How old is the tower?', hours: 4 },
  ]);
  const first = await unanswered({ first: 1 });
  expect(first).toMatchObject({
    hasNextPage: true,
    questions: [{ question: 'Are pets allowed?' }],
  });
  await insertExchanges([{ question: 'Are pets allowed?', hours: 0 }]);
  expect(await counts({ first: 5, after: first.endCursor })).toEqual([
    ['Is there a piano?', 1],
    ['How old is the tower?', 1],
  ]);
});

test('questions of other projects are excluded', async () => {
  await insertExchanges([{ question: 'Are pets allowed?' }]);
  ({ projectId } = await service.createTenant());
  expect(await counts()).toEqual([]);
});

describe('the cost is bounded', () => {
  test('the query reads the latest 500 questions, in a fixed number of statements', {
    timeout: 60_000,
  }, async () => {
    const words = ['ferry', 'piano', 'umbrella', 'garden', 'tower', 'wine', 'sauna'];
    await insertExchanges(
      Array.from({ length: 600 }, (_, n) => ({
        question: `What of the ${words[n % words.length]} in room ${n}?`,
        hours: n / 100,
      })),
    );
    let total = 0;
    const statements = await countStatements(service.adapters.pool, async () => {
      const found = await listUnansweredQuestions(service.system, { projectId });
      total = found.reduce((sum, { count }) => sum + count, 0);
    });
    expect(total).toBe(500);
    expect(statements).toBeLessThanOrEqual(7);
  });

  test('the query stops when the caller disconnects', async () => {
    await insertExchanges([{ question: 'Are pets allowed?' }, { question: 'Is there a piano?' }]);
    const signal = AbortSignal.abort();
    await expect(
      listUnansweredQuestions({ ...service.system, signal }, { projectId }),
    ).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('each wording is embedded once, whatever page is read and whatever is asked later', async () => {
  await insertExchanges([
    { question: 'Where can I park my car?', hours: 1 },
    { question: 'where can i park my car', hours: 2 },
    { question: 'Is there a place to park my car?', hours: 3 },
    { question: 'May I bring a dog?', hours: 4 },
  ]);
  const serving = await service.adapters.models.servingEmbedding();
  let embedded = 0;
  const model = serving.model && {
    ...serving.model,
    embed: (...call: Parameters<typeof serving.model.embed>) => {
      embedded += call[0].length;
      return serving.model?.embed(...call) ?? Promise.reject(new Error('no model'));
    },
  };
  const models = {
    ...service.system.models,
    servingEmbedding: () => Promise.resolve({ ...serving, model }),
  };
  const list = () => listUnansweredQuestions({ ...service.system, models }, { projectId });
  const first = await list();
  expect(embedded).toBe(3);
  expect(await list()).toEqual(first);
  expect(embedded).toBe(3);
  expect(first.length).toBeLessThan(4);
  await insertExchanges([{ question: 'Is breakfast included?' }]);
  expect((await list()).map(({ question }) => question)).toContain('Is breakfast included?');
  expect(embedded).toBe(4);
});
