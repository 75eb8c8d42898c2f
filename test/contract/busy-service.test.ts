import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDocuments } from '../support/knowledge.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { sharedDatabase } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  service = await startTestService({
    database: await sharedDatabase(),
    answerStarts: { maxStarting: 1, maxWaitMs: 50 },
  });
  tenant = await service.createTenant();
  key = await tenant.key({ projectId: tenant.projectId });
  await addDocuments(service, tenant.projectId, { 'Sauna.txt': 'The sauna opens at noon.' });
});
afterAll(() => service?.stop());

function ask(stream: boolean): Promise<Response> {
  return fetch(`${service.url}/api/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'When does the sauna open?', stream }),
  });
}

const countMessages = () =>
  service.system.db.message.count({ where: { projectId: tenant.projectId } });

const hold = () => service.adapters.answerStarts.admit('another', new AbortController().signal);

test.each([true, false])(
  'while too many answers start, a chat gets 503 with Retry-After and stores nothing (stream: %s)',
  async (stream) => {
    const before = await countMessages();
    using _slot = await hold();
    const response = await ask(stream);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await response.json()).toMatchObject({ statusCode: 503, code: 'UNAVAILABLE' });
    expect(await countMessages()).toBe(before);
  },
);

test('an answer that has started leaves its slot to the next one', async () => {
  for (const stream of [true, false, true]) {
    const response = await ask(stream);
    expect(response.status).toBe(200);
    await response.text();
  }
  expect(service.adapters.answerStarts).toMatchObject({ starting: 0, waiting: 0 });
});

test('reports refused and waiting answers in the metrics', async () => {
  using _slot = await hold();
  await (await ask(true)).text();
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/^grounded_chat_refused_answers_total [1-9]/m);
  expect(metrics).toContain('grounded_chat_answer_starts{state="starting"} 1');
  expect(metrics).toContain('grounded_chat_answer_starts{state="waiting"} 0');
});
