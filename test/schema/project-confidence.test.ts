import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getProjectConfidence } from '../../src/domain/calibration/project-confidence.ts';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { countStatements } from '../support/conversations.ts';
import { addRatedAnswers } from '../support/evaluation/rated-answers.ts';
import { addDocuments } from '../support/knowledge.ts';
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
  readonly answers: number;
  readonly wrong: number;
  readonly questionsRefused: number;
}

interface Confidence {
  readonly defaultThreshold: number;
  readonly answers: number;
  readonly current: { readonly questions: number };
  readonly curve: readonly Point[];
}

async function measure(): Promise<Confidence> {
  const { projectConfidence } = await root.data<{ projectConfidence: Confidence }>(
    `query ($projectId: ID!) {
      projectConfidence(projectId: $projectId, basis: RATINGS) {
        defaultThreshold answers current { questions }
        curve { threshold answers wrong questionsRefused }
      }
    }`,
    { projectId },
  );
  return projectConfidence;
}

const pointAt = ({ curve }: Confidence, threshold: number) =>
  curve.find((point) => point.threshold === threshold);

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);

describe('the curve of the confidence', () => {
  test('has a point for every hundredth, also without ratings', async () => {
    const empty = await measure();
    expect(empty.curve.map(({ threshold }) => threshold)).toEqual(
      Array.from({ length: 101 }, (_, percent) => percent / 100),
    );
    expect(empty).toMatchObject({ answers: 0, current: { questions: 0 }, defaultThreshold: 0.47 });
    for (const point of empty.curve) {
      expect(point).toMatchObject({ answers: 0, wrong: 0, questionsRefused: 0 });
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
    const measured = await measure();
    expect(measured).toMatchObject({ answers: 4, current: { questions: 5 } });
    const none = { threshold: 0, answers: 4, wrong: 2, questionsRefused: 0 };
    expect(pointAt(measured, 0)).toEqual(none);
    expect(pointAt(measured, 0.3)).toEqual({ ...none, threshold: 0.3 });
    expect(pointAt(measured, 0.35)).toMatchObject({ answers: 3, wrong: 1, questionsRefused: 1 });
    expect(pointAt(measured, 0.6)).toMatchObject({ answers: 3, wrong: 1, questionsRefused: 1 });
    expect(pointAt(measured, 0.65)).toMatchObject({ answers: 1, wrong: 0, questionsRefused: 3 });
    expect(pointAt(measured, 1)).toMatchObject({ answers: 1, wrong: 0, questionsRefused: 4 });
  });

  test('uses the confidence before the answer was generated, if it is stored', async () => {
    await addRatedAnswers(service, projectId, [
      { retrievalConfidence: 0.8, confidence: 0.1, rating: 'UP' },
      { confidence: 0.5, rating: 'DOWN' },
    ]);
    const measured = await measure();
    expect(pointAt(measured, 0.5)).toMatchObject({ answers: 2 });
    expect(pointAt(measured, 0.8)).toMatchObject({ answers: 1, wrong: 0 });
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
    const measured = await measure();
    expect(measured).toMatchObject({ answers: 0, current: { questions: 2 } });
    // With a lower threshold, the question with the fallback text would have had an answer. The refused question would
    // not.
    expect(pointAt(measured, 0.35)).toMatchObject({ answers: 0, questionsRefused: 1 });
    expect(pointAt(measured, 0.4)).toMatchObject({ answers: 0, questionsRefused: 2 });
  });

  test('takes two statements, apart from the checks of the caller', async () => {
    await addRatedAnswers(service, projectId, [{ retrievalConfidence: 0.9, rating: 'UP' }]);
    await getProjectConfidence(service.system, { projectId });
    const counts: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const measured = () => getProjectConfidence(service.system, { projectId });
      counts.push(await countStatements(service.adapters.pool, measured));
    }
    // One statement each for the project, the answers, the questions, and the active embedding model unless it is cached. Other work
    // uses the same pool, so the lowest count is compared.
    expect(Math.min(...counts)).toBeLessThanOrEqual(4);
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

    const measured = await measure();
    expect(measured.current.questions).toBe(3);
    expect(pointAt(measured, 0.4)?.questionsRefused).toBe(0);
    expect(pointAt(measured, 1)?.questionsRefused).toBe(3);
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
