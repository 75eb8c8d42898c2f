import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import type { RestClient } from '../support/api/rest-client.ts';
import { addRatedAnswers } from '../support/evaluation/rated-answers.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: TestService;
let tenant: Tenant;
let client: RestClient;

beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  tenant = await service.createTenant();
  client = await tenant.rest({ scopes: ['EVALUATION_READ', 'EVALUATION_WRITE'] });
});

// biome-ignore lint/suspicious/noExplicitAny: the tests compare single fields
async function confidence(query = ''): Promise<any> {
  const response = await client.get(`/evaluation/confidence${query}`);
  const body = await response.json();
  expect(body, JSON.stringify(body)).not.toHaveProperty('error');
  return body;
}

/** Rated answers of one confidence, of which some were rated DOWN. */
const rated = (retrievalConfidence: number, answers: number, down: number) =>
  Array.from({ length: answers }, (_, n) => ({
    ...{ retrievalConfidence, confidence: retrievalConfidence },
    rating: n < down ? ('DOWN' as const) : ('UP' as const),
  }));

async function runSet(questions: readonly object[], candidate?: object): Promise<void> {
  const set = await client.post('/evaluation/sets', { name: 'Front desk', questions });
  const setId = (await set.json()).id;
  const started = await client.post('/evaluation/runs', { setId, candidate });
  const { id } = await started.json();
  await waitUntil(
    async () => (await (await client.get(`/evaluation/runs/${id}`)).json()).status === 'DONE',
  );
}

describe('the confidence of a project', () => {
  test('says what it needs as long as there are no answers', async () => {
    const empty = await confidence();
    expect(empty).toMatchObject({
      ...{ basis: 'ALL', answers: 0, accepted: 0, fromRatings: 0, fromQuestionSets: 0, map: null },
      mapNeeds: { answers: 100, ofEach: 10 },
      current: {
        threshold: 0.47,
        answers: 0,
        wrong: 0,
        wrongAtMost: 1,
        answerable: 0,
        questions: 0,
      },
    });
    expect(empty.promises.map(({ maxWrong }: { maxWrong: number }) => maxWrong)).toEqual([
      0.01, 0.02, 0.05, 0.1, 0.2,
    ]);
    for (const { kept } of empty.promises) expect(kept).toBeNull();
  });

  test('maps it to the share of accepted answers, and chooses the threshold of a promise', async () => {
    await addRatedAnswers(service, tenant.projectId, [
      ...rated(0.9, 100, 1),
      ...rated(0.7, 100, 3),
      ...rated(0.5, 100, 60),
      { rating: null, retrievalConfidence: 0.4, confidence: 0.2, model: null },
    ]);
    const measured = await confidence();
    expect(measured).toMatchObject({ answers: 300, accepted: 236, fromRatings: 300 });
    const { map, current, promises } = measured;
    const at = (confidence: number) =>
      map.points.find((point: { confidence: number }) => point.confidence === confidence);
    expect(map).toMatchObject({ method: 'ISOTONIC', verdict: 'BETTER' });
    expect(map.points).toHaveLength(21);
    expect(at(0.5).accepted).toBeCloseTo(0.4, 1);
    expect(at(0.9).low).toBeLessThan(0.99);
    expect(at(0.9).high).toBeGreaterThan(0.98);
    expect(current).toMatchObject({ threshold: 0.47, answers: 300, wrong: 64 });
    expect(promises[2]).toMatchObject({
      ...{ maxWrong: 0.05, answersNeeded: 59 },
      kept: { threshold: 0.7, answers: 200, wrong: 4, questions: 301, questionsRefused: 101 },
    });
    expect(promises[0].kept).toBeNull();
    const { promises: one } = await confidence('?maxWrong=0.3');
    expect(one).toMatchObject([{ maxWrong: 0.3, kept: { threshold: 0.5 } }]);
  });

  test('is measured on evaluation runs, too', async () => {
    await addDocuments(service, tenant.projectId, {
      'sauna.md': 'The sauna opens at noon. A towel costs 3 euros.',
    });
    const question = 'When does the sauna open?';
    await runSet(
      [
        { question, expected: ['noon'] },
        { question: 'How much does a towel cost?', expected: ['4 euros'] },
        { question: 'When does the sauna open today?', documentName: 'sauna.md' },
        { question: 'What opens at noon?' },
        { question: 'Who won the chess championship in 1972?', mustRefuse: true },
        { question: 'How many employees does the embassy in Lima have?' },
      ],
      { answerThreshold: 0 },
    );
    const measured = await confidence('?basis=QUESTION_SETS');
    // The model gives an answer whenever the search finds something.
    expect(measured).toMatchObject({ fromRatings: 0, current: { answerable: 5 } });
    expect(measured.accepted).toBe(2);
    expect(measured.current).toMatchObject({ wrong: 1, answerableRefused: 1 });
    expect(await confidence('?basis=RATINGS')).toMatchObject({ answers: 0 });
  });

  test('ignores runs of another assistant, and older runs of a set', async () => {
    const { projectId } = tenant;
    const setId = newId();
    const { db } = service.system;
    await db.questionSet.create({ data: { id: setId, projectId, name: 'Set', questionCount: 1 } });
    const question = { id: newId(), setId, projectId, position: 1, question: 'Why?' };
    const { rowId: questionRow } = await db.setQuestion.create({ data: question });
    const addRun = async (candidate: object, answers: number, finishedAt = new Date()) => {
      const runId = newId();
      await db.evaluationRun.create({
        data: {
          ...{ id: runId, projectId, setId, setVersion: 1, total: answers, status: 'DONE' },
          ...{ candidate, finishedAt },
        },
      });
      await db.evaluationResult.createMany({
        data: Array.from({ length: answers }, (_, position) => ({
          ...{ runId, projectId, questionId: newId(), questionRow, position, mustRefuse: false },
          ...{ confidence: 0.9, retrievalConfidence: 0.9 },
          ...{ refused: false, containsExpected: true },
        })),
      });
    };
    await addRun({}, 5, new Date(Date.now() - 100 * 24 * 3600_000));
    expect((await confidence()).answers).toBe(0);
    await addRun({}, 7);
    await addRun({ answerThreshold: 0 }, 3);
    await addRun({ answerThreshold: 0.9 }, 11);
    await addRun({ instructions: 'Be brief.' }, 13);
    expect((await confidence()).fromQuestionSets).toBe(3);
  });

  test('reads nothing of other projects', async () => {
    const other = await service.createTenant();
    await addRatedAnswers(service, other.projectId, rated(0.9, 5, 1));
    expect((await confidence()).answers).toBe(0);
  });
});
