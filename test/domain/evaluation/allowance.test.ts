import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { evaluateJob } from '../../../src/domain/evaluation/evaluate-job.ts';
import { getEvaluation, startEvaluation } from '../../../src/domain/evaluation/evaluation-runs.ts';
import { createQuestionSet } from '../../../src/domain/evaluation/question-sets.ts';
import { startDueEvaluations } from '../../../src/domain/evaluation/start-due-evaluations.ts';
import { createProject } from '../../../src/domain/organizations/projects.ts';
import { withConsumedQuestion } from '../../../src/domain/usage/question-quota.ts';
import { getUsage } from '../../../src/domain/usage/usage.ts';
import { listUsageDays } from '../../../src/domain/usage/usage-days.ts';
import { newId } from '../../../src/platform/ids.ts';
import { addDocuments } from '../../support/knowledge.ts';
import type { OpenAiServer, Reply } from '../../support/servers/openai-server.ts';
import type { Tenant, TestService } from '../../support/service.ts';
import { startServiceWithModel } from '../../support/service-with-model.ts';
import { waitUntil } from '../../support/wait-until.ts';

const question = 'When does the sauna open?';
const usedUp = (kind: string) =>
  `The plan's monthly allowance of ${kind} questions is used up: wait for the next month, or raise the limit`;
const refusal: Reply = { status: 401, body: '{}' };

let models: OpenAiServer;
let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
});
afterAll(() => service?.stop());
beforeEach(async () => {
  tenant = await service.createTenant({ plan: 'free' });
  await addDocuments(service, tenant.projectId, { 'sauna.md': 'The sauna opens at noon.' });
});

interface Limits {
  readonly monthlyMessages?: number;
  readonly monthlyEvaluatedQuestions?: number;
  readonly monthlyJudgedQuestions?: number;
}

const limit = (data: Limits) =>
  service.system.db.organization.update({ where: { id: tenant.organizationId }, data });

const usage = () => getUsage(service.system, { organizationId: tenant.organizationId });

async function createSet(count: number, projectId = tenant.projectId, changes: object = {}) {
  const questions = Array.from({ length: count }, () => ({ question }));
  return createQuestionSet(service.system, { projectId, name: 'Set', questions, ...changes });
}

async function start(count: number, options: { judgeByModel?: boolean } = {}): Promise<string> {
  const { projectId } = tenant;
  const { id: setId } = await createSet(count);
  return (await startEvaluation(service.system, { projectId, setId, ...options })).id;
}

const read = (id: string) => getEvaluation(service.system, { id });

async function finish(id: string) {
  await waitUntil(async () => (await read(id)).finishedAt !== null);
  return { run: await read(id), results: await resultsOf(id) };
}

const resultsOf = (runId: string) =>
  service.system.db.evaluationResult.findMany({
    where: { runId },
    orderBy: { position: 'asc' },
  });

/** Inserts a run without its job, so that the test runs the job itself. */
async function insertRun(count: number, projectId = tenant.projectId) {
  const { id: setId } = await createSet(count, projectId);
  const data = { id: newId(), projectId, setId, setVersion: 1, total: count };
  const { id: runId } = await service.system.db.evaluationRun.create({ data });
  return { projectId, runId };
}

function runJob(
  target: { projectId: string; runId: string },
  signal = AbortSignal.timeout(60_000),
) {
  return evaluateJob.run(service.adapters, target, { signal, isLast: false, requestId: null });
}

describe('the allowance of evaluated questions', () => {
  test('ends a run when it is used up: exactly as many are asked, and their results are kept', async () => {
    await limit({ monthlyEvaluatedQuestions: 7 });
    const { run, results } = await finish(await start(10));
    expect(run).toMatchObject({ status: 'FAILED', done: 7, error: usedUp('evaluated') });
    expect(results).toHaveLength(7);
    const { evaluation, messages } = await usage();
    expect(evaluation.evaluated).toEqual({ used: 7, limit: 7, remaining: 0 });
    expect(messages.used).toBe(0);
  });

  test('lets a run finish that needs all of it', async () => {
    await limit({ monthlyEvaluatedQuestions: 3 });
    const { run } = await finish(await start(3));
    expect(run).toMatchObject({ status: 'DONE', done: 3 });
  });

  test('is exact with two runs of two projects of the organization at once', async () => {
    const { organizationId } = tenant;
    await limit({ monthlyEvaluatedQuestions: 7 });
    const sibling = await createProject(service.system, { organizationId, name: 'Sibling' });
    const targets = [await insertRun(10), await insertRun(10, sibling.id)];
    await Promise.all(targets.map((target) => runJob(target)));
    const runs = await Promise.all(targets.map(({ runId }) => finish(runId)));
    expect(runs.map(({ run }) => run.status)).toEqual(['FAILED', 'FAILED']);
    expect(runs.flatMap(({ results }) => results)).toHaveLength(7);
    expect((await usage()).evaluation.evaluated.used).toBe(7);
  });

  test('is exact for 200 concurrent questions', async () => {
    await limit({ monthlyEvaluatedQuestions: 7 });
    const allowance = { organizationId: tenant.organizationId, kind: 'evaluated' } as const;
    const asked = await Promise.all(
      Array.from({ length: 200 }, () =>
        withConsumedQuestion(service.system, allowance, async () => ({})),
      ),
    );
    expect(asked.filter((result) => result !== null)).toHaveLength(7);
    expect((await usage()).evaluation.evaluated.remaining).toBe(0);
  });

  test('refuses another run once it is used up, before any model is called', async () => {
    await limit({ monthlyEvaluatedQuestions: 0 });
    const { projectId } = tenant;
    const { id: setId } = await createSet(1);
    const before = models.requests.length;
    const candidate = { chatModel: 'other' };
    const started = startEvaluation(service.system, { projectId, setId, candidate });
    await expect(started).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      message: usedUp('evaluated'),
    });
    expect(models.requests.length).toBe(before);
    expect(await service.system.db.evaluationRun.count({ where: { setId } })).toBe(0);
  });

  test('skips a scheduled run once it is used up, until the next time of the schedule', async () => {
    const { db } = service.system;
    const { projectId } = tenant;
    const schedule = { everyHours: 24, bounds: { refusedWrongly: 0 } };
    const { id } = await createSet(1, projectId, { schedule });
    const startDue = async () => {
      const data = { nextRunAt: new Date(0) };
      await db.questionSet.updateMany({ where: { id, projectId }, data });
      await startDueEvaluations(service.adapters, new AbortController().signal);
      const set = await db.questionSet.findFirstOrThrow({ where: { id, projectId } });
      expect(set.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
      return db.evaluationRun.count({ where: { setId: id } });
    };
    await limit({ monthlyEvaluatedQuestions: 0 });
    expect(await startDue()).toBe(0);
    await limit({ monthlyEvaluatedQuestions: 1 });
    expect(await startDue()).toBe(1);
  });

  test('gets back questions that fail because of the service', async () => {
    models.script(refusal);
    const { run, results } = await finish(await start(3));
    expect(run).toMatchObject({ status: 'DONE', done: 3 });
    expect(results.filter(({ error }) => error !== null)).toHaveLength(1);
    expect((await usage()).evaluation.evaluated.used).toBe(2);
    const { organizationId } = tenant;
    const days = await listUsageDays(service.system, { organizationId });
    expect(days.at(-1)).toMatchObject({ evaluatedQuestions: 2, judgedQuestions: 0 });
  });

  test('gets back the question that a stopping process was asking, and the run continues', async () => {
    const target = await insertRun(2);
    const stopping = new AbortController();
    const asked = models.request(models.requests.length);
    models.script({ after: new Promise(() => {}) });
    const stopped = runJob(target, stopping.signal);
    await asked;
    expect((await usage()).evaluation.evaluated.used).toBe(1);
    stopping.abort(new Error('The process stops'));
    await expect(stopped).rejects.toThrow();
    expect((await usage()).evaluation.evaluated.used).toBe(0);
    await runJob(target);
    expect((await read(target.runId)).status).toBe('DONE');
    expect((await usage()).evaluation.evaluated.used).toBe(2);
  });

  test('and that of messages do not touch each other', async () => {
    const { projectId } = tenant;
    const chat = () => sendMessage(service.system, { projectId, message: question });
    await limit({ monthlyMessages: 1, monthlyEvaluatedQuestions: 2 });
    await chat();
    await expect(chat()).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    const { run } = await finish(await start(2));
    expect(run.status).toBe('DONE');
    await limit({ monthlyMessages: 2 });
    await chat();
    const { messages, evaluation } = await usage();
    expect([messages.used, evaluation.evaluated.used]).toEqual([2, 2]);
  });

  test('and that of judged questions are ten times the messages unless they are set', async () => {
    const limits = async () => {
      const { evaluated, judged } = (await usage()).evaluation;
      return [evaluated.limit, judged.limit];
    };
    expect(await limits()).toEqual([5_000, 5_000]);
    await limit({ monthlyMessages: 12, monthlyJudgedQuestions: 3 });
    expect(await limits()).toEqual([120, 3]);
    await limit({ monthlyMessages: 2_000_000_000 });
    expect(await limits()).toEqual([2_147_483_647, 3]);
    tenant = await service.createTenant({ plan: 'scale' });
    expect(await limits()).toEqual([null, null]);
    await limit({ monthlyEvaluatedQuestions: 4 });
    expect(await limits()).toEqual([4, null]);
  });
});

describe('the allowance of judged questions', () => {
  const answer: Reply = { deltas: ['The sauna opens at noon. [1]'] };
  const right: Reply = { deltas: ['RIGHT\nThe passage says so.'] };

  test('leaves answers without a verdict when it is used up, and the run finishes', async () => {
    await limit({ monthlyJudgedQuestions: 1 });
    models.script(answer, right, answer, answer);
    const { run, results } = await finish(await start(3, { judgeByModel: true }));
    expect(run).toMatchObject({ status: 'DONE', done: 3, error: null });
    expect(results.map(({ modelVerdict, modelReason }) => [modelVerdict, modelReason])).toEqual([
      ['RIGHT', 'The passage says so.'],
      [null, usedUp('judged')],
      [null, usedUp('judged')],
    ]);
    const { evaluated, judged } = (await usage()).evaluation;
    expect(judged).toEqual({ used: 1, limit: 1, remaining: 0 });
    expect(evaluated.used).toBe(3);
  });

  test('gets back calls of the judge that fail, and counts only calls', async () => {
    models.script(answer, refusal, answer, right);
    const { results } = await finish(await start(2, { judgeByModel: true }));
    expect(results.map(({ modelVerdict }) => modelVerdict)).toEqual([null, 'RIGHT']);
    await finish(await start(1));
    const { evaluated, judged } = (await usage()).evaluation;
    expect([evaluated.used, judged.used]).toEqual([3, 1]);
  });
});
