import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Candidate } from '../../../src/domain/evaluation/candidate.ts';
import { failEvaluationJob } from '../../../src/domain/evaluation/evaluate-job.ts';
import { getEvaluation, startEvaluation } from '../../../src/domain/evaluation/evaluation-runs.ts';
import { createQuestionSet } from '../../../src/domain/evaluation/question-sets.ts';
import { startDueEvaluations } from '../../../src/domain/evaluation/start-due-evaluations.ts';
import { addDocuments } from '../../support/knowledge.ts';
import type { OpenAiServer } from '../../support/servers/openai-server.ts';
import type { TestService } from '../../support/service.ts';
import { startServiceWithModel } from '../../support/service-with-model.ts';
import { waitUntil } from '../../support/wait-until.ts';

let models: OpenAiServer;
let service: TestService;
let projectId: string;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  ({ projectId } = await service.createTenant());
  await addDocuments(service, projectId, { 'sauna.md': 'The sauna opens at noon.' });
});
afterAll(() => service?.stop());

async function run(count: number, candidate?: Candidate) {
  const { system } = service;
  const questions = Array.from({ length: count }, () => ({
    question: 'When does the sauna open?',
  }));
  const set = await createQuestionSet(system, { projectId, name: 'Set', questions });
  const { id } = await startEvaluation(system, { projectId, setId: set.id, candidate });
  await waitUntil(async () => (await getEvaluation(system, { id })).finishedAt !== null);
  const results = await system.db.evaluationResult.findMany({
    where: { runId: id },
    orderBy: { position: 'asc' },
  });
  return { run: await getEvaluation(system, { id }), results };
}

const refusal = { status: 401, body: '{}' };

test('a question that the model refuses is reported, and the others are asked', async () => {
  models.script(refusal);
  const { run: done, results } = await run(3);
  expect(done).toMatchObject({ status: 'DONE', done: 3, error: null });
  expect(results.map(({ error }) => error)).toEqual([
    expect.stringContaining('rejected the API key'),
    null,
    null,
  ]);
  expect(done.figures).toMatchObject({ refusedWrongly: 0, n: { refusedWrongly: 2 } });
});

test('after ten failed questions in a row, the run fails and asks no more', async () => {
  models.script(...Array.from({ length: 10 }, () => refusal));
  const before = models.requests.length;
  const { run: failed } = await run(15);
  expect(failed).toMatchObject({ status: 'FAILED', done: 10, figures: null });
  expect(failed.error).toMatch(/^10 questions failed in a row: .*rejected the API key/);
  expect(models.requests.length - before).toBe(10);
});

test('a candidate names another model of the server, and its instructions', async () => {
  const chatModel = 'other-model';
  models.script({ body: JSON.stringify({ object: 'list', data: [{ id: chatModel }] }) });
  const before = models.requests.length;
  const { run: done } = await run(1, { chatModel, instructions: 'Answer in one sentence.' });
  expect(done.status).toBe('DONE');
  const sent = models.requests.slice(before).map(({ body }) => body);
  expect(sent).toContainEqual(expect.objectContaining({ model: chatModel }));
  expect(JSON.stringify(sent)).toContain('Answer in one sentence.');
});

test('a model that the server does not have is refused', async () => {
  const set = await createQuestionSet(service.system, {
    ...{ projectId, name: 'Set' },
    questions: [{ question: 'Why?' }],
  });
  const started = startEvaluation(service.system, {
    ...{ projectId, setId: set.id },
    candidate: { chatModel: 'no-such-model' },
  });
  await expect(started).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

test('a scheduled run that fails is published once, and a run by hand is not', async () => {
  const { system, adapters } = service;
  const questions = Array.from({ length: 15 }, () => ({ question: 'When does the sauna open?' }));
  const schedule = { everyHours: 24, bounds: { refusedWrongly: 0 } };
  const set = await createQuestionSet(system, { projectId, name: 'Nightly', questions, schedule });
  const where = { id: set.id, projectId };
  await system.db.questionSet.updateMany({ where, data: { nextRunAt: new Date(0) } });
  models.script(...Array.from({ length: 10 }, () => refusal));
  await startDueEvaluations(adapters, new AbortController().signal);
  const findRun = () => system.db.evaluationRun.findFirst({ where: { setId: set.id, projectId } });
  await waitUntil(async () => (await findRun())?.status === 'FAILED');
  const run = await findRun();
  const attempt = { signal: new AbortController().signal, isLast: true, requestId: null };
  await failEvaluationJob.run(adapters, { projectId, runId: run?.id ?? '' }, attempt);
  const events = await system.db.webhookEvent.findMany({ where: { projectId } });
  const regressions = events.filter(({ type }) => type === 'evaluation.regressed');
  expect(regressions.map(({ data }) => data)).toEqual([
    expect.objectContaining({
      ...{ setId: set.id, setName: 'Nightly', runId: run?.id, failedBounds: [] },
      error: expect.stringMatching(/^10 questions failed in a row/),
    }),
  ]);
});
