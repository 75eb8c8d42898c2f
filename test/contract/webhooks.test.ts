import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { webhookEventTypes } from '../../src/domain/webhooks/webhook-event-types.ts';
import { newId } from '../../src/platform/ids.ts';
import { type RestClient, restClient } from '../support/api/rest-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const scopes = ['WEBHOOKS_WRITE'] as const;

let service: TestService;
let receiver: WebhookReceiver;
let tenant: Tenant;
let client: RestClient;
let webhookId: string;

beforeAll(async () => {
  service = await sharedService();
  receiver = await startWebhookReceiver();
});

afterAll(() => receiver?.close());

beforeEach(async () => {
  tenant = await service.createTenant();
  const { organizationId, projectId } = tenant;
  const input = { organizationId, projectId, name: 'Provisioning', scopes };
  client = clientOf((await createApiKey(service.system, input)).secret);
  webhookId = (await (await create()).json()).id;
});

function clientOf(key: string): RestClient {
  return restClient(`${service.url}/api/v1`, key);
}

function create(body: object = {}, idempotencyKey?: string): Promise<Response> {
  const headers = idempotencyKey === undefined ? undefined : { 'Idempotency-Key': idempotencyKey };
  return client.post('/webhooks', { url: receiver.url, ...body }, headers);
}

describe('webhooks', () => {
  test('creates a webhook with its secret, for all events unless some are named', async () => {
    const response = await create({ types: ['message.created', 'message.created'] });
    expect(response.status).toBe(201);
    const { secret, ...webhook } = await response.json();
    expect(secret).toMatch(/^whsec_/);
    expect(webhook).toMatchObject({
      projectId: tenant.projectId,
      url: receiver.url,
      types: ['message.created'],
      isEnabled: true,
      disabledAt: null,
    });
    expect(await (await client.get(`/webhooks/${webhook.id}`)).json()).toEqual(webhook);
    const { types } = await (await client.get(`/webhooks/${webhookId}`)).json();
    expect(types).toEqual(webhookEventTypes);
  });

  test('lists them, newest first, without secrets', async () => {
    const { id } = await (await create()).json();
    const text = await (await client.get('/webhooks?limit=1')).text();
    expect(text).not.toContain('whsec_');
    expect(JSON.parse(text)).toMatchObject({
      data: [{ id }],
      page: 1,
      limit: 1,
      total: 2,
      totalPages: 2,
      hasMore: true,
    });
    const second = await (await client.get('/webhooks?limit=1&page=2')).json();
    expect(second).toMatchObject({ data: [{ id: webhookId }], hasMore: false });
  });

  test('rotates the secret', async () => {
    const response = await client.post(`/webhooks/${webhookId}/rotate-secret`, {
      overlapSeconds: 60,
    });
    expect(response.status).toBe(200);
    const { secret, previousSecretExpiresAt } = await response.json();
    expect(secret).toMatch(/^whsec_/);
    const lifeMs = Date.parse(previousSecretExpiresAt) - Date.now();
    expect(lifeMs).toBeGreaterThan(0);
    expect(lifeMs).toBeLessThanOrEqual(60_000);
  });
});

describe('deliveries', () => {
  test('a test event arrives, is listed, and can be sent again with the same id', async () => {
    const before = receiver.requests.length;
    const response = await client.post(`/webhooks/${webhookId}/test`);
    expect(response.status).toBe(201);
    const delivery = await response.json();
    expect(delivery).toMatchObject({ webhookId, eventType: 'webhook.test', status: 'PENDING' });
    await receiver.waitForRequests(before + 1);
    await expect
      .poll(async () => (await client.get(`/webhooks/${webhookId}/deliveries`)).json(), {
        timeout: 10_000,
      })
      .toMatchObject({
        data: [{ id: delivery.id, status: 'DELIVERED', attempts: 1 }],
        total: 1,
      });
    const pending = await client.get(`/webhooks/${webhookId}/deliveries?status=FAILED`);
    expect(await pending.json()).toMatchObject({ data: [], total: 0 });

    const again = await client.post(`/webhooks/deliveries/${delivery.id}/redeliver`);
    expect(again.status).toBe(200);
    const requests = await receiver.waitForRequests(before + 2);
    const ids = requests.slice(before).map(({ webhookHeaders }) => webhookHeaders['webhook-id']);
    expect(ids).toEqual([delivery.eventId, delivery.eventId]);
  });
});

test('with an Idempotency-Key, returns the same secret, which the database does not contain', async () => {
  const key = newId();
  const first = await (await create({}, key)).text();
  const again = await create({}, key);
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  expect(await again.text()).toBe(first);
  const { rows } = await service.adapters.pool.query<{ body: string }>(
    'select body from grounded.idempotency_keys where idempotency_key = $1',
    [key],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.body).not.toContain(JSON.parse(first).secret);
  expect(await (await client.get('/webhooks')).json()).toMatchObject({ total: 2 });
});
