import { newId } from '../../platform/ids.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import type { WebhookEventType } from './webhook-event-types.ts';
import type { WebhookEventData } from './webhook-events.ts';

/**
 * Stores an event and enqueues its delivery to every enabled endpoint of the project that subscribes to its type.
 * Call it in the transaction of the change that the event reports.
 */
export async function publishWebhookEvent<T extends WebhookEventType>(
  context: Context,
  event: { readonly projectId: string; readonly type: T; readonly data: WebhookEventData[T] },
): Promise<void> {
  const { db } = context;
  const { projectId, type, data } = event;
  const eventId = newId();
  await db.webhookEvent.create({ data: { id: eventId, projectId, type, data } });
  const endpoints = await runSql<{ id: string }>(db, subscribedEndpoints, [projectId, type]);
  for (const endpoint of endpoints) {
    const delivery = await db.webhookDelivery.create({
      data: { id: newId(), projectId, eventId, endpointId: endpoint.id },
    });
    await enqueueDelivery(context, delivery);
  }
}

/**
 * The lock waits if an endpoint is being deleted. A deleted endpoint is then skipped, because inserting its delivery
 * would violate the foreign key.
 */
const subscribedEndpoints = `
  select id from grounded.webhook_endpoints
  where project_id = $1::uuid and disabled_at is null and $2::text = any (types)
  order by id
  for key share`;
