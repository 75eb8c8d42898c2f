import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import { getConfidenceCurve } from '../../src/domain/feedback/confidence-curve.ts';
import { countStatements } from '../support/conversations.ts';
import { type GraphqlClient, graphqlClient } from '../support/graphql-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import { addRatedAnswers } from '../support/rated-answers.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let root: GraphqlClient;
let projectId: string;

beforeAll(async () => {
  service = await sharedService();
  root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
});
beforeEach(async () => {
  ({ projectId } = await service.createTenant());
});

interface Point {
  readonly threshold: number;
  readonly ratedAnswers: number;
  readonly helpfulAnswers: number;
  readonly coverage: number | null;
  readonly precision: number | null;
  readonly answers: number;
}

interface Curve {
  readonly since: string;
  readonly defaultThreshold: number;
  readonly ratedAnswers: number;
  readonly questions: number;
  readonly points: readonly Point[];
}

async function curve(): Promise<Curve> {
  const { confidenceCurve } = await root.data<{ confidenceCurve: Curve }>(
    `query ($projectId: ID!) {
      confidenceCurve(projectId: $projectId) {
        since defaultThreshold ratedAnswers questions
        points { threshold ratedAnswers helpfulAnswers coverage precision answers }
      }
    }`,
    { projectId },
  );
  return confidenceCurve;
}

const pointAt = ({ points }: Curve, threshold: number) =>
  points.find((point) => point.threshold === threshold);

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);

describe('the confidence curve', () => {
  test('has a point for every hundredth, and no shares without ratings', async () => {
    const empty = await curve();
    expect(empty.points.map(({ threshold }) => threshold)).toEqual(
      Array.from({ length: 101 }, (_, percent) => percent / 100),
    );
    expect(empty).toMatchObject({ ratedAnswers: 0, questions: 0, defaultThreshold: 0.47 });
    for (const point of empty.points) {
      expect(point).toMatchObject({ coverage: null, precision: null, answers: 0 });
    }
  });

  test('counts answers that reach the threshold exactly', async () => {
    await addRatedAnswers(service, projectId, [
      { retrievalConfidence: 0.3, rating: 'DOWN' },
      { retrievalConfidence: 0.6, rating: 'UP' },
      { retrievalConfidence: 0.6499, rating: 'DOWN' },
      { retrievalConfidence: 1, rating: 'UP' },
      { retrievalConfidence: 0.7, rating: null },
    ]);
    const measured = await curve();
    expect(measured).toMatchObject({ ratedAnswers: 4, questions: 5 });
    expect(pointAt(measured, 0)).toEqual({
      ...{ threshold: 0, ratedAnswers: 4, helpfulAnswers: 2 },
      ...{ coverage: 1, precision: 0.5, answers: 5 },
    });
    expect(pointAt(measured, 0.3)).toMatchObject({ ratedAnswers: 4, answers: 5 });
    expect(pointAt(measured, 0.35)).toMatchObject({ ratedAnswers: 3, answers: 4 });
    expect(pointAt(measured, 0.6)).toMatchObject({ ratedAnswers: 3, helpfulAnswers: 2 });
    expect(pointAt(measured, 0.65)).toEqual({
      ...{ threshold: 0.65, ratedAnswers: 1, helpfulAnswers: 1 },
      ...{ coverage: 0.25, precision: 1, answers: 2 },
    });
    expect(pointAt(measured, 1)).toMatchObject({ ratedAnswers: 1, answers: 1 });
  });

  test('uses the confidence before the answer was generated, if it is stored', async () => {
    await addRatedAnswers(service, projectId, [
      { retrievalConfidence: 0.8, confidence: 0.1, rating: 'UP' },
      { confidence: 0.5, rating: 'DOWN' },
    ]);
    const measured = await curve();
    expect(pointAt(measured, 0.5)).toMatchObject({ ratedAnswers: 2 });
    expect(pointAt(measured, 0.8)).toMatchObject({ ratedAnswers: 1, helpfulAnswers: 1 });
  });

  test('ignores ratings of small talk, refusals, fallback texts, old answers and other projects', async () => {
    const { projectId: otherId } = await service.createTenant();
    await addRatedAnswers(service, otherId, [{ retrievalConfidence: 0.9, rating: 'UP' }]);
    const confident = { retrievalConfidence: 0.9, rating: 'UP' as const };
    await addRatedAnswers(service, projectId, [
      { ...confident, intent: 'GREETING' },
      { ...confident, finishReason: 'REFUSAL' },
      { ...confident, status: 'FAILED' },
      { ...confident, createdAt: daysAgo(91) },
      { ...confident, retrievalConfidence: 0.35, model: null },
    ]);
    const measured = await curve();
    expect(measured).toMatchObject({ ratedAnswers: 0, questions: 2 });
    // With a lower threshold, the question with the fallback text would have had an answer. The refused question would
    // not.
    expect(pointAt(measured, 0.35)).toMatchObject({ answers: 1, coverage: null });
    expect(pointAt(measured, 0.4)).toMatchObject({ answers: 0 });
  });

  test('takes one statement, apart from the checks of the caller', async () => {
    await addRatedAnswers(service, projectId, [{ retrievalConfidence: 0.9, rating: 'UP' }]);
    await getConfidenceCurve(service.system, { projectId });
    const counts: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const measured = () => getConfidenceCurve(service.system, { projectId });
      counts.push(await countStatements(service.adapters.pool, measured));
    }
    // One statement each for the project, the curve, and the active embedding model unless it is cached. Other work
    // uses the same pool, so the lowest count is compared.
    expect(Math.min(...counts)).toBeLessThanOrEqual(3);
  });
});

describe('the confidence threshold of a project', () => {
  const update = `mutation ($input: UpdateProjectInput!) {
    updateProject(input: $input) { assistant { confidenceThreshold } }
  }`;
  const setThreshold = async (confidenceThreshold: number | null) => {
    const { updateProject } = await root.data<{
      updateProject: { assistant: { confidenceThreshold: number | null } };
    }>(update, { input: { id: projectId, assistant: { confidenceThreshold } } });
    return updateProject.assistant.confidenceThreshold;
  };
  const ask = async (message: string) =>
    (await sendMessage(service.system, { projectId, message })).citations.length > 0;
  const isAnswerable = async (query: string) => {
    const { explainSearch } = await root.data<{ explainSearch: { isAnswerable: boolean } }>(
      'query ($projectId: ID!, $query: String!) { explainSearch(projectId: $projectId, query: $query) { isAnswerable } }',
      { projectId, query },
    );
    return explainSearch.isAnswerable;
  };

  test('decides whether a question is answered, and its effect is measured', async () => {
    await addDocuments(service, projectId, { 'Stay.md': 'Check-out is until 11:00.' });
    const question = 'Until when is check-out?';
    expect(await ask(question)).toBe(true);
    const stored = await service.system.db.message.findFirstOrThrow({
      where: { projectId, role: 'ASSISTANT' },
    });
    const { retrievalConfidence } = stored;
    expect(retrievalConfidence).toBeGreaterThan(0.42);
    expect(retrievalConfidence).toBeLessThan(1);

    expect(await setThreshold(1)).toBe(1);
    expect(await ask(question)).toBe(false);
    expect(await isAnswerable(question)).toBe(false);
    expect(await setThreshold(retrievalConfidence)).toBe(retrievalConfidence);
    expect(await ask(question)).toBe(true);
    expect(await isAnswerable(question)).toBe(true);

    const measured = await curve();
    expect(measured.questions).toBe(3);
    expect(pointAt(measured, 0.4)?.answers).toBe(3);
    expect(pointAt(measured, 1)?.answers).toBe(0);
  });

  test('is the default of the models if it is null', async () => {
    await addDocuments(service, projectId, { 'Stay.md': 'Check-out is until 11:00.' });
    const question = 'Who repairs bicycles?';
    expect(await ask(question)).toBe(false);
    await setThreshold(0);
    expect(await isAnswerable(question)).toBe(true);
    expect(await setThreshold(null)).toBeNull();
    expect(await isAnswerable(question)).toBe(false);
  });

  test.each([-0.01, 1.01])('is from 0 to 1, so not %d', async (confidenceThreshold) => {
    const input = { id: projectId, assistant: { confidenceThreshold } };
    expect((await root.send(update, { input })).errors).toMatchObject([
      {
        message: 'assistant.confidenceThreshold must be a number between 0 and 1',
        extensions: { code: 'VALIDATION_FAILED' },
      },
    ]);
  });
});
