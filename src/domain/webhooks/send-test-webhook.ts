import { DomainError, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { type Context, transaction } from '../context.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import { lockEndpoint } from './lock-endpoint.ts';
import type { WebhookDelivery } from './webhook-deliveries.ts';
import { getWebhookEndpoint } from './webhook-endpoints.ts';
import { webhookTestEventType } from './webhook-event-types.ts';

/**
 * Sends a test event to one endpoint, even if the endpoint does not subscribe to this type. Signing, retries and
 * logging are the same as for other events. `query` selects related rows.
 * @throws DomainError NOT_FOUND when the endpoint is unknown
 * @throws DomainError CONFLICT when the endpoint is disabled
 */
export async function sendTestWebhook(
  context: Context,
  input: { readonly endpointId: string; readonly projectId?: string | null },
  query: Prisma.WebhookDeliveryDefaultArgs = {},
): Promise<WebhookDelivery> {
  const { id: endpointId, projectId } = await getWebhookEndpoint(context, {
    id: input.endpointId,
    projectId: input.projectId ?? null,
  });
  return transaction(context, async (context) => {
    const { db } = context;
    const endpoint = await lockEndpoint(db, { id: endpointId, projectId });
    if (endpoint === null) throw notFound('Webhook endpoint');
    if (endpoint.isDisabled) {
      throw new DomainError('CONFLICT', 'The endpoint is disabled: enable it first');
    }
    const data = { projectId, endpointId };
    const event = { id: newId(), projectId, type: webhookTestEventType, data };
    await db.webhookEvent.create({ data: event });
    const delivery = await db.webhookDelivery.create({
      ...query,
      data: { id: newId(), projectId, eventId: event.id, endpointId },
    });
    await enqueueDelivery(context, delivery);
    return delivery;
  });
}
