import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDueEvaluations } from '../../src/domain/evaluation/start-due-evaluations.ts';
import { updateProject } from '../../src/domain/organizations/projects.ts';
import { newId } from '../../src/platform/ids.ts';
import { resolveSchema } from '../support/api/openapi-document.ts';
import { compileResponseValidator } from '../support/api/openapi-schema.ts';
import type { RestClient } from '../support/api/rest-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: TestService;
let receiver: WebhookReceiver;
let tenant: Tenant;
let client: RestClient;

const scopes = ['EVALUATION_READ', 'EVALUATION_WRITE', 'WEBHOOKS_WRITE'] as const;

beforeAll(async () => {
  service = await startTestService({ allowPrivateWebhooks: true });
  receiver = await startWebhookReceiver();
  tenant = await service.createTenant();
  client = await tenant.rest({ scopes });
  const types = ['evaluation.regressed'];
  expect((await client.post('/webhooks', { url: receiver.url, types })).status).toBe(201);
  await addDocuments(service, tenant.projectId, {
    'sauna.md': '# Sauna\n\nThe sauna opens at noon. Towels cost 3 euros.',
  });
});
afterAll(async () => {
  await receiver?.close();
  await service?.stop();
});

const questions = [
  { question: 'When does the sauna open?', expected: ['noon'], documentName: 'sauna.md' },
  { question: 'Who won the chess championship in 1972?', mustRefuse: true },
];
const bounds = { recallAt5: 1, containsExpected: 1, refusedWrongly: 0 };
const hourMs = 3600_000;

const eventSchema = { $ref: '#/components/schemas/EvaluationRegressedEvent' };

// biome-ignore lint/suspicious/noExplicitAny: the tests compare single fields
type Json = any;

async function createSet(name: string, schedule?: object, given: object[] = questions) {
  const response = await client.post('/evaluation/sets', { name, questions: given, schedule });
  expect(response.status).toBe(201);
  return (await response.json()) as Json;
}

const read = async (path: string): Promise<Json> => (await client.get(path)).json();
const runsOf = async (setId: string) => (await read(`/evaluation/runs?setId=${setId}`)).data;
const patch = (setId: string, body: object) => client.patch(`/evaluation/sets/${setId}`, body);

async function makeDue(setId: string) {
  const where = { id: setId, projectId: tenant.projectId };
  await service.system.db.questionSet.updateMany({ where, data: { nextRunAt: new Date(0) } });
}

/** Two processes at once, as the queue may deliver a job again. */
async function startDue() {
  const start = () => startDueEvaluations(service.adapters, new AbortController().signal);
  await Promise.all([start(), start()]);
}

/** Runs the schedule of a set, and returns the run when it has finished. */
async function runScheduled(setId: string): Promise<Json> {
  const before = (await runsOf(setId)).length;
  await makeDue(setId);
  await startDue();
  expect(await runsOf(setId)).toHaveLength(before + 1);
  await waitUntil(async () => (await runsOf(setId))[0].finishedAt !== null);
  return (await runsOf(setId))[0];
}

const eventsOf = async (setId: string) =>
  (
    await service.system.db.webhookEvent.findMany({
      where: { projectId: tenant.projectId, type: 'evaluation.regressed' },
    })
  ).filter(({ data }) => (data as Json).setId === setId);

test('a schedule is set with a set or later, replaced, and ended with null', async () => {
  const { id, schedule } = await createSet('Scheduled', { everyHours: 24, bounds });
  expect(schedule).toMatchObject({ everyHours: 24, bounds: { ...bounds, mrr: null } });
  expect(Date.parse(schedule.nextRunAt)).toBeGreaterThan(Date.now() + 23 * hourMs);
  expect(await (await patch(id, { name: 'Renamed' })).json()).toMatchObject({
    ...{ name: 'Renamed', schedule },
  });
  const replaced = { everyHours: 24, bounds: { latencyP95Ms: 2_000, mrr: null } };
  const without = { recallAt5: null, containsExpected: null, refusedWrongly: null };
  expect((await (await patch(id, { schedule: replaced })).json()).schedule).toEqual({
    ...schedule,
    bounds: { ...schedule.bounds, ...without, latencyP95Ms: 2_000 },
  });
  expect(await (await patch(id, { schedule: null })).json()).toMatchObject({
    ...{ name: 'Renamed', schedule: null },
  });
  await startDue();
  expect(await runsOf(id)).toEqual([]);
  expect((await createSet('By hand')).schedule).toBeNull();
});

test('wrong schedules are refused with the names of the fields', async () => {
  const { id } = await createSet('Wrong');
  const wrong: [object, string][] = [
    [{ everyHours: 0 }, 'schedule.everyHours'],
    [{ everyHours: 721 }, 'schedule.everyHours'],
    [{ everyHours: 1.5 }, 'schedule.everyHours'],
    [{ bounds }, 'schedule.everyHours'],
    [{ everyHours: 1, bounds: { recallAt5: 95 } }, 'schedule.bounds.recallAt5'],
    [{ everyHours: 1, bounds: { tokens: -1 } }, 'schedule.bounds.tokens'],
    [{ everyHours: 1, bounds: { recall: 0.9 } }, 'recall'],
  ];
  for (const [schedule, field] of wrong) {
    const response = await patch(id, { schedule });
    const { statusCode, message } = await response.json();
    expect(statusCode, JSON.stringify(schedule)).toBe(400);
    expect(String(message)).toContain(field);
  }
  expect((await read(`/evaluation/sets/${id}`)).schedule).toBeNull();
});

test('a due set is asked once. Only a run that is outside its bounds sends a webhook', async () => {
  const { id, version } = await createSet('Front desk', { everyHours: 24, bounds });
  const good = await runScheduled(id);
  expect(good).toMatchObject({ status: 'DONE', isScheduled: true, bounds, failedBounds: [] });
  const { schedule } = await read(`/evaluation/sets/${id}`);
  expect(Date.parse(schedule.nextRunAt)).toBeGreaterThan(Date.now());
  expect(Date.parse(schedule.nextRunAt)).toBeLessThanOrEqual(Date.now() + 24 * hourMs);
  expect(await eventsOf(id)).toEqual([]);

  const { projectId, organizationId } = tenant;
  await updateProject(service.system, { id: projectId, assistant: { confidenceThreshold: 1 } });
  const bad = await runScheduled(id);
  await updateProject(service.system, { id: projectId, assistant: { confidenceThreshold: null } });
  const failedBounds = [
    { figure: 'containsExpected', bound: 1, value: 0 },
    { figure: 'refusedWrongly', bound: 0, value: 1 },
  ];
  expect(bad).toMatchObject({ status: 'DONE', failedBounds });
  const [event, ...others] = await eventsOf(id);
  expect(others).toEqual([]);
  expect(event?.data).toEqual({
    ...{ organizationId, projectId, setId: id, setName: 'Front desk', setVersion: version },
    ...{ runId: bad.id, failedBounds, error: null, finishedAt: bad.finishedAt },
  });
  const [request] = await receiver.waitForRequests(1);
  const body = JSON.parse(request?.body ?? '');
  expect(body).toMatchObject({ type: 'evaluation.regressed', data: event?.data });
  expect(compileResponseValidator(resolveSchema(eventSchema))(body)).toEqual([]);

  const recovered = await runScheduled(id);
  expect(recovered.failedBounds).toEqual([]);
  expect(await eventsOf(id)).toHaveLength(1);
  expect(receiver.requests).toHaveLength(1);
  const entries = await service.system.db.auditEntry.findMany({
    where: { organizationId, action: 'EVALUATION_STARTED', targetId: bad.id },
  });
  expect(entries).toMatchObject([{ actorType: 'SERVICE', change: { isScheduled: true } }]);
});

test('a due set without questions, or with an unfinished run, waits for its next time', async () => {
  const empty = await createSet('Empty', { everyHours: 1 }, []);
  const busy = await createSet('Busy', { everyHours: 1 });
  const { db } = service.system;
  const { projectId } = tenant;
  const unfinished = { id: newId(), projectId, setId: busy.id, setVersion: 1, total: 2 };
  await db.evaluationRun.create({ data: unfinished });
  for (const { id } of [empty, busy]) await makeDue(id);
  await startDue();
  for (const { id } of [empty, busy]) {
    const { schedule } = await read(`/evaluation/sets/${id}`);
    expect(Date.parse(schedule.nextRunAt)).toBeGreaterThan(Date.now());
  }
  expect(await runsOf(empty.id)).toEqual([]);
  expect(await runsOf(busy.id)).toHaveLength(1);
});
