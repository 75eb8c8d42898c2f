import type pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { createWebhookEndpoint } from '../../../src/domain/webhooks/create-webhook-endpoint.ts';
import { recordAttempt } from '../../../src/domain/webhooks/record-attempt.ts';
import { newId } from '../../../src/platform/ids.ts';
import { serverUrl } from '../../support/database/database.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

let service: TestService;
let projectId: string;

beforeEach(async () => {
  service = await sharedService();
  ({ projectId } = await service.createTenant());
});

/** Returns a due delivery that has no job. */
async function addDelivery() {
  const { db } = service.system;
  const { endpoint } = await createWebhookEndpoint(service.system, {
    projectId,
    url: 'https://example.com',
  });
  const event = { id: newId(), projectId, type: 'webhook.test', data: {} };
  await db.webhookEvent.create({ data: event });
  return db.webhookDelivery.create({
    data: { id: newId(), projectId, eventId: event.id, endpointId: endpoint.id },
    include: { endpoint: true },
  });
}

// The embedded database runs one transaction at a time, so this test needs a server.
test.runIf(serverUrl())('a deletion and the record of an attempt do not deadlock', async () => {
  const delivery = await addDelivery();
  const deletion = await service.ownerPool.connect();
  let recorded: Promise<void>;
  try {
    await deletion.query('begin');
    await deletion.query('select from grounded.webhook_endpoints where id = $1 for update', [
      delivery.endpointId,
    ]);
    recorded = recordAttempt(service.system, delivery, {
      number: 1,
      sentAt: new Date(),
      result: { type: 'response', status: 204, excerpt: '', latencyMs: 1, retryAfter: null },
    });
    recorded.catch(() => {});
    await waitUntil(() => isAwaited(deletion), { intervalMs: 20 });
    await deletion.query('delete from grounded.webhook_endpoints where id = $1', [
      delivery.endpointId,
    ]);
    await deletion.query('commit');
  } finally {
    deletion.release();
  }
  await recorded;
  expect(await service.system.db.webhookDelivery.count({ where: { projectId } })).toBe(0);
});

/** Returns whether another session waits for a lock that the session of `client` holds. */
async function isAwaited(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query(
    'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
  );
  return rows.length > 0;
}
