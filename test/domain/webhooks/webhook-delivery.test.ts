import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendMessage } from '../../../src/domain/chat/send-message.ts';
import { transaction } from '../../../src/domain/context.ts';
import { requestHandoff } from '../../../src/domain/handoff/request-handoff.ts';
import { createWebhookEndpoint } from '../../../src/domain/webhooks/create-webhook-endpoint.ts';
import { publishWebhookEvent } from '../../../src/domain/webhooks/publish-webhook-event.ts';
import type { WebhookEventType } from '../../../src/domain/webhooks/webhook-event-types.ts';
import { addDocuments } from '../../support/knowledge.ts';
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/servers/webhook-receiver.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

let service: TestService;
let projectId: string;
let organizationId: string;
const receivers: WebhookReceiver[] = [];

beforeAll(async () => {
  service = await sharedService();
});
afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
});
beforeEach(async () => {
  ({ projectId, organizationId } = await service.createTenant());
});

async function addReceiver(types?: readonly WebhookEventType[]) {
  const receiver = await startWebhookReceiver();
  receivers.push(receiver);
  const made = await createWebhookEndpoint(service.system, { projectId, url: receiver.url, types });
  return { receiver, secret: made.secret, endpointId: made.endpoint.id };
}

async function publish(messageId: string, tenant = { organizationId, projectId }): Promise<void> {
  const { projectId } = tenant;
  const data = {
    ...tenant,
    conversationId: 'c',
    endUserId: null,
    messageId,
    role: 'AGENT' as const,
    content: 'Hello',
    createdAt: new Date().toISOString(),
  };
  const event = { projectId, type: 'message.created', data } as const;
  await transaction(service.system, (context) => publishWebhookEvent(context, event));
}

/** Returns the scheduled job for this attempt of a delivery, with the delay until it starts. */
async function waitForScheduledJob(deliveryId: string, attempt: number) {
  const find = async () => {
    const { rows } = await service.adapters.pool.query(
      `select id, extract(epoch from start_after - created_on)::float as seconds
       from grounded_jobs.job
       where name = 'deliver-webhook' and state = 'created' and start_after > now()
         and data ->> 'deliveryId' = $1 and (data ->> 'attempt')::int = $2`,
      [deliveryId, attempt],
    );
    return rows[0];
  };
  return waitUntil(find, { intervalMs: 50 });
}

/**
 * Makes a scheduled job due now and notifies the workers. The job still contains the time at which it should have
 * started.
 */
async function makeDue(jobId: string): Promise<void> {
  const { pool } = service.adapters;
  await pool.query(
    `update grounded_jobs.job set start_after = now() where name = 'deliver-webhook' and id = $1`,
    [jobId],
  );
  await pool.query(
    `select pg_notify('pgboss_' || left(encode(sha224('grounded_jobs'), 'hex'), 24), 'deliver-webhook')`,
  );
}

test('a receiver that was down for nine attempts receives the event at the tenth, 75 hours later', async () => {
  const { receiver, secret } = await addReceiver();
  receiver.replyWith({ status: 503 });
  await publish('m');
  await receiver.waitForRequests(1);
  const { id } = await service.system.db.webhookDelivery.findFirstOrThrow({ where: { projectId } });
  const waits: number[] = [];
  for (let attempt = 2; attempt <= 10; attempt += 1) {
    const { id: jobId, seconds } = await waitForScheduledJob(id, attempt);
    waits.push(seconds);
    if (attempt === 10) receiver.replyWith({ status: 204 });
    await makeDue(jobId);
    await receiver.waitForRequests(attempt);
  }
  const hours = waits.reduce((sum, seconds) => sum + seconds, 0) / 3_600;
  expect(Math.abs(hours - 75.6)).toBeLessThanOrEqual(7.6);

  await waitUntil(
    async () =>
      (await service.system.db.webhookDelivery.findUnique({ where: { id } }))?.status ===
      'DELIVERED',
  );
  expect(receiver.requests).toHaveLength(10);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  for (const { body, webhookHeaders } of receiver.requests) {
    new Webhook(secret).verify(body, webhookHeaders);
  }
  const attempts = await service.system.db.webhookAttempt.findMany({ where: { deliveryId: id } });
  expect(attempts).toHaveLength(10);
}, 90_000);

test('a receiver that does not respond delays no other receiver', async () => {
  const dead = await addReceiver();
  dead.receiver.replyWith('silence');
  for (let n = 0; n < 30; n += 1) await publish(`before ${n}`);
  await dead.receiver.waitForRequests(1);

  const { receiver: healthy } = await addReceiver();
  for (let n = 0; n < 10; n += 1) {
    await publish(`after ${n}`);
    await healthy.waitForRequests(n + 1);
  }
  // All first attempts are still running. So none of the ten deliveries waited until an attempt had finished.
  expect(dead.receiver.requests.length).toBeLessThanOrEqual(4);
  const endpoint = { url: dead.receiver.url };
  expect(await service.system.db.webhookAttempt.count({ where: { delivery: { endpoint } } })).toBe(
    0,
  );
}, 60_000);

test('eight receivers of another organization that do not respond delay no receiver', async () => {
  const { organizationId: otherId, projectId: otherProjectId } = await service.createTenant();
  const other = { organizationId: otherId, projectId: otherProjectId };
  const dead = await startWebhookReceiver();
  receivers.push(dead);
  dead.replyWith('silence');
  for (let n = 0; n < 8; n += 1) {
    await createWebhookEndpoint(service.system, { projectId: other.projectId, url: dead.url });
  }
  for (let n = 0; n < 3; n += 1) await publish(`before ${n}`, other);
  await dead.waitForRequests(16);

  const { receiver: healthy } = await addReceiver();
  for (let n = 0; n < 5; n += 1) {
    await publish(`after ${n}`);
    await healthy.waitForRequests(n + 1);
  }
  // All first attempts are still running.
  expect(dead.requests).toHaveLength(16);
  await service.system.db.webhookEndpoint.deleteMany({ where: { projectId: other.projectId } });
}, 60_000);

test('a burst for one receiver arrives completely, each event once', async () => {
  const { receiver } = await addReceiver();
  const ids = Array.from({ length: 60 }, (_, n) => `message ${n}`);
  await Promise.all(ids.map((id) => publish(id)));
  const requests = await receiver.waitForRequests(ids.length);
  const told = requests.map(({ body }) => JSON.parse(body).data.messageId);
  expect(told.sort()).toEqual(ids.sort());
  expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(ids.length);
});

test('a requested handoff is delivered with the last messages of its conversation', async () => {
  const { receiver, secret } = await addReceiver(['human.requested']);
  const { conversationId } = await sendMessage(service.system, { projectId, message: 'Help!' });
  const facts = { conversationId, email: 'ada@example.com', reason: 'A refund' };
  const handoff = await requestHandoff(service.system, { projectId, ...facts });
  const [request] = await receiver.waitForRequests(1);
  expect(
    new Webhook(secret).verify(request?.body ?? '', request?.webhookHeaders ?? {}),
  ).toMatchObject({
    type: 'human.requested',
    data: {
      ...facts,
      organizationId,
      projectId,
      handoffId: handoff.id,
      lastMessages: [{ role: 'USER', content: 'Help!' }, { role: 'ASSISTANT' }],
    },
  });
});

describe('a document', () => {
  test('that is READY causes an event with its record', async () => {
    const { receiver, secret } = await addReceiver(['document.ready', 'document.failed']);
    const [document] = await addDocuments(service, projectId, {
      'Pool.md': 'The pool opens at seven.',
    });
    const [request] = await receiver.waitForRequests(1);
    const told = new Webhook(secret).verify(request?.body ?? '', request?.webhookHeaders ?? {});
    expect(told).toEqual({
      type: 'document.ready',
      timestamp: expect.any(String),
      data: {
        organizationId,
        projectId,
        documentId: document?.id,
        name: 'Pool.md',
        chunkCount: document?.chunkCount,
        tokenCount: document?.tokenCount,
        processedAt: document?.processedAt?.toISOString(),
      },
    });
  });

  test('that has FAILED causes an event with the reason', async () => {
    const { receiver } = await addReceiver(['document.failed']);
    const [document] = await addDocuments(service, projectId, { 'Blank.md': '<!-- nothing -->' });
    const [request] = await receiver.waitForRequests(1);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      type: 'document.failed',
      data: {
        documentId: document?.id,
        error: { code: 'EMPTY_TEXT', message: expect.stringContaining('no text') },
      },
    });
  });

  test('causes no event if no endpoint subscribes to it', async () => {
    const { receiver } = await addReceiver(['human.requested']);
    const { receiver: wanted } = await addReceiver(['document.ready']);
    await addDocuments(service, projectId, { 'Pool.md': 'The pool opens at seven.' });
    await wanted.waitForRequests(1);
    expect(receiver.connectionCount).toBe(0);
    expect(await service.system.db.webhookDelivery.count({ where: { projectId } })).toBe(1);
  });
});
