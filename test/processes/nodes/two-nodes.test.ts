import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GraphqlClient, graphqlClient } from '../../support/api/graphql-client.ts';
import { expectErrorBody, restClient } from '../../support/api/rest-client.ts';
import { subscribe } from '../../support/api/subscription.ts';
import {
  createTestDatabase,
  databaseSettings,
  type TestDatabase,
} from '../../support/database/database.ts';
import { runCli } from '../../support/programs/run-cli.ts';
import {
  type ServiceProcess,
  startServiceProcess,
} from '../../support/programs/service-process.ts';

let database: TestDatabase;
let dataDir: string;
/** Two API processes on one database. */
let nodes: readonly ServiceProcess[];
/** Client of the operator on the first node. */
let operator: GraphqlClient;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-nodes-'));
  const settings = { ROLE: 'api', ...databaseSettings(database), DATA_DIR: dataDir };
  nodes = await Promise.all([startServiceProcess(settings), startServiceProcess(settings)]);
  const { token } = await runCli(['token', '--role', 'service_role'], settings);
  operator = graphqlClient(nodeAt(0).url, token);
}, 120_000);

afterAll(async () => {
  await Promise.all(nodes?.map((node) => node.stop()) ?? []);
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test('a key revoked on one node is rejected by the other on its next request', async () => {
  const { projectId, organizationId } = await makeTenant();
  for (let round = 0; round < 10; round++) {
    const { secret, apiKey } = await makeKey(organizationId, projectId);
    const list = () => clientAt(1, secret).get('/knowledge/documents');
    expect((await list()).status).toBe(200);
    await operator.data('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', apiKey);
    expect(await expectErrorBody(list())).toMatchObject({
      statusCode: 401,
      code: 'UNAUTHENTICATED',
    });
  }
});

// The time limit proves the notification: without one, the service checks an idle subscription only every 30 s.
test('a key revoked on one node ends its streams on the other', { timeout: 25_000 }, async () => {
  const { projectId, organizationId } = await makeTenant();
  const { secret, apiKey } = await makeKey(organizationId, projectId);
  const query = 'subscription ($id: ID!) { documentUpdated(projectId: $id) { id } }';
  const results = await subscribe(`${nodeAt(1).url}/graphql`, secret, query, { id: projectId });
  await operator.data('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', apiKey);
  expect((await results.next())?.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  expect(await results.next()).toBeNull();
});

test('a rate limit of N admits exactly N of 3N concurrent requests, regardless of the node', async () => {
  const limit = 30;
  const { projectId, organizationId } = await makeTenant({ requestsPerMinute: limit });
  const { secret } = await makeKey(organizationId, projectId);
  const responses = await Promise.all(
    Array.from({ length: 3 * limit }, (_, n) =>
      clientAt(n % 2, secret).get('/knowledge/documents'),
    ),
  );
  const statuses = responses.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(limit);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2 * limit);
  for (const { status, headers } of responses) {
    if (status !== 429) continue;
    expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60);
  }
}, 60_000);

test('an allowance of five messages admits exactly five of forty concurrent questions, regardless of the node', async () => {
  const monthlyMessages = 5;
  const { projectId, organizationId } = await makeTenant({ monthlyMessages });
  const { secret } = await makeKey(organizationId, projectId);
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      clientAt(n % 2, secret).post('/chat', { message: `Question ${n}?` }),
    ),
  );
  const refused = responses.filter(({ status }) => status !== 200);
  expect(responses.length - refused.length).toBe(monthlyMessages);
  for (const response of refused) {
    const error = await expectErrorBody(Promise.resolve(response));
    expect(error).toMatchObject({ statusCode: 402, code: 'QUOTA_EXCEEDED' });
    expect(response.headers.get('Retry-After')).toBeNull();
  }
  for (const node of [0, 1]) {
    const usage = await (await clientAt(node, secret).get('/usage')).json();
    expect(usage.messages).toEqual({ used: 5, limit: 5, remaining: 0 });
  }
}, 60_000);

function nodeAt(index: number): ServiceProcess {
  const node = nodes[index];
  if (node === undefined) throw new Error(`There is no node ${index}`);
  return node;
}

function clientAt(index: number, key: string) {
  return restClient(`${nodeAt(index).url}/api/v1`, key);
}

async function makeTenant(limits: object = {}) {
  const { createOrganization } = await operator.data<{ createOrganization: { id: string } }>(
    'mutation { createOrganization(input: { name: "Harbour", plan: "scale" }) { id } }',
  );
  const organizationId = createOrganization.id;
  await operator.data(
    'mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { id } }',
    { input: { id: organizationId, limits } },
  );
  const { createProject } = await operator.data<{ createProject: { id: string } }>(
    'mutation ($input: CreateProjectInput!) { createProject(input: $input) { id } }',
    { input: { organizationId, name: 'Front desk' } },
  );
  return { organizationId, projectId: createProject.id };
}

async function makeKey(organizationId: string, projectId: string) {
  const scopes = ['CHAT', 'KNOWLEDGE_READ', 'ANALYTICS_READ'];
  const { createApiKey } = await operator.data<{
    createApiKey: { secret: string; apiKey: { id: string } };
  }>(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret apiKey { id } } }',
    { input: { organizationId, projectId, name: 'Key', scopes } },
  );
  return createApiKey;
}
