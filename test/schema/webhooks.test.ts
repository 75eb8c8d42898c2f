import pg from 'pg';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { transaction } from '../../src/domain/context.ts';
import { publishWebhookEvent } from '../../src/domain/webhooks/publish-webhook-event.ts';
import { webhookEventTypes } from '../../src/domain/webhooks/webhook-event-types.ts';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';

let service: TestService;
let receiver: WebhookReceiver;
let admin: GraphqlClient;
let tenant: Tenant;
const logLines: string[] = [];

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => logLines.push(line) });
  service = await startTestService({ allowPrivateWebhooks: true, log });
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
});
beforeEach(async () => {
  tenant = await service.createTenant();
  admin = await tenant.member('ADMIN');
  receiver.replyWith({ status: 204 });
});

const endpointFields = `id projectId url types isEnabled isPaused disabledAt disabledReason previousSecretExpiresAt
  createdAt updatedAt`;
const documents = {
  create: `mutation ($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) { secret endpoint { ${endpointFields} } }
  }`,
  update: `mutation ($input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(input: $input) { ${endpointFields} }
  }`,
  rotate: `mutation ($input: RotateWebhookSecretInput!) {
    rotateWebhookSecret(input: $input) { secret endpoint { ${endpointFields} } }
  }`,
  remove: `mutation ($input: DeleteWebhookEndpointInput!) {
    deleteWebhookEndpoint(input: $input) { id }
  }`,
  redeliver: `mutation ($input: RedeliverWebhookInput!) {
    redeliverWebhook(input: $input) { id status attempts eventType log { number } }
  }`,
  sendTest: `mutation ($input: SendTestWebhookInput!) {
    sendTestWebhook(input: $input) { id endpointId eventType status attempts log { number } }
  }`,
  endpoints: `query ($projectId: ID!, $first: Int, $after: String) {
    webhookEndpoints(projectId: $projectId, first: $first, after: $after) {
      pageInfo { hasNextPage endCursor } edges { node { ${endpointFields} } }
    }
  }`,
  deliveries: `query ($projectId: ID!, $endpointId: ID, $status: WebhookDeliveryStatus, $first: Int, $after: String) {
    webhookDeliveries(projectId: $projectId, endpointId: $endpointId, status: $status, first: $first, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges { node {
        id projectId endpointId eventId eventType status attempts nextAttemptAt lastResponseStatus lastLatencyMs
        createdAt updatedAt
        log { number sentAt latencyMs responseStatus responseExcerpt error }
      } }
    }
  }`,
};

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly isEnabled: boolean;
  readonly isPaused: boolean;
}

interface Delivery {
  readonly id: string;
  readonly status: string;
  readonly eventId: string;
  readonly log: readonly object[];
}

async function create(extra: object = {}): Promise<{ secret: string; endpoint: Endpoint }> {
  const input = { projectId: tenant.projectId, url: receiver.url, ...extra };
  const made = await admin.data<{
    createWebhookEndpoint: { secret: string; endpoint: Endpoint };
  }>(documents.create, { input });
  return made.createWebhookEndpoint;
}

async function update(input: object): Promise<Endpoint> {
  const changed = await admin.data<{ updateWebhookEndpoint: Endpoint }>(documents.update, {
    input,
  });
  return changed.updateWebhookEndpoint;
}

async function listEndpoints(): Promise<Endpoint[]> {
  const { webhookEndpoints } = await admin.data<{
    webhookEndpoints: { edges: { node: Endpoint }[] };
  }>(documents.endpoints, { projectId: tenant.projectId });
  return webhookEndpoints.edges.map(({ node }) => node);
}

async function listDeliveries(variables: object = {}): Promise<Delivery[]> {
  const { webhookDeliveries } = await admin.data<{
    webhookDeliveries: { edges: { node: Delivery }[] };
  }>(documents.deliveries, { projectId: tenant.projectId, ...variables });
  return webhookDeliveries.edges.map(({ node }) => node);
}

async function publish(): Promise<void> {
  const { organizationId, projectId } = tenant;
  const data = {
    organizationId,
    projectId,
    conversationId: 'c',
    endUserId: null,
    handoffId: 'h',
    resolvedAt: new Date().toISOString(),
  };
  await transaction(service.system, (context) =>
    publishWebhookEvent(context, { projectId, type: 'handoff.resolved', data }),
  );
}

async function codeOf(client: GraphqlClient, document: string, variables: object) {
  return (await client.send(document, variables)).errors?.[0]?.extensions.code;
}

describe('an endpoint', () => {
  test('is created for all event types, or for the given types, each once', async () => {
    const { endpoint } = await create();
    expect(endpoint).toMatchObject({
      projectId: tenant.projectId,
      url: receiver.url,
      types: [...webhookEventTypes],
      isEnabled: true,
      disabledAt: null,
      disabledReason: null,
      previousSecretExpiresAt: null,
    });
    const types = ['document.ready', 'human.requested', 'document.ready'];
    expect((await create({ types })).endpoint.types).toEqual(['document.ready', 'human.requested']);
    const [latest, first] = await listEndpoints();
    expect([latest?.types.length, first]).toEqual([2, endpoint]);
  });

  test('is rejected with one message per invalid field', async () => {
    const messagesFor = async (extra: object) => {
      const input = { projectId: tenant.projectId, url: receiver.url, ...extra };
      const { errors } = await admin.send(documents.create, { input });
      expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
      return errors?.[0]?.extensions.messages;
    };
    const known = webhookEventTypes.join(', ');
    expect(await messagesFor({ url: 'ftp://example.com/', types: ['document.deleted'] })).toEqual([
      'url must be an http or https address',
      `types must name one or more of ${known}`,
    ]);
    expect(await messagesFor({ types: [] })).toEqual([`types must name one or more of ${known}`]);
    expect(await messagesFor({ url: 'https://user:secret@example.com/' })).toEqual([
      'url must not contain credentials',
    ]);
    expect(await messagesFor({ url: 'https://user@example.com/' })).toHaveLength(1);
    expect(await messagesFor({ url: `https://example.com/${'a'.repeat(2_000)}` })).toEqual([
      'url must be at most 2000 characters',
    ]);
    for (const url of [
      '',
      'example.com',
      '/hook',
      'javascript:1',
      'https://',
      'https://a b/',
      'https://a/\nb',
    ]) {
      expect(await messagesFor({ url })).toHaveLength(1);
    }
  });

  test('can be changed, disabled and enabled again', async () => {
    const { endpoint } = await create();
    const { id } = endpoint;
    const url = 'https://example.com/other';
    expect(await update({ id, url })).toMatchObject({ url, types: endpoint.types });
    expect(await update({ id, types: ['document.failed'] })).toMatchObject({
      url,
      types: ['document.failed'],
    });
    const disabled = await update({ id, isEnabled: false });
    expect(disabled).toMatchObject({
      isEnabled: false,
      isPaused: true,
      disabledReason: 'Disabled by hand',
    });
    expect(await update({ id, isEnabled: false })).toEqual({
      ...disabled,
      updatedAt: expect.any(String),
    });
    expect(await update({ id, isEnabled: true })).toMatchObject({
      isEnabled: true,
      isPaused: false,
      disabledAt: null,
      disabledReason: null,
    });
    expect(await codeOf(admin, documents.update, { input: { id, url: 'nowhere' } })).toBe(
      'VALIDATION_FAILED',
    );
  });

  test('is deleted together with its deliveries', async () => {
    const { endpoint } = await create({ url: 'http://127.0.0.1:1/' });
    await publish();
    expect(await listDeliveries()).toHaveLength(1);
    const input = { id: endpoint.id };
    await admin.data(documents.remove, { input });
    expect(await listEndpoints()).toEqual([]);
    expect(await listDeliveries()).toEqual([]);
    for (const document of [documents.remove, documents.update, documents.rotate]) {
      expect(await codeOf(admin, document, { input })).toBe('NOT_FOUND');
    }
  });

  test('is one of at most 20, even under concurrent creation', async () => {
    const input = { projectId: tenant.projectId, url: receiver.url };
    const codes = await Promise.all(
      Array.from({ length: 25 }, () => codeOf(admin, documents.create, { input })),
    );
    expect(codes.filter((code) => code === undefined)).toHaveLength(20);
    expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(5);
    expect(await listEndpoints()).toHaveLength(20);
  });
});

test('without the permission for private targets an endpoint URL must use https', async () => {
  const strict = await startTestService({ isWorker: false, database: service.database });
  try {
    const { projectId } = await strict.createTenant();
    const client = graphqlClient(strict.url, await strict.token({ role: 'service_role' }));
    const input = { projectId, url: 'http://example.com/hook' };
    const { errors } = await client.send(documents.create, { input });
    expect(errors?.[0]?.extensions.messages).toEqual([
      'url must be an https address. For development, ALLOW_PRIVATE_WEBHOOKS=true allows http and private addresses',
    ]);
    const made = await client.send(documents.create, {
      input: { projectId, url: 'https://example.com/' },
    });
    expect(made.errors).toBeUndefined();
  } finally {
    await strict.stop();
  }
});

describe('a secret', () => {
  test('is shown only at its creation, in the format of Standard Webhooks', async () => {
    const { secret, endpoint } = await create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    const input = { id: endpoint.id, overlapSeconds: 60 };
    const rotated = await admin.send(documents.rotate, { input });
    expect(JSON.stringify(rotated)).not.toContain(secret);
    const later = [
      await admin.send(documents.endpoints, { projectId: tenant.projectId }),
      await admin.send(documents.update, { input: { id: endpoint.id } }),
      await admin.send(documents.deliveries, { projectId: tenant.projectId }),
    ];
    expect(JSON.stringify(later)).toContain(endpoint.id);
    expect(JSON.stringify(later)).not.toContain('whsec_');
  });

  test('never appears in the log, and neither does the content of an endpoint URL', async () => {
    const token = 'token-in-the-address';
    const { secret, endpoint } = await create({ url: `${receiver.url}?key=${token}` });
    receiver.replyWith({ status: 500, body: [token] });
    await publish();
    await expect.poll(async () => (await listDeliveries())[0]?.log).toHaveLength(1);
    await create({ url: `http://127.0.0.1:1/${token}` });
    await publish();
    await expect.poll(async () => (await listDeliveries())[0]?.log).toHaveLength(1);
    const logged = logLines.join('');
    expect(logged).toContain('webhook delivery attempted');
    expect(logged).not.toContain(secret.slice(6));
    expect(logged).not.toContain(token);
    await update({ id: endpoint.id, isEnabled: false });
  });
});

describe('deliveries', () => {
  test('contain their event, status and every attempt', async () => {
    const { endpoint, secret } = await create();
    receiver.replyWith({ status: 418, body: ['short and stout'] });
    const before = receiver.requests.length;
    await publish();
    await expect.poll(async () => (await listDeliveries())[0]?.log).toHaveLength(1);
    const [delivery] = await listDeliveries();
    expect(delivery).toMatchObject({
      projectId: tenant.projectId,
      endpointId: endpoint.id,
      eventType: 'handoff.resolved',
      status: 'PENDING',
      attempts: 1,
      nextAttemptAt: expect.any(String),
      lastResponseStatus: 418,
      lastLatencyMs: expect.any(Number),
      log: [
        {
          number: 1,
          responseStatus: 418,
          responseExcerpt: 'short and stout',
          error: 'The response status was 418',
        },
      ],
    });
    const request = receiver.requests[before];
    expect(request?.headers['webhook-id']).toBe(delivery?.eventId);
    new Webhook(secret).verify(request?.body ?? '', request?.webhookHeaders ?? {});
  });

  test('contain what was sent, for who may also read conversations, and are found by event', async () => {
    await create();
    const before = receiver.requests.length;
    await publish();
    await receiver.waitForRequests(before + 1);
    const query = `query ($projectId: ID!, $eventType: String) {
      webhookDeliveries(projectId: $projectId, eventType: $eventType, first: 5) {
        edges { node { body } }
      }
    }`;
    const bodies = async (client: GraphqlClient, eventType: string) => {
      const { data, errors } = await client.send(query, { projectId: tenant.projectId, eventType });
      return { code: errors?.[0]?.extensions.code, deliveries: data?.webhookDeliveries };
    };
    const sent = { node: { body: receiver.requests[before]?.body } };
    expect(await bodies(admin, 'handoff.resolved')).toEqual({ deliveries: { edges: [sent] } });
    expect(await bodies(admin, 'human.requested')).toEqual({ deliveries: { edges: [] } });
    const key = await tenant.graphql({ scopes: ['WEBHOOKS_WRITE'] });
    const refused = { code: 'SCOPE_MISSING', deliveries: { edges: [{ node: { body: null } }] } };
    expect(await bodies(key, 'handoff.resolved')).toEqual(refused);
  });

  test('load the attempts of all deliveries in one statement', async () => {
    await create({ url: 'http://127.0.0.1:1/' });
    for (let n = 0; n < 10; n += 1) await publish();
    await expect
      .poll(async () => (await listDeliveries()).every(({ log }) => log.length === 1), {
        timeout: 10_000,
      })
      .toBe(true);
    const query = vi.spyOn(pg.Pool.prototype, 'query');
    try {
      expect(await listDeliveries()).toHaveLength(10);
      const texts = query.mock.calls.map(([statement]) => JSON.stringify(statement));
      const ofLogs = texts.filter((text) => /SELECT.*webhook_attempts/.test(text));
      expect(ofLogs).toHaveLength(1);
    } finally {
      query.mockRestore();
    }
  });

  test('can be sent again', async () => {
    await create();
    await publish();
    await expect.poll(async () => (await listDeliveries())[0]?.status).toBe('DELIVERED');
    const [delivery] = await listDeliveries();
    const again = await admin.data(documents.redeliver, { input: { deliveryId: delivery?.id } });
    expect(again).toMatchObject({
      redeliverWebhook: { id: delivery?.id, status: 'PENDING', attempts: 1, log: [{ number: 1 }] },
    });
    // The endpoints of other tests may receive events at the same time.
    const received = () =>
      receiver.requests.filter(({ headers }) => headers['webhook-id'] === delivery?.eventId);
    await expect.poll(received).toHaveLength(2);
    await expect.poll(async () => (await listDeliveries())[0]?.log).toHaveLength(2);
  });

  test('can test an endpoint, regardless of its event types, with a signed test event', async () => {
    const { endpoint, secret } = await create({ types: ['document.failed'] });
    const other = await create();
    const before = receiver.requests.length;
    const input = { endpointId: endpoint.id };
    const { sendTestWebhook } = await admin.data<{ sendTestWebhook: Delivery }>(
      documents.sendTest,
      { input },
    );
    expect(sendTestWebhook).toMatchObject({
      endpointId: endpoint.id,
      eventType: 'webhook.test',
      status: 'PENDING',
      attempts: 0,
      log: [],
    });
    const request = (await receiver.waitForRequests(before + 1))[before];
    const { projectId } = tenant;
    expect(new Webhook(secret).verify(request?.body ?? '', request?.webhookHeaders ?? {})).toEqual({
      type: 'webhook.test',
      timestamp: expect.stringMatching(/Z$/),
      data: { projectId, endpointId: endpoint.id },
    });
    await expect
      .poll(listDeliveries)
      .toMatchObject([{ id: sendTestWebhook.id, status: 'DELIVERED', log: [{ number: 1 }] }]);
    expect(await listDeliveries({ endpointId: other.endpoint.id })).toEqual([]);
    expect(request?.headers['webhook-id']).toBe((await listDeliveries())[0]?.eventId);

    await update({ id: endpoint.id, isEnabled: false });
    expect(await codeOf(admin, documents.sendTest, { input })).toBe('CONFLICT');
    expect(await listDeliveries()).toHaveLength(1);
    const types = ['webhook.test'];
    expect(await codeOf(admin, documents.update, { input: { id: endpoint.id, types } })).toBe(
      'VALIDATION_FAILED',
    );
  });

  test('are listed newest first, by page, endpoint and status', async () => {
    const first = await create();
    for (let n = 0; n < 3; n += 1) await publish();
    const second = await create();
    await publish();
    const ids = (await listDeliveries()).map(({ id }) => id);
    expect(ids).toHaveLength(5);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const page = await admin.data<{
      webhookDeliveries: { pageInfo: { endCursor: string; hasNextPage: boolean } };
    }>(documents.deliveries, { projectId: tenant.projectId, first: 2 });
    const { endCursor: after, hasNextPage } = page.webhookDeliveries.pageInfo;
    expect(hasNextPage).toBe(true);
    expect((await listDeliveries({ after })).map(({ id }) => id)).toEqual(ids.slice(2));
    expect(await listDeliveries({ endpointId: second.endpoint.id })).toHaveLength(1);
    expect(await listDeliveries({ endpointId: first.endpoint.id })).toHaveLength(4);
    await expect.poll(() => listDeliveries({ status: 'DELIVERED' })).toHaveLength(5);
    expect(await listDeliveries({ status: 'FAILED' })).toEqual([]);
    expect(
      await codeOf(admin, documents.deliveries, { projectId: tenant.projectId, endpointId: 'x' }),
    ).toBe('NOT_FOUND');
  });
});

test('an endpoint of one project receives no events of another', async () => {
  const before = receiver.requests.length;
  await create();
  const own = tenant;
  tenant = await service.createTenant();
  await publish();
  tenant = own;
  await publish();
  const requests = await receiver.waitForRequests(before + 1);
  expect(JSON.parse(requests[before]?.body ?? '').data.projectId).toBe(own.projectId);
  expect(
    await service.system.db.webhookDelivery.count({
      where: {
        endpoint: { projectId: { not: own.projectId } },
        event: { projectId: own.projectId },
      },
    }),
  ).toBe(0);
});
