import { beforeAll, expect, test } from 'vitest';
import { type GraphqlClient, graphqlClient } from '../support/graphql-client.ts';
import { restClient } from '../support/rest-client.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let operator: GraphqlClient;
let tenant: Tenant;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  operator = graphqlClient(service.url, await service.token({ role: 'service_role' }));
  tenant = await service.createTenant();
});

const createKey = `mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) { secret apiKey { id prefix lastFour scopes projectId revokedAt expiresAt } }
}`;

async function makeKey(extra: object = {}) {
  const { createApiKey } = await operator.data<{
    createApiKey: { secret: string; apiKey: { id: string } };
  }>(createKey, {
    input: {
      organizationId: tenant.organizationId,
      name: 'n',
      scopes: ['KNOWLEDGE_READ'],
      ...extra,
    },
  });
  return createApiKey;
}

function list(secret: string, query = ''): Promise<Response> {
  return restClient(`${service.url}/api/v1`, secret).get(`/knowledge/documents${query}`);
}

test('a key works from its creation, is shown once, and only its hash is stored', async () => {
  const { secret, apiKey } = await makeKey({ projectId: tenant.projectId });
  expect(await list(secret)).toMatchObject({ status: 200 });

  const row = await service.adapters.pool.query(
    'select k::text as text from grounded.api_keys k where id = $1',
    [apiKey.id],
  );
  expect(row.rows[0].text).not.toContain(secret.slice(3, 30));
  const listed = await operator.send(
    `query ($id: ID!) { apiKeys(organizationId: $id, first: 100) { edges { node { id prefix lastFour } } } }`,
    { id: tenant.organizationId },
  );
  expect(JSON.stringify(listed)).toContain(apiKey.id);
  expect(JSON.stringify(listed)).not.toContain(secret);
});

test('a revoked key is rejected from the next request on', async () => {
  const { secret, apiKey } = await makeKey({ projectId: tenant.projectId });
  expect((await list(secret)).status).toBe(200);
  await operator.data(`mutation ($id: ID!) { revokeApiKey(input: {id: $id}) { revokedAt } }`, {
    id: apiKey.id,
  });
  expect((await list(secret)).status).toBe(401);
});

test('an expired key is rejected, and no key can be created with an expiry in the past', async () => {
  const { secret, apiKey } = await makeKey({
    projectId: tenant.projectId,
    expiresAt: new Date(Date.now() + 3600_000).toISOString(),
  });
  expect((await list(secret)).status).toBe(200);
  await service.adapters.pool.query(
    `update grounded.api_keys set expires_at = now() where id = $1`,
    [apiKey.id],
  );
  expect((await list(secret)).status).toBe(401);

  const refused = await operator.send(createKey, {
    input: {
      organizationId: tenant.organizationId,
      name: 'n',
      scopes: ['CHAT'],
      expiresAt: '2020-01-01T00:00:00Z',
    },
  });
  expect(refused.errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
});

test('after a rotation both keys work until the overlap ends, and the old key cannot be rotated again', async () => {
  const { secret, apiKey } = await makeKey({ projectId: tenant.projectId });
  const rotate = `mutation ($input: RotateApiKeyInput!) { rotateApiKey(input: $input) { secret apiKey { id scopes projectId } } }`;
  const { rotateApiKey } = await operator.data<{ rotateApiKey: { secret: string } }>(rotate, {
    input: { id: apiKey.id },
  });
  expect((await list(secret)).status).toBe(200);
  expect((await list(rotateApiKey.secret)).status).toBe(200);

  const again = await operator.send(rotate, { input: { id: apiKey.id } });
  expect(again.errors?.[0]?.extensions.code).toBe('CONFLICT');
  await service.adapters.pool.query(
    `update grounded.api_keys set revoked_at = now() where id = $1`,
    [apiKey.id],
  );
  expect((await list(secret)).status).toBe(401);
  expect((await list(rotateApiKey.secret)).status).toBe(200);
});

test('a rotation without overlap revokes the old key immediately', async () => {
  const { secret, apiKey } = await makeKey({ projectId: tenant.projectId });
  await operator.data(
    `mutation ($input: RotateApiKeyInput!) { rotateApiKey(input: $input) { secret } }`,
    { input: { id: apiKey.id, overlapSeconds: 0 } },
  );
  expect((await list(secret)).status).toBe(401);
});

test('the last use of a key is recorded', async () => {
  const { secret, apiKey } = await makeKey({ projectId: tenant.projectId });
  await list(secret);
  const { rows } = await service.adapters.pool.query(
    `select last_used_at from grounded.api_keys where id = $1`,
    [apiKey.id],
  );
  expect(rows[0].last_used_at).toBeInstanceOf(Date);
});

test('a key cannot be created for a project of another organization', async () => {
  const other = await service.createTenant();
  const refused = await operator.send(createKey, {
    input: {
      organizationId: tenant.organizationId,
      projectId: other.projectId,
      name: 'n',
      scopes: ['CHAT'],
    },
  });
  expect(refused.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
});
