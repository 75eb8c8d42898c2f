import type { Context } from '../context.ts';
import { newId } from '../ids.ts';
import { transactionSql } from '../run-sql.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import type { WebhookEventData, WebhookEventType } from './webhook-types.ts';

/**
 * Records an event and orders its delivery to every endpoint of the project that wants its type and is not
 * disabled. To be called in the transaction of what happened: all of it commits, or nothing.
 */
export async function publishWebhookEvent<T extends WebhookEventType>(
  context: Context,
  event: { readonly projectId: string; readonly type: T; readonly data: WebhookEventData[T] },
): Promise<void> {
  const { db } = context;
  const { projectId, type, data } = event;
  const eventId = newId();
  await db.webhookEvent.create({ data: { id: eventId, projectId, type, data } });
  const endpoints = await transactionSql(db).query(subscribedEndpoints, [projectId, type]);
  for (const endpoint of endpoints) {
    const delivery = await db.webhookDelivery.create({
      data: { id: newId(), projectId, eventId, endpointId: String(endpoint.id) },
    });
    await enqueueDelivery(context, delivery);
  }
}

/** The lock makes an endpoint that is being deleted at this moment no endpoint, rather than a broken reference. */
const subscribedEndpoints = `
  select id from grounded.webhook_endpoints
  where project_id = $1::uuid and disabled_at is null and $2::text = any (types)
  order by id
  for key share`;
