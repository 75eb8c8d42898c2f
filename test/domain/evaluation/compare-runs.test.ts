import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Context } from '../../../src/domain/context.ts';
import { compareEvaluations } from '../../../src/domain/evaluation/compare-runs.ts';
import { createQuestionSet } from '../../../src/domain/evaluation/question-sets.ts';
import { newId } from '../../../src/platform/ids.ts';
import type { Prisma } from '../../../src/platform/postgres/generated/prisma/client.ts';
import { createWorkTurns, runInTurns } from '../../../src/platform/work-turns.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let system: Context;
let projectId: string;

beforeAll(async () => {
  service = await startTestService();
  system = service.system;
});
afterAll(() => service?.stop());
beforeEach(async () => {
  ({ projectId } = await service.createTenant());
});

/** Creates a set of this many questions: `Question 1`, `Question 2`, … */
async function createSet(count: number): Promise<string> {
  const questions = Array.from({ length: count }, (_, n) => ({ question: `Question ${n + 1}` }));
  return (await createQuestionSet(system, { projectId, name: 'Set', questions })).id;
}

/** Creates a run that is done. `resultOf` returns what the result of a question has, by its position. */
async function createRun(
  setId: string,
  resultOf: (position: number) => Partial<Prisma.EvaluationResultCreateManyInput>,
): Promise<string> {
  const id = newId();
  const run = { id, projectId, setId, setVersion: 1, total: 0, status: 'DONE' as const };
  await system.db.evaluationRun.create({ data: { ...run, finishedAt: new Date() } });
  const questions = await system.db.setQuestion.findMany({ where: { setId, projectId } });
  await system.db.evaluationResult.createMany({
    data: questions.map(({ id: questionId, rowId: questionRow, position }) => ({
      ...{ runId: id, projectId, questionId, questionRow, position, mustRefuse: false },
      ...{ answer: 'Noon.', refused: false, containsExpected: true, confidence: 0.9 },
      ...resultOf(position),
    })),
  });
  return id;
}

async function verdictOf(changed: number, compared: number): Promise<string | undefined> {
  const setId = await createSet(compared);
  const id = await createRun(setId, () => ({}));
  const otherId = await createRun(setId, (position) => ({ containsExpected: position > changed }));
  const { figures, changedCount } = await compareEvaluations(system, { id, otherId });
  expect(changedCount).toBe(changed);
  return figures.find(({ figure }) => figure === 'containsExpected')?.verdict;
}

test('a share has no verdict below ten compared questions, whatever their answers', async () => {
  expect(await verdictOf(1, 1)).toBe('TOO_FEW');
  expect(await verdictOf(9, 9)).toBe('TOO_FEW');
  expect(await verdictOf(0, 9)).toBe('TOO_FEW');
  expect(await verdictOf(10, 10)).toBe('WORSE');
  expect(await verdictOf(0, 10)).toBe('NO_DIFFERENCE');
});

test('a share has a verdict from six questions on that changed in one direction', async () => {
  expect(await verdictOf(5, 40)).toBe('NO_DIFFERENCE');
  expect(await verdictOf(6, 40)).toBe('WORSE');
});

test('a share that changed in both directions has a verdict if one of them prevails', async () => {
  const setId = await createSet(40);
  const id = await createRun(setId, (position) => ({ containsExpected: position > 12 }));
  const verdictWith = async (lost: number) => {
    const otherId = await createRun(setId, (position) => ({
      containsExpected: position <= 40 - lost,
    }));
    const { figures } = await compareEvaluations(system, { id, otherId });
    return figures.find(({ figure }) => figure === 'containsExpected')?.verdict;
  };
  expect(await verdictWith(2)).toBe('BETTER');
  expect(await verdictWith(4)).toBe('NO_DIFFERENCE');
});

test('a mean has a verdict from ten changed questions on', async () => {
  const latencyVerdict = async (changed: number) => {
    const setId = await createSet(20);
    const id = await createRun(setId, () => ({ latencyMs: 100 }));
    const otherId = await createRun(setId, (position) => ({
      latencyMs: position <= changed ? 200 : 100,
    }));
    const { figures } = await compareEvaluations(system, { id, otherId });
    return figures.find(({ figure }) => figure === 'latencyP50Ms')?.verdict;
  };
  expect(await latencyVerdict(9)).toBe('NO_DIFFERENCE');
  expect(await latencyVerdict(10)).toBe('WORSE');
});

test('questions of two sets are compared by their texts', async () => {
  const id = await createRun(await createSet(3), () => ({}));
  const otherId = await createRun(await createSet(2), () => ({ refused: true }));
  const { figures, changed } = await compareEvaluations(system, { id, otherId });
  expect(figures.find(({ figure }) => figure === 'refusedWrongly')).toMatchObject({
    ...{ n: 2, before: 0, after: 1 },
  });
  expect(changed.map(({ question, isBetter }) => [question, isBetter])).toEqual([
    ['Question 1', false],
    ['Question 2', false],
  ]);
});

test('shows at most 200 changed questions, and no more than 1 MB of their texts', async () => {
  const setId = await createSet(250);
  const shown = async (answer: string) => {
    const id = await createRun(setId, () => ({ answer }));
    const otherId = await createRun(setId, () => ({ answer, refused: true }));
    return compareEvaluations(system, { id, otherId });
  };
  const short = await shown('No.');
  expect([short.changedCount, short.changed.length]).toEqual([250, 200]);
  const long = await shown('x'.repeat(30_000));
  expect(long.changedCount).toBe(250);
  const bytes = long.changed.length * 2 * 30_000;
  expect(bytes).toBeLessThan(1_000_000);
  expect(bytes).toBeGreaterThan(900_000);
});

test('ends when its caller disconnects', async () => {
  const setId = await createSet(12);
  const runs = {
    id: await createRun(setId, () => ({})),
    otherId: await createRun(setId, () => ({})),
  };
  const signal = AbortSignal.abort(new Error('disconnected'));
  await expect(compareEvaluations({ ...system, signal }, runs)).rejects.toThrow('disconnected');
});

test('other work runs between the turns of long work', async () => {
  let others = 0;
  let isDone = false;
  const work = (function* () {
    const end = performance.now() + 150;
    while (performance.now() < end) yield;
    return 'result';
  })();
  const other = (async () => {
    while (!isDone) {
      others += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  expect(await runInTurns(work, createWorkTurns(new AbortController().signal))).toBe('result');
  isDone = true;
  await other;
  expect(others).toBeGreaterThan(2);
});
