import { beforeAll, describe, expect, test } from 'vitest';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { restClient } from '../support/api/rest-client.ts';
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

describe('keys that a key has created', () => {
  const isValid = async ({ secret }: { readonly secret: string }) =>
    (await list(secret)).status === 200;
  const scopes = ['KEYS_WRITE', 'KNOWLEDGE_READ'];
  const revoke = (id: string) =>
    operator.data('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', { id });
  const createWith = async ({ secret }: { readonly secret: string }) => {
    const { createApiKey } = await graphqlClient(service.url, secret).data<{
      createApiKey: { secret: string; apiKey: { id: string } };
    }>(createKey, { input: { ...tenant, name: 'child', scopes } });
    return createApiKey;
  };
  const rotate = async (client: GraphqlClient, id: string) => {
    const { rotateApiKey } = await client.data<{
      rotateApiKey: { secret: string; apiKey: { id: string } };
    }>('mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { secret apiKey { id } } }', { id });
    return rotateApiKey;
  };
  const makeCreator = () => makeKey({ projectId: tenant.projectId, scopes });

  test('are revoked with it, at every level, and the audit log names the reason', async () => {
    const creator = await makeCreator();
    const child = await createWith(creator);
    const grandchild = await createWith(child);
    const [other, independent] = [await makeCreator(), await createWith(await makeCreator())];
    await revoke(creator.apiKey.id);
    expect(await Promise.all([creator, child, grandchild].map(isValid))).toEqual([
      false,
      false,
      false,
    ]);
    expect(await Promise.all([other, independent].map(isValid))).toEqual([true, true]);
    const entries = await service.system.db.auditEntry.findMany({
      where: { organizationId: tenant.organizationId, action: 'API_KEY_REVOKED' },
    });
    const reasonOf = (id: string) => entries.find(({ targetId }) => targetId === id)?.change;
    expect(reasonOf(creator.apiKey.id)).toEqual({});
    expect(reasonOf(child.apiKey.id)).toEqual({ revokedWithKeyId: creator.apiKey.id });
    expect(reasonOf(grandchild.apiKey.id)).toEqual({ revokedWithKeyId: creator.apiKey.id });
  });

  test('belong to the new key after a rotation', async () => {
    const creator = await makeCreator();
    const child = await createWith(creator);
    const rotated = await rotate(operator, creator.apiKey.id);
    await revoke(creator.apiKey.id);
    expect(await Promise.all([rotated, child].map(isValid))).toEqual([true, true]);
    await revoke(rotated.apiKey.id);
    expect(await isValid(child)).toBe(false);
  });

  test('include a key that it has rotated, whose secret it knows', async () => {
    const [creator, sibling] = [await makeCreator(), await makeCreator()];
    const rotated = await rotate(graphqlClient(service.url, creator.secret), sibling.apiKey.id);
    await revoke(creator.apiKey.id);
    expect(await isValid(rotated)).toBe(false);
  });

  test('include the key that has replaced it by its own rotation, and the keys of both', async () => {
    const creator = await makeCreator();
    const child = await createWith(creator);
    const rotated = await rotate(graphqlClient(service.url, creator.secret), creator.apiKey.id);
    const again = await rotate(graphqlClient(service.url, rotated.secret), rotated.apiKey.id);
    const later = await createWith(again);
    const keys = [rotated, again, child, later];
    await service.adapters.pool.query(
      'update grounded.api_keys set revoked_at = now() where id = $1',
      [creator.apiKey.id],
    );
    expect(await isValid(creator)).toBe(false);
    expect(await Promise.all(keys.map(isValid))).toEqual([true, true, true, true]);
    await revoke(creator.apiKey.id);
    expect(await Promise.all(keys.map(isValid))).toEqual([false, false, false, false]);
  });

  test('are revoked with the key that has replaced their creator by its own rotation', async () => {
    const creator = await makeCreator();
    const child = await createWith(creator);
    const rotated = await rotate(graphqlClient(service.url, creator.secret), creator.apiKey.id);
    await revoke(rotated.apiKey.id);
    expect(await Promise.all([rotated, child].map(isValid))).toEqual([false, false]);
  });

  test('do not become keys of another key that rotates their creator', async () => {
    const [creator, other] = [await makeCreator(), await makeCreator()];
    const child = await createWith(creator);
    const rotated = await rotate(graphqlClient(service.url, other.secret), creator.apiKey.id);
    await revoke(other.apiKey.id);
    expect(await Promise.all([rotated, child].map(isValid))).toEqual([false, true]);
    await revoke(creator.apiKey.id);
    expect(await isValid(child)).toBe(false);
  });

  test('are revoked with a creator that one of them has rotated', async () => {
    const creator = await makeCreator();
    const child = await createWith(creator);
    const rotated = await rotate(graphqlClient(service.url, child.secret), creator.apiKey.id);
    await revoke(creator.apiKey.id);
    expect(await Promise.all([child, rotated].map(isValid))).toEqual([false, false]);
  });
});
