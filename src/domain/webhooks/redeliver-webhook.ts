import { DomainError, notFound } from '../../platform/errors.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { type Context, transaction } from '../context.ts';
import { requireProjectResource } from '../organizations/require-project-resource.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import type { WebhookDelivery } from './webhook-deliveries.ts';

/**
 * Sends a delivery again immediately, with the same `webhook-id`. Works for every status of the delivery. If the
 * attempt fails, the retry schedule starts from the beginning. `query` selects related rows.
 * @throws DomainError NOT_FOUND when the delivery is unknown
 * @throws DomainError CONFLICT when the endpoint is disabled
 */
export async function redeliverWebhook(
  context: Context,
  input: { readonly deliveryId: string; readonly projectId?: string | null },
  query: Prisma.WebhookDeliveryDefaultArgs = {},
): Promise<WebhookDelivery> {
  const { resource: found, project } = await requireProjectResource(
    context,
    'webhooks:manage',
    { what: 'Webhook delivery', id: input.deliveryId, projectId: input.projectId ?? null },
    (id) => context.db.webhookDelivery.findUnique({ where: { id } }),
  );
  const { id } = found;
  const projectId = project.id;
  return transaction(context, async (context) => {
    const { db } = context;
    const [reopened] = await runSql(db, reopenDelivery, [id, projectId]);
    const delivery = await db.webhookDelivery.findFirst({ ...query, where: { id, projectId } });
    if (delivery === null) throw notFound('Webhook delivery');
    if (reopened === undefined) {
      throw new DomainError('CONFLICT', 'The endpoint is disabled: enable it first');
    }
    await enqueueDelivery(context, delivery);
    return delivery;
  });
}

const reopenDelivery = `
  update grounded.webhook_deliveries delivery
  set status = 'PENDING', attempts_before = attempts, next_attempt_at = now(), updated_at = now()
  from grounded.webhook_endpoints endpoint
  where delivery.id = $1::uuid and delivery.project_id = $2::uuid
    and endpoint.id = delivery.endpoint_id and endpoint.disabled_at is null
  returning delivery.id`;
