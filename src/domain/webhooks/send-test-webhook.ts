import { type Context, transaction } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { newId } from '../ids.ts';
import { transactionSql } from '../run-sql.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import type { WebhookDelivery } from './webhook-deliveries.ts';
import { getWebhookEndpoint } from './webhook-endpoints.ts';
import { webhookTestType } from './webhook-types.ts';

/**
 * Sends an event that nothing has happened for to one endpoint, whatever types it gets: signed, tried again and
 * recorded as every other. `query` says what is read beside it.
 * Throws `NOT_FOUND`, and `CONFLICT` while the endpoint is disabled.
 */
export async function sendTestWebhook(
  context: Context,
  input: { readonly endpointId: string },
  query: Prisma.WebhookDeliveryDefaultArgs = {},
): Promise<WebhookDelivery> {
  const { id: endpointId, projectId } = await getWebhookEndpoint(context, {
    id: input.endpointId,
  });
  return transaction(context, async (context) => {
    const { db } = context;
    const [endpoint] = await transactionSql(db).query(lockEndpoint, [endpointId, projectId]);
    if (endpoint === undefined) throw notFound('Webhook endpoint');
    if (endpoint.is_disabled === true) {
      throw new DomainError('CONFLICT', 'The endpoint is disabled: enable it first');
    }
    const data = { projectId, endpointId };
    const event = { id: newId(), projectId, type: webhookTestType, data };
    await db.webhookEvent.create({ data: event });
    const delivery = await db.webhookDelivery.create({
      ...query,
      data: { id: newId(), projectId, eventId: event.id, endpointId },
    });
    await enqueueDelivery(context, delivery);
    return delivery;
  });
}

/** The lock keeps it from being deleted before its delivery refers to it. */
const lockEndpoint = `
  select disabled_at is not null as is_disabled from grounded.webhook_endpoints
  where id = $1::uuid and project_id = $2::uuid
  for key share`;
