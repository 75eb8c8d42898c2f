import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Adapters, transaction } from '../../../src/domain/context.ts';
import { createWebhookEndpoint } from '../../../src/domain/webhooks/create-webhook-endpoint.ts';
import { deliverWebhook } from '../../../src/domain/webhooks/deliver-webhook.ts';
import type { DeliveryPayload } from '../../../src/domain/webhooks/delivery-job-types.ts';
import { publishWebhookEvent } from '../../../src/domain/webhooks/publish-webhook-event.ts';
import { redeliverWebhook } from '../../../src/domain/webhooks/redeliver-webhook.ts';
import { rotateWebhookSecret } from '../../../src/domain/webhooks/rotate-webhook-secret.ts';
import { updateWebhookEndpoint } from '../../../src/domain/webhooks/webhook-endpoints.ts';
import { userAgent } from '../../../src/platform/version.ts';
import { createHttpWebhookSender } from '../../../src/platform/webhooks/http-webhook-sender.ts';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/servers/webhook-receiver.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

/** This service runs no jobs. The tests run them. */
let service: TestService;
let projectId: string;
let receiver: WebhookReceiver;
let endpointId: string;
let secret: string;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});

beforeEach(async () => {
  ({ projectId } = await service.createTenant());
  receiver = await startWebhookReceiver();
  ({ id: endpointId, secret } = await addEndpoint(receiver.url));
});
afterEach(() => receiver?.close());

async function addEndpoint(url: string): Promise<{ id: string; secret: string }> {
  const made = await createWebhookEndpoint(service.system, { projectId, url });
  return { id: made.endpoint.id, secret: made.secret };
}

const attempt = { signal: new AbortController().signal, requestId: null };

function dataOf(name: string) {
  return {
    organizationId: 'o',
    projectId,
    documentId: 'd',
    name,
    chunkCount: 1,
    tokenCount: 2,
    processedAt: new Date().toISOString(),
  };
}

/** Publishes an event, and returns the job that delivers it to the endpoint. */
async function publish(name = 'Pool.md'): Promise<DeliveryPayload> {
  const event = { projectId, type: 'document.ready', data: dataOf(name) } as const;
  await transaction(service.system, (context) => publishWebhookEvent(context, event));
  const delivery = await service.system.db.webhookDelivery.findFirstOrThrow({
    where: { projectId, endpointId },
    orderBy: { id: 'desc' },
  });
  return latestJobData(delivery.id);
}

interface QueuedJob {
  readonly data: DeliveryPayload;
  readonly group: string;
  readonly delaySeconds: number;
}

async function listQueuedJobs(deliveryId: string): Promise<QueuedJob[]> {
  const { rows } = await service.adapters.pool.query(
    `select data, group_id as group, extract(epoch from start_after - created_on)::float as "delaySeconds"
     from grounded_jobs.job where name = 'deliver-webhook' and data ->> 'deliveryId' = $1
     order by created_on, (data ->> 'attempt')::int`,
    [deliveryId],
  );
  return rows;
}

async function latestJobData(deliveryId: string): Promise<DeliveryPayload> {
  const order = (await listQueuedJobs(deliveryId)).at(-1);
  if (order === undefined) throw new Error('There is no order');
  return order.data;
}

function deliver(order: DeliveryPayload, adapters: Adapters = service.adapters) {
  return deliverWebhook(adapters, order, attempt);
}

/** Runs the latest job of a delivery `times` times. */
async function deliverTimes(deliveryId: string, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await deliver(await latestJobData(deliveryId));
}

function stored(deliveryId: string) {
  return service.system.db.webhookDelivery.findUniqueOrThrow({
    where: { id: deliveryId },
    include: { log: { orderBy: { number: 'asc' } }, endpoint: true },
  });
}

function verified({ body, webhookHeaders }: ReceivedWebhook, by = secret): unknown {
  return new Webhook(by).verify(body, webhookHeaders);
}

function withTimeout(timeoutMs: number): Adapters {
  const webhookSender = createHttpWebhookSender({ allowsPrivateTargets: true, timeoutMs });
  return { ...service.adapters, webhookSender };
}

/** Delays in seconds before each retry, as the API documentation states. */
const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

describe('a message', () => {
  test('is a POST that verifies with Standard Webhooks and contains type, time and data', async () => {
    const order = await publish('Käse & 🧀.md');
    await deliver(order);
    const [request] = await receiver.waitForRequests(1);
    if (request === undefined) throw new Error('no request');
    expect(request).toMatchObject({ method: 'POST', path: '/hook' });
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': userAgent,
      'content-length': String(Buffer.byteLength(request.body)),
    });
    const event = await service.system.db.webhookEvent.findFirstOrThrow({ where: { projectId } });
    expect(request.headers['webhook-id']).toBe(event.id);
    expect(Math.abs(Number(request.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(
      5,
    );
    expect(request.headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(verified(request)).toEqual({
      type: 'document.ready',
      timestamp: event.occurredAt.toISOString(),
      data: event.data,
    });
    expect(event.data).toMatchObject({ name: 'Käse & 🧀.md' });

    const delivery = await stored(order.deliveryId);
    expect(delivery).toMatchObject({
      status: 'DELIVERED',
      attempts: 1,
      nextAttemptAt: null,
      responseStatus: 204,
      latencyMs: expect.any(Number),
      log: [{ number: 1, responseStatus: 204, responseExcerpt: '', error: null }],
    });
    expect(await listQueuedJobs(order.deliveryId)).toHaveLength(1);
  });

  test('does not verify after a modification', async () => {
    await deliver(await publish());
    const [request] = await receiver.waitForRequests(1);
    if (request === undefined) throw new Error('no request');
    const changed = { ...request, body: request.body.replace('Pool', 'Bar') };
    expect(() => verified(changed)).toThrow('No matching signature');
  });

  test.each([200, 201, 202, 299])('answered with %i is delivered', async (status) => {
    receiver.replyWith({ status, body: ['thank you'] });
    const order = await publish();
    await deliver(order);
    expect(await stored(order.deliveryId)).toMatchObject({
      status: 'DELIVERED',
      log: [{ responseStatus: status, responseExcerpt: 'thank you' }],
    });
  });

  test.each([304, 400, 401, 404, 429, 500, 503])('answered with %i is retried', async (status) => {
    receiver.replyWith({ status });
    const order = await publish();
    await deliver(order);
    expect(await stored(order.deliveryId)).toMatchObject({
      status: 'PENDING',
      responseStatus: status,
      log: [{ error: expect.stringContaining(String(status)) }],
    });
    expect(await latestJobData(order.deliveryId)).toMatchObject({ attempt: 2 });
  });

  test('without a connection is retried', async () => {
    await receiver.close();
    const order = await publish();
    await deliver(order);
    expect(await stored(order.deliveryId)).toMatchObject({
      status: 'PENDING',
      responseStatus: null,
      log: [{ error: 'The connection was refused', responseExcerpt: null }],
    });
  });

  test('is not forwarded to the target of a redirect', async () => {
    const elsewhere = await startWebhookReceiver();
    try {
      receiver.replyWith({ status: 307, headers: { Location: elsewhere.url } });
      const order = await publish();
      await deliver(order);
      expect(await stored(order.deliveryId)).toMatchObject({
        status: 'PENDING',
        log: [{ error: 'Redirects are not followed: 307' }],
      });
      expect(elsewhere.connectionCount).toBe(0);
    } finally {
      await elsewhere.close();
    }
  });
});

describe('a receiver', () => {
  test('that does not respond is abandoned after the timeout, and its connection is closed', async () => {
    receiver.replyWith('silence');
    const order = await publish();
    await deliver(order, withTimeout(300));
    expect(await stored(order.deliveryId)).toMatchObject({
      status: 'PENDING',
      log: [{ error: 'No answer within 0.3 seconds', responseStatus: null }],
    });
    const { latencyMs } = await stored(order.deliveryId);
    expect(latencyMs).toBeGreaterThanOrEqual(299);
    await receiver.requests[0]?.closed;
  });

  test('with an endless body counts by its status, and at most 4,096 bytes are stored', async () => {
    const piece = '🏖️'.repeat(1_000);
    let pieces = 0;
    const endless = function* () {
      for (;;) {
        pieces += 1;
        yield piece;
      }
    };
    receiver.replyWith({ status: 200, body: endless() });
    const order = await publish();
    await deliver(order);
    await receiver.requests[0]?.closed;
    const { status, log } = await stored(order.deliveryId);
    expect(status).toBe('DELIVERED');
    const excerpt = log[0]?.responseExcerpt ?? '';
    expect(Buffer.byteLength(excerpt)).toBeGreaterThan(4_080);
    expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(4_096);
    expect(piece.startsWith(excerpt)).toBe(true);
    // Both socket buffers together can contain less data than this.
    expect(pieces * Buffer.byteLength(piece)).toBeLessThan(20_000_000);
  });

  test('whose body stops halfway counts by its status', async () => {
    receiver.replyWith({ status: 500, body: stallingBody('half of it') });
    const order = await publish();
    await deliver(order, withTimeout(500));
    expect(await stored(order.deliveryId)).toMatchObject({
      status: 'PENDING',
      log: [
        {
          responseStatus: 500,
          responseExcerpt: 'half of it',
          error: 'The response status was 500',
        },
      ],
    });
  });

  test('may respond with bytes that are not text', async () => {
    receiver.replyWith({ status: 200, body: ['a\0b\u{d800}c'] });
    const order = await publish();
    await deliver(order);
    expect((await stored(order.deliveryId)).log[0]?.responseExcerpt).toBe('ab\ufffdc');
  });

  test.each<[string, (socket: Socket) => void]>([
    ['close the connection without a word', (socket) => socket.destroy()],
    [
      'change to another protocol',
      (socket) => {
        const answer =
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
        socket.once('data', () => socket.end(answer));
      },
    ],
  ])('may %s, which is not a response', async (_what, serve) => {
    const rude = createServer(serve).listen(0, '127.0.0.1');
    try {
      await once(rude, 'listening');
      const address = rude.address();
      const port = typeof address === 'object' ? address?.port : 0;
      await updateWebhookEndpoint(service.system, {
        id: endpointId,
        url: `http://127.0.0.1:${port}/`,
      });
      const order = await publish();
      await deliver(order);
      expect(await stored(order.deliveryId)).toMatchObject({
        status: 'PENDING',
        log: [{ error: 'The connection was closed without an answer' }],
      });
    } finally {
      rude.close();
    }
  });
});

async function* stallingBody(piece: string): AsyncIterable<string> {
  yield piece;
  await new Promise(() => {});
}

describe('a failing receiver', () => {
  test('is tried ten times at growing intervals, with the same webhook-id and a new signature', async () => {
    receiver.replyWith({ status: 500 });
    const { deliveryId } = await publish();
    await deliverTimes(deliveryId, 9);
    receiver.replyWith({ status: 200 });
    await deliverTimes(deliveryId, 1);

    expect(receiver.requests).toHaveLength(10);
    for (const request of receiver.requests) verified(request);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
    const orders = await listQueuedJobs(deliveryId);
    expect(orders.map(({ data }) => data.attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(orders[0]?.delaySeconds).toBeCloseTo(0, 3);
    const ratios = orders.slice(1).map(({ delaySeconds }, n) => delaySeconds / (waits[n] ?? 0));
    for (const ratio of ratios.slice(1)) expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(0.101);
    expect(orders[1]?.delaySeconds).toBeGreaterThanOrEqual(4);
    expect(orders[1]?.delaySeconds).toBeLessThanOrEqual(6);
    expect(new Set(ratios).size).toBeGreaterThan(1);

    const delivery = await stored(deliveryId);
    expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: 10, nextAttemptAt: null });
    expect(delivery.log.map(({ responseStatus }) => responseStatus)).toEqual([
      ...Array(9).fill(500),
      200,
    ]);
    expect(delivery.endpoint.disabledAt).toBeNull();
  });

  test('is disabled after the tenth attempt, and receives no more events', async () => {
    receiver.replyWith({ status: 500 });
    const { deliveryId } = await publish();
    const later = await publish('Later.md');
    await deliverTimes(deliveryId, 10);
    const delivery = await stored(deliveryId);
    expect(delivery).toMatchObject({ status: 'FAILED', attempts: 10, nextAttemptAt: null });
    expect(delivery.endpoint.disabledAt).not.toBeNull();
    expect(delivery.endpoint.disabledReason).toBe('All attempts of a delivery failed');
    expect(await listQueuedJobs(deliveryId)).toHaveLength(10);

    await deliver(later);
    expect(await stored(later.deliveryId)).toMatchObject({ status: 'FAILED', attempts: 0 });
    expect(receiver.requests).toHaveLength(10);
    await expect(publish('Too late.md')).resolves.toMatchObject({ deliveryId: later.deliveryId });
  });

  test('is not disabled after a single failed event', async () => {
    const { deliveryId } = await publish();
    receiver.replyWith({ status: 500 });
    await deliverTimes(deliveryId, 5);
    receiver.replyWith({ status: 200 });
    await deliver(await publish('Another.md'));
    receiver.replyWith({ status: 500 });
    await deliverTimes(deliveryId, 5);
    const delivery = await stored(deliveryId);
    expect(delivery).toMatchObject({ status: 'FAILED', attempts: 10 });
    expect(delivery.endpoint.disabledAt).toBeNull();
  });

  test('with Retry-After is not retried earlier, but within one day', async () => {
    const delayFor = async (retryAfter: string) => {
      receiver.replyWith({ status: 503, headers: { 'Retry-After': retryAfter } });
      const { deliveryId } = await publish();
      await deliverTimes(deliveryId, 1);
      return (await listQueuedJobs(deliveryId))[1]?.delaySeconds;
    };
    expect(await delayFor('120')).toBeCloseTo(120, 0);
    const inTenMinutes = await delayFor(new Date(Date.now() + 600_000).toUTCString());
    expect(inTenMinutes).toBeGreaterThan(595);
    expect(inTenMinutes).toBeLessThanOrEqual(601);
    expect(await delayFor('99999999999')).toBeCloseTo(86_400, 0);
    for (const empty of ['0', '-5', 'soon', '', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
      expect(await delayFor(empty)).toBeLessThanOrEqual(6);
    }
  });

  test('with 410 is disabled at once', async () => {
    receiver.replyWith({ status: 410 });
    const order = await publish();
    await deliver(order);
    const delivery = await stored(order.deliveryId);
    expect(delivery).toMatchObject({ status: 'FAILED', attempts: 1, responseStatus: 410 });
    expect(delivery.endpoint.disabledReason).toBe('The endpoint responded with 410 Gone');
    expect(await listQueuedJobs(order.deliveryId)).toHaveLength(1);

    await updateWebhookEndpoint(service.system, { id: endpointId, isEnabled: true });
    receiver.replyWith({ status: 200 });
    await deliver(await publish());
    expect(receiver.requests).toHaveLength(2);
  });

  test('with 410 does not disable an endpoint whose URL was changed in the meantime', async () => {
    receiver.replyWith({ status: 410 });
    const order = await publish();
    const { webhookSender } = service.adapters;
    const moving: Adapters = {
      ...service.adapters,
      webhookSender: {
        ...webhookSender,
        async send(message, signal) {
          const answer = await webhookSender.send(message, signal);
          await updateWebhookEndpoint(service.system, {
            id: endpointId,
            url: 'https://new.example/',
          });
          return answer;
        },
      },
    };
    await deliver(order, moving);
    expect((await stored(order.deliveryId)).endpoint.disabledAt).toBeNull();
  });
});

describe('an attempt', () => {
  test('whose worker died before recording it is repeated with the same webhook-id', async () => {
    const order = await publish();
    const { webhookSender } = service.adapters;
    const dying: Adapters = {
      ...service.adapters,
      webhookSender: {
        ...webhookSender,
        async send(message, signal) {
          await webhookSender.send(message, signal);
          throw new Error('killed');
        },
      },
    };
    await expect(deliver(order, dying)).rejects.toThrow('killed');
    await deliver(order);
    const [first, second] = await receiver.waitForRequests(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const delivery = await stored(order.deliveryId);
    expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: 1 });
    expect(delivery.log).toHaveLength(1);
  });

  test('that runs twice concurrently is recorded once, with one follow-up', async () => {
    receiver.replyWith({ status: 500 });
    const order = await publish();
    await Promise.all([deliver(order), deliver(order), deliver(order)]);
    const delivery = await stored(order.deliveryId);
    expect(delivery).toMatchObject({ status: 'PENDING', attempts: 1 });
    expect(delivery.log).toHaveLength(1);
    expect(await listQueuedJobs(order.deliveryId)).toHaveLength(2);
  });

  test('that is recorded is not repeated', async () => {
    const order = await publish();
    await deliver(order);
    await deliver(order);
    expect(receiver.requests).toHaveLength(1);
  });

  test('is aborted when the worker stops, and not counted', async () => {
    receiver.replyWith('silence');
    const order = await publish();
    const stopping = new AbortController();
    const running = deliverWebhook(service.adapters, order, {
      ...attempt,
      signal: stopping.signal,
    });
    await receiver.waitForRequests(1);
    stopping.abort(new Error('stopping'));
    await expect(running).rejects.toThrow('stopping');
    expect(await stored(order.deliveryId)).toMatchObject({
      status: 'PENDING',
      attempts: 0,
      log: [],
    });
  });

  test('of a deleted delivery or endpoint is not made', async () => {
    const order = await publish();
    await service.system.db.webhookEndpoint.delete({ where: { id: endpointId } });
    await deliver(order);
    const other = await service.createTenant();
    await addEndpoint(receiver.url);
    expect(receiver.connectionCount).toBe(0);
    await deliver({ ...order, projectId: other.projectId });
    expect(receiver.connectionCount).toBe(0);
  });

  test('uses the current URL and secret of its endpoint', async () => {
    const elsewhere = await startWebhookReceiver();
    try {
      const order = await publish();
      await updateWebhookEndpoint(service.system, { id: endpointId, url: elsewhere.url });
      const rotated = await rotateWebhookSecret(service.system, {
        id: endpointId,
        overlapSeconds: 0,
      });
      await deliver(order);
      const [request] = await elsewhere.waitForRequests(1);
      if (request === undefined) throw new Error('no request');
      verified(request, rotated.secret);
      expect(() => verified(request)).toThrow('No matching signature');
      expect(receiver.connectionCount).toBe(0);
    } finally {
      await elsewhere.close();
    }
  });
});

describe('a rotated secret', () => {
  test('signs together with the new one until the overlap ends', async () => {
    const rotated = await rotateWebhookSecret(service.system, { id: endpointId });
    expect(rotated.secret).not.toBe(secret);
    const overlapMs = Number(rotated.endpoint.previousSecretExpiresAt) - Date.now();
    expect(Math.abs(overlapMs - 86_400_000)).toBeLessThan(60_000);

    await deliver(await publish());
    const [both] = await receiver.waitForRequests(1);
    if (both === undefined) throw new Error('no request');
    expect(both.webhookHeaders['webhook-signature']?.split(' ')).toHaveLength(2);
    verified(both, secret);
    verified(both, rotated.secret);

    await service.system.db.webhookEndpoint.update({
      where: { id: endpointId },
      data: { previousSecretExpiresAt: new Date() },
    });
    await deliver(await publish());
    const [, one] = await receiver.waitForRequests(2);
    if (one === undefined) throw new Error('no request');
    verified(one, rotated.secret);
    expect(() => verified(one, secret)).toThrow('No matching signature');
  });

  test('is replaced once by concurrent rotations', async () => {
    const rotations = await Promise.allSettled(
      [1, 2, 3, 4].map(() => rotateWebhookSecret(service.system, { id: endpointId })),
    );
    const done = rotations.flatMap((one) => (one.status === 'fulfilled' ? [one.value.secret] : []));
    for (const one of rotations) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'CONFLICT' });
    }
    const row = await service.system.db.webhookEndpoint.findUniqueOrThrow({
      where: { id: endpointId },
    });
    const { secretBox } = service.system;
    expect(done).toContain(secretBox.decrypt(row.secret, endpointId));
    // If both rotations succeeded, the previous secret is the secret of the first rotation, not the original one.
    expect(done.length === 1 ? [secret] : done).toContain(
      secretBox.decrypt(row.previousSecret ?? '', endpointId),
    );
  });
});

describe('a delivery that is sent again manually', () => {
  test('has its webhook-id and a new timestamp, and every attempt is recorded', async () => {
    const { deliveryId } = await publish();
    await deliverTimes(deliveryId, 1);
    const sent = new Date(Date.now() - 60_000);
    await service.system.db.webhookAttempt.updateMany({
      where: { deliveryId },
      data: { sentAt: sent },
    });
    expect(await redeliverWebhook(service.system, { deliveryId })).toMatchObject({
      id: deliveryId,
      status: 'PENDING',
      attempts: 1,
    });
    await deliverTimes(deliveryId, 1);
    const [first, second] = await receiver.waitForRequests(2);
    if (second === undefined) throw new Error('no request');
    verified(second);
    expect(second.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(await stored(deliveryId)).toMatchObject({
      status: 'DELIVERED',
      attempts: 2,
      log: [{ number: 1 }, { number: 2 }],
    });
  });

  test('restarts the retry schedule if it fails', async () => {
    receiver.replyWith({ status: 500 });
    const { deliveryId } = await publish();
    await deliverTimes(deliveryId, 3);
    await redeliverWebhook(service.system, { deliveryId });
    await deliverTimes(deliveryId, 1);
    const [, , , waiting, again, next] = await listQueuedJobs(deliveryId);
    expect(waiting?.data.attempt).toBe(4);
    expect(again).toMatchObject({ data: { attempt: 4 } });
    expect(again?.delaySeconds).toBeCloseTo(0, 3);
    expect(next).toMatchObject({ data: { attempt: 5 } });
    expect(next?.delaySeconds).toBeLessThanOrEqual(6);
    // The attempt was already made, so the scheduled job sends nothing.
    if (waiting !== undefined) await deliver(waiting.data);
    expect(receiver.requests).toHaveLength(4);
    await deliverTimes(deliveryId, 9);
    expect(await stored(deliveryId)).toMatchObject({ status: 'FAILED', attempts: 13 });
  });

  test('during its last attempt counts that attempt as the first of the new schedule', async () => {
    receiver.replyWith({ status: 500 });
    const { deliveryId } = await publish();
    await deliverTimes(deliveryId, 9);
    const { webhookSender } = service.adapters;
    await deliver(await latestJobData(deliveryId), {
      ...service.adapters,
      webhookSender: {
        ...webhookSender,
        async send(message, signal) {
          await redeliverWebhook(service.system, { deliveryId });
          return webhookSender.send(message, signal);
        },
      },
    });
    expect(await stored(deliveryId)).toMatchObject({
      status: 'PENDING',
      attempts: 10,
      endpoint: { disabledAt: null },
    });
    const next = (await listQueuedJobs(deliveryId)).at(-1);
    expect(next).toMatchObject({ data: { attempt: 11 } });
    expect(next?.delaySeconds).toBeLessThanOrEqual(6);
  });

  test('is rejected while its endpoint is disabled', async () => {
    const { deliveryId } = await publish();
    await updateWebhookEndpoint(service.system, { id: endpointId, isEnabled: false });
    await expect(redeliverWebhook(service.system, { deliveryId })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await stored(deliveryId)).toMatchObject({ status: 'PENDING', attemptsBefore: 0 });
  });
});
