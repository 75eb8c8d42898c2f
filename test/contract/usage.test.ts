import { beforeAll, expect, test } from 'vitest';
import { createProject } from '../../src/domain/organizations/projects.ts';
import { newId } from '../../src/platform/ids.ts';
import { runSql } from '../../src/platform/postgres/run-sql.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import { expectErrorBody, type RestClient, restClient } from '../support/api/rest-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let client: RestClient;

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant({ plan: 'free' });
  client = await tenant.rest();
});

async function limit(limits: { monthlyMessages?: number; storageBytes?: number }): Promise<void> {
  await service.system.db.organization.update({
    where: { id: tenant.organizationId },
    data: { monthlyMessages: null, storageBytes: null, requestsPerMinute: 100_000, ...limits },
  });
}

const usage = async () => (await client.get('/usage')).json();

test('usage covers the organization, with the limits of its plan', async () => {
  const now = new Date();
  const month = (offset: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)).toISOString();
  const response = await client.get('/usage');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    organizationId: tenant.organizationId,
    plan: 'free',
    period: { start: month(0), end: month(1) },
    messages: { used: 0, limit: 500, remaining: 500 },
    evaluation: {
      evaluated: { used: 0, limit: 5_000, remaining: 5_000 },
      judged: { used: 0, limit: 5_000, remaining: 5_000 },
    },
    storage: { usedBytes: 0, limitBytes: 100_000_000 },
    tokens: { input: 0, output: 0, embedding: 0, total: 0 },
    cost: null,
  });
});

test('an unlimited plan returns null, and an organization may override limits', async () => {
  const other = await service.createTenant({ plan: 'scale' });
  const othersClient = await other.rest();
  const read = async () => (await othersClient.get('/usage')).json();
  expect(await read()).toMatchObject({
    messages: { used: 0, limit: null, remaining: null },
    evaluation: {
      evaluated: { used: 0, limit: null, remaining: null },
      judged: { used: 0, limit: null, remaining: null },
    },
    storage: { limitBytes: null },
  });
  await service.system.db.organization.update({
    where: { id: other.organizationId },
    data: { monthlyMessages: 7, monthlyJudgedQuestions: 3, storageBytes: 1234 },
  });
  expect(await read()).toMatchObject({
    messages: { used: 0, limit: 7, remaining: 7 },
    evaluation: {
      evaluated: { used: 0, limit: 70, remaining: 70 },
      judged: { used: 0, limit: 3, remaining: 3 },
    },
    storage: { limitBytes: 1234 },
  });
});

test('with the evaluated questions used up, a run is refused with 402, and the chat answers', async () => {
  const { organizationId, key } = await service.createTenant({ plan: 'free' });
  const scopes = ['CHAT', 'EVALUATION_WRITE', 'ANALYTICS_READ'] as const;
  const evaluator = restClient(`${service.url}/api/v1`, await key({ scopes }));
  const root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  const limits = { monthlyEvaluatedQuestions: 0, monthlyJudgedQuestions: 8 };
  const { updateOrganization } = await root.data<{ updateOrganization: object }>(
    `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) {
      limits { monthlyMessages monthlyEvaluatedQuestions monthlyJudgedQuestions } } }`,
    { input: { id: organizationId, limits } },
  );
  expect(updateOrganization).toEqual({ limits: { monthlyMessages: 500, ...limits } });
  const evaluation = {
    evaluated: { used: 0, limit: 0, remaining: 0 },
    judged: { used: 0, limit: 8, remaining: 8 },
  };
  const counted = '{ used limit remaining }';
  const { usage } = await root.data<{ usage: object }>(
    `query ($organizationId: ID!) { usage(organizationId: $organizationId) {
      evaluation { evaluated ${counted} judged ${counted} } } }`,
    { organizationId },
  );
  expect(usage).toEqual({ evaluation });
  expect(await (await evaluator.get('/usage')).json()).toMatchObject({ evaluation });
  const questions = [{ question: 'When does the sauna open?' }];
  const created = await evaluator.post('/evaluation/sets', { name: 'Set', questions });
  const { id: setId } = await created.json();
  const refused = await expectErrorBody(evaluator.post('/evaluation/runs', { setId }));
  expect(refused).toMatchObject({ statusCode: 402, code: 'QUOTA_EXCEEDED' });
  expect(refused.message).toContain('evaluated questions');
  const answered = await evaluator.post('/chat', { message: 'Hello?', stream: false });
  expect(answered.status).toBe(200);
});

test('the embedding tokens of a search are stored soon, and before a flush returns', async () => {
  const { organizationId, projectId, key } = await service.createTenant();
  await addDocuments(service, projectId, { 'Sauna.txt': 'The sauna opens at noon.' });
  const searcher = restClient(`${service.url}/api/v1`, await key());
  const search = async () => {
    const query = 'When does the sauna open?';
    expect((await searcher.post('/knowledge/search', { query })).status).toBe(200);
  };
  const storedTokens = async () => {
    const [row] = await runSql<{ tokens: number }>(
      service.system.pool,
      'select embedding_tokens::float8 as tokens from grounded.usage_periods where organization_id = $1',
      [organizationId],
    );
    return row?.tokens ?? 0;
  };
  await service.adapters.tokenCounter.flush();
  const before = await storedTokens();
  await search();
  await service.adapters.tokenCounter.flush();
  const first = await storedTokens();
  expect(first).toBeGreaterThan(before);
  await search();
  await expect.poll(storedTokens).toBeGreaterThan(first);
});

test('a project key reads the usage of its organization, and cannot name another project of it', async () => {
  const { organizationId, projectId } = tenant;
  const sibling = await createProject(service.system, { organizationId, name: 'Sibling' });
  const graphql = await tenant.graphql();
  const ask = (variables: object) =>
    graphql.send(
      'query ($organizationId: ID!, $projectId: ID) { usage(organizationId: $organizationId, projectId: $projectId) { organizationId } }',
      { organizationId, ...variables },
    );
  for (const own of [{}, { projectId }]) {
    expect((await ask(own)).data).toEqual({ usage: { organizationId } });
  }
  for (const other of [sibling.id, newId()]) {
    const { errors } = await ask({ projectId: other });
    expect(errors?.[0]?.extensions.code).toBe('PROJECT_FORBIDDEN');
  }
});

test('with one message left, one of 200 concurrent calls is answered and the others return 402', async () => {
  const { messages } = await usage();
  await limit({ monthlyMessages: messages.used + 1 });
  const calls = Array.from({ length: 200 }, (_, n) =>
    client.post('/chat', { message: 'Until when is check-out?', stream: n % 2 === 0 }),
  );
  const responses = await Promise.all(calls);
  const refused = responses.filter(({ status }) => status === 402);
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(refused).toHaveLength(199);
  for (const response of refused) expect(response.headers.has('Retry-After')).toBe(false);
  const [first] = refused;
  if (first === undefined) throw new Error('nothing was refused');
  expect(await expectErrorBody(Promise.resolve(first))).toMatchObject({
    error: 'Payment Required',
    code: 'QUOTA_EXCEEDED',
  });
  await Promise.all(responses.filter(({ bodyUsed }) => !bodyUsed).map((one) => one.text()));
  expect((await usage()).messages).toMatchObject({ used: messages.used + 1, remaining: 0 });
});

test('a document or upload that exceeds the storage limit returns 402 and leaves nothing', async () => {
  const { usedBytes } = (await usage()).storage;
  await limit({ storageBytes: usedBytes + 10 });
  const content = 'eleven byte';
  const code = 'QUOTA_EXCEEDED';
  const created = client.post('/knowledge/documents', { name: 'Note', content });
  expect(await expectErrorBody(created)).toMatchObject({ statusCode: 402, code });
  const uploaded = client.upload('/knowledge/documents/upload', new File([content], 'Note.txt'));
  expect(await expectErrorBody(uploaded)).toMatchObject({ statusCode: 402, code });
  expect((await (await client.get('/knowledge/documents')).json()).total).toBe(0);

  const fits = await client.post('/knowledge/documents', { name: 'Note', content: 'ten bytes!' });
  expect(fits.status).toBe(201);
  expect((await usage()).storage.usedBytes).toBe(usedBytes + 10);
  const { id } = await fits.json();
  expect((await client.delete(`/knowledge/documents/${id}`)).status).toBe(204);
  expect((await usage()).storage.usedBytes).toBe(usedBytes);
});
