import { PgBoss } from 'pg-boss';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodeInboxCursor } from '../../src/domain/handoff/inbox-cursor.ts';
import { removeOldInboxEventsJob } from '../../src/domain/handoff/remove-old-inbox-events.ts';
import { requestHandoff } from '../../src/domain/handoff/request-handoff.ts';
import { resolveHandoff } from '../../src/domain/handoff/resolve-handoff.ts';
import { watchInbox } from '../../src/domain/handoff/watch-inbox.ts';
import { createWebhookEndpoint } from '../../src/domain/webhooks/create-webhook-endpoint.ts';
import { failDeliveryJob } from '../../src/domain/webhooks/deliver-webhook.ts';
import type { DeliveryPayload } from '../../src/domain/webhooks/delivery-job-types.ts';
import { redeliverWebhook } from '../../src/domain/webhooks/redeliver-webhook.ts';
import { removeOldWebhookEventsJob } from '../../src/domain/webhooks/remove-old-webhook-events.ts';
import { addConversation } from '../support/conversations.ts';
import { runRemoval } from '../support/run-removal.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

/** This service runs no jobs. */
let service: TestService;
let projectId: string;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  ({ projectId } = await service.createTenant());
});

const { signal } = new AbortController();

async function newHandoff(): Promise<string> {
  const conversationId = await addConversation(service, projectId);
  return (await requestHandoff(service.system, { projectId, conversationId })).id;
}

describe('inbox events', () => {
  const positions = async () => {
    const events = await service.system.db.inboxEvent.findMany({
      where: { projectId },
      orderBy: { position: 'asc' },
    });
    return events.map(({ position }) => Number(position));
  };
  const age = (handoffId: string, days: number) =>
    service.adapters.pool.query(
      `update grounded.inbox_events set created_at = now() - make_interval(days => $2) where handoff_id = $1`,
      [handoffId, days],
    );

  test('of closed handoffs are deleted after 90 days; those of open handoffs remain', async () => {
    const [ended, open, young] = [await newHandoff(), await newHandoff(), await newHandoff()];
    await resolveHandoff(service.system, { handoffId: ended });
    await resolveHandoff(service.system, { handoffId: young });
    await age(ended, 91);
    await age(open, 400);
    await age(young, 89);
    await runRemoval(removeOldInboxEventsJob, service.adapters);
    expect(await positions()).toEqual([2, 3, 5]);
  });

  test('are deleted in batches, whatever their number', async () => {
    const handoffId = await newHandoff();
    await resolveHandoff(service.system, { handoffId });
    await service.adapters.pool.query(
      `with project as (
         update grounded.projects set inbox_position = inbox_position + 1500 where id = $1::uuid
         returning id, inbox_position
       )
       insert into grounded.inbox_events (project_id, position, type, handoff_id)
       select id, inbox_position - n, 'MESSAGE', $2 from project, generate_series(0, 1499) as n`,
      [projectId, handoffId],
    );
    expect(await positions()).toHaveLength(1_502);
    await age(handoffId, 91);
    await runRemoval(removeOldInboxEventsJob, service.adapters);
    expect(await positions()).toEqual([]);
  }, 90_000);

  test('that were deleted are not skipped silently: an older cursor is CURSOR_EXPIRED', async () => {
    const [ended, open] = [await newHandoff(), await newHandoff()];
    await resolveHandoff(service.system, { handoffId: ended });
    await age(ended, 91);
    await runRemoval(removeOldInboxEventsJob, service.adapters);

    const watch = (after: number) =>
      watchInbox(service.system, { projectId, after: encodeInboxCursor(BigInt(after)) });
    for (const after of [0, 1, 2]) {
      await expect(watch(after)).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
    }
    const events = await watch(3);
    await resolveHandoff(service.system, { handoffId: open });
    expect((await events.next()).value).toMatchObject({ position: 4n, handoffId: open });
    await events.return();
  });
});

describe('webhook events', () => {
  beforeEach(async () => {
    await createWebhookEndpoint(service.system, { projectId, url: 'http://127.0.0.1:9/hook' });
  });

  /** Adds a delivery with one attempt. The event, the delivery and the attempt are `days` old. */
  const addDelivery = async (status: 'PENDING' | 'DELIVERED' | 'FAILED', days: number) => {
    await newHandoff();
    const { db } = service.system;
    const where = { projectId };
    const found = await db.webhookDelivery.findFirstOrThrow({ where, orderBy: { id: 'desc' } });
    await db.webhookAttempt.create({
      data: { deliveryId: found.id, number: 1, sentAt: new Date(), latencyMs: 1 },
    });
    const { pool } = service.adapters;
    await pool.query(
      `update grounded.webhook_deliveries set status = $2::text::grounded.webhook_delivery_status,
         updated_at = now() - make_interval(days => $3) where id = $1`,
      [found.id, status, days],
    );
    await pool.query(
      'update grounded.webhook_events set occurred_at = now() - make_interval(days => $2) where id = $1',
      [found.eventId, days],
    );
    return found;
  };

  test('that are settled are deleted after 90 days with their deliveries and attempts; others remain', async () => {
    const delivered = await addDelivery('DELIVERED', 91);
    const failed = await addDelivery('FAILED', 91);
    const pending = await addDelivery('PENDING', 400);
    const young = await addDelivery('DELIVERED', 89);
    const sentAgain = await addDelivery('FAILED', 120);
    await redeliverWebhook(service.system, { deliveryId: sentAgain.id });
    await runRemoval(removeOldWebhookEventsJob, service.adapters);

    const { db } = service.system;
    const where = { projectId };
    const kept = [pending, young, sentAgain];
    const events = await db.webhookEvent.findMany({ where, orderBy: { id: 'asc' } });
    expect(events.map(({ id }) => id)).toEqual(kept.map(({ eventId }) => eventId).sort());
    const deliveries = await db.webhookDelivery.findMany({ where, orderBy: { id: 'asc' } });
    expect(deliveries.map(({ id }) => id)).toEqual(kept.map(({ id }) => id).sort());
    const gone = { deliveryId: { in: [delivered.id, failed.id] } };
    expect(await db.webhookAttempt.count({ where: gone })).toBe(0);
  });
});

test('a delivery whose workers all crash is FAILED in the end, and can be sent again', async () => {
  await createWebhookEndpoint(service.system, { projectId, url: 'http://127.0.0.1:9/hook' });
  await newHandoff();
  const { db } = service.system;
  const { id } = await db.webhookDelivery.findFirstOrThrow({ where: { projectId } });
  await using boss = await startBoss();
  const [order] = await boss.findJobs<DeliveryPayload>('deliver-webhook', {
    data: { deliveryId: id },
  });
  if (order === undefined) throw new Error('There is no order');
  // Changes the job as if it had crashed twenty workers.
  await service.adapters.pool.query(
    'update grounded_jobs.job set retry_limit = 20, retry_count = 20, priority = 1 where id = $1',
    [order.id],
  );
  const [taken] = await boss.fetch('deliver-webhook');
  expect(taken?.id).toBe(order.id);
  await boss.fail('deliver-webhook', order.id);

  const [last] = await boss.findJobs<DeliveryPayload>('fail-delivery', {
    data: { deliveryId: id },
  });
  if (last === undefined) throw new Error('Nothing ends it');
  const attempt = { signal, isLast: false, requestId: null };
  await failDeliveryJob.run(service.adapters, last.data, attempt);
  const where = { id };
  expect(await db.webhookDelivery.findUnique({ where })).toMatchObject({
    status: 'FAILED',
    nextAttemptAt: null,
  });

  // If a delivery was started again, the job does not change it.
  await redeliverWebhook(service.system, { deliveryId: id });
  await db.webhookDelivery.update({ where, data: { attempts: 1 } });
  await failDeliveryJob.run(service.adapters, last.data, attempt);
  expect(await db.webhookDelivery.findUnique({ where })).toMatchObject({ status: 'PENDING' });
});

async function startBoss(): Promise<PgBoss & AsyncDisposable> {
  const boss = new PgBoss({
    connectionString: service.database.url,
    schema: 'grounded_jobs',
    max: 1,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  return Object.assign(boss, {
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false }),
  });
}
