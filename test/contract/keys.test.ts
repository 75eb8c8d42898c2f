import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { newId } from '../../src/platform/ids.ts';
import type { ApiKeyScope } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { expectErrorBody, type RestClient, restClient } from '../support/api/rest-client.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const scopes: readonly ApiKeyScope[] = ['KEYS_WRITE', 'CHAT', 'KNOWLEDGE_READ'];

let service: TestService;
let tenant: Tenant;
let caller: { readonly id: string; readonly client: RestClient };
let client: RestClient;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});

beforeEach(async () => {
  tenant = await service.createTenant();
  caller = await newKey({ name: 'Provisioning', scopes });
  client = caller.client;
});

function clientOf(secret: string): RestClient {
  return restClient(`${service.url}/api/v1`, secret);
}

async function newKey(input: {
  readonly name?: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly projectId?: string | null;
  readonly expiresAt?: Date;
}): Promise<{ readonly id: string; readonly client: RestClient }> {
  const { organizationId, projectId } = tenant;
  const created = await createApiKey(service.system, {
    organizationId,
    projectId,
    name: 'Key',
    ...input,
  });
  return { id: created.apiKey.id, client: clientOf(created.secret) };
}

function create(by: RestClient, body: object = {}, headers: Record<string, string> = {}) {
  return by.post('/keys', { name: 'Website', scopes: ['chat'], ...body }, headers);
}

async function idsOf(response: Response): Promise<string[]> {
  const { data } = await response.json();
  return data.map(({ id }: { id: string }) => id);
}

describe('create', () => {
  test('creates a key of the project that works', async () => {
    const response = await create(client, { scopes: ['knowledge:read', 'chat'] });
    expect(response.status).toBe(201);
    const { secret, ...key } = await response.json();
    expect(key).toMatchObject({
      name: 'Website',
      scopes: ['knowledge:read', 'chat'],
      projectId: tenant.projectId,
      createdBy: 'key:Provisioning',
      expiresAt: null,
      revokedAt: null,
    });
    expect((await clientOf(secret).get('/knowledge/documents')).status).toBe(200);
    const { data } = await (await client.get('/keys')).json();
    expect(data[0]).toEqual({ ...key, lastUsedAt: expect.any(String) });
  });

  test('refuses a scope that the calling key lacks, and creates nothing', async () => {
    const error = await expectErrorBody(create(client, { scopes: ['chat', 'knowledge:write'] }));
    expect(error).toMatchObject({
      statusCode: 403,
      code: 'SCOPE_MISSING',
      message: 'The API key lacks the scope knowledge:write',
    });
    expect(await idsOf(await client.get('/keys'))).toEqual([caller.id]);
  });

  test('refuses an org-wide key to a key of a project', async () => {
    const error = await expectErrorBody(create(client, { isOrgWide: true }));
    expect(error).toMatchObject({ statusCode: 403, code: 'PROJECT_FORBIDDEN' });
  });

  test('an org-wide key creates keys of a project and org-wide ones', async () => {
    const wide = (await newKey({ scopes, projectId: null })).client;
    const { projectId } = tenant;
    const ofProject = await (await create(wide, { projectId })).json();
    expect(ofProject).toMatchObject({ projectId });
    const orgWide = await (await create(wide, { projectId, isOrgWide: true })).json();
    expect(orgWide).toMatchObject({ projectId: null });
    const foreign = await service.createTenant();
    for (const isOrgWide of [false, true]) {
      const body = { projectId: foreign.projectId, isOrgWide };
      expect(await expectErrorBody(create(wide, body))).toMatchObject({ statusCode: 404 });
    }
  });

  test('a key that expires creates only keys that expire no later', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const short = (await newKey({ scopes, expiresAt })).client;
    expect(await (await create(short)).json()).toMatchObject({
      expiresAt: expiresAt.toISOString(),
    });
    const later = new Date(expiresAt.getTime() + 1).toISOString();
    expect(await expectErrorBody(create(short, { expiresAt: later }))).toMatchObject({
      statusCode: 403,
      code: 'FORBIDDEN',
    });
    const path = `/keys/${caller.id}/rotate`;
    expect(await expectErrorBody(short.post(path))).toMatchObject({ statusCode: 403 });
  });

  test('refuses a key that was replaced, also during the overlap', async () => {
    const { status } = await client.post(`/keys/${caller.id}/rotate`, { overlapSeconds: 60 });
    expect(status).toBe(201);
    expect(await expectErrorBody(create(client))).toMatchObject({ code: 'FORBIDDEN' });
    expect((await client.get('/keys')).status).toBe(200);
  });

  test('stops at 100 active keys of the organization', async () => {
    const { organizationId, projectId } = tenant;
    const rows = Array.from({ length: 99 }, (_, n) => ({
      ...{ id: newId(), organizationId, projectId, name: `Key ${n}`, scopes: ['CHAT' as const] },
      ...{ prefix: 'sk_', lastFour: '0000', hash: randomBytes(32), createdBy: 'test' },
    }));
    await service.system.db.apiKey.createMany({ data: rows });
    expect(await expectErrorBody(create(client))).toMatchObject({ code: 'CONFLICT' });
    expect((await client.post(`/keys/${rows[0]?.id}/rotate`)).status).toBe(201);
  });

  test('refuses an expiry that no calendar shows', async () => {
    const expiresAt = '9999-12-31T23:59:59-01:00';
    expect(await expectErrorBody(create(client, { expiresAt }))).toMatchObject({
      message: ['expiresAt must be in the year 9999 or earlier'],
    });
  });

  test('refuses an expiry in the past', async () => {
    const past = await expectErrorBody(create(client, { expiresAt: '2020-01-01T00:00:00Z' }));
    expect(past.message).toEqual(['expiresAt must be in the future']);
  });

  test('with an Idempotency-Key, creates one key and stores no secret', async () => {
    const header = { 'Idempotency-Key': newId() };
    const first = await (await create(client, {}, header)).text();
    const again = await create(client, {}, header);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await again.text()).toBe(first);
    const { rows } = await service.adapters.pool.query<{ body: string }>(
      'select body from grounded.idempotency_keys where idempotency_key = $1',
      [header['Idempotency-Key']],
    );
    expect(rows[0]?.body).not.toContain(JSON.parse(first).secret);
    expect(await idsOf(await client.get('/keys'))).toHaveLength(2);
  });
});

describe('rotate and revoke', () => {
  test('does not rotate a key with more scopes', async () => {
    const strong = await newKey({ scopes: ['CHAT', 'KNOWLEDGE_WRITE'] });
    expect(await expectErrorBody(client.post(`/keys/${strong.id}/rotate`))).toMatchObject({
      statusCode: 403,
      code: 'SCOPE_MISSING',
    });
  });

  test('revokes a key at once, again without a change, and itself', async () => {
    const other = await newKey({ scopes: ['CHAT'] });
    const first = await (await client.post(`/keys/${other.id}/revoke`)).json();
    expect(first).toMatchObject({ id: other.id, revokedAt: expect.any(String) });
    expect(await expectErrorBody(other.client.get('/usage'))).toMatchObject({ statusCode: 401 });
    const again = await client.post(`/keys/${other.id}/revoke`);
    expect(await again.json()).toEqual(first);
    expect((await client.post(`/keys/${caller.id}/revoke`)).status).toBe(200);
    expect(await expectErrorBody(client.get('/keys'))).toMatchObject({ statusCode: 401 });
  });

  test('records each change in the audit log, with the key as actor', async () => {
    const { id } = await (await create(client)).json();
    await client.post(`/keys/${id}/rotate`);
    await client.post(`/keys/${id}/revoke`);
    const entries = await service.system.db.auditEntry.findMany({
      where: { targetId: id },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action }) => action)).toEqual([
      'API_KEY_CREATED',
      'API_KEY_ROTATED',
      'API_KEY_REVOKED',
    ]);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        actorType: 'API_KEY',
        actorId: caller.id,
        actorName: 'Provisioning',
        ipAddress: '127.0.0.1',
      });
      expect(JSON.stringify(entry)).not.toContain('sk_');
    }
  });
});

describe('reach', () => {
  test('a key of a project sees keys of this project only', async () => {
    const wide = await newKey({ scopes, projectId: null });
    expect(await idsOf(await client.get('/keys'))).toEqual([caller.id]);
    const { projectId } = tenant;
    const seen = await idsOf(await wide.client.get(`/keys?projectId=${projectId}`));
    expect(seen).toEqual([wide.id, caller.id]);
    for (const verb of ['rotate', 'revoke']) {
      expect(await expectErrorBody(client.post(`/keys/${wide.id}/${verb}`))).toMatchObject({
        statusCode: 404,
        message: 'API key not found',
      });
    }
  });
});
