import { type Context, transaction } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { requireInProject } from '../organizations/require-in-project.ts';
import { transactionSql } from '../run-sql.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import type { WebhookDelivery } from './webhook-deliveries.ts';

/**
 * Sends a delivery again at once, with the `webhook-id` it had, whatever has become of it. Where that fails, the
 * schedule of tries begins anew. `query` says what is read beside it.
 * Throws `NOT_FOUND`, and `CONFLICT` while its endpoint is disabled.
 */
export async function redeliverWebhook(
  context: Context,
  input: { readonly deliveryId: string },
  query: Prisma.WebhookDeliveryDefaultArgs = {},
): Promise<WebhookDelivery> {
  const { found, project } = await requireInProject(
    context,
    'webhooks:manage',
    { what: 'Webhook delivery', id: input.deliveryId },
    (id) => context.db.webhookDelivery.findUnique({ where: { id } }),
  );
  const { id } = found;
  const projectId = project.id;
  return transaction(context, async (context) => {
    const { db } = context;
    const [reopened] = await transactionSql(db).query(reopen, [id, projectId]);
    const delivery = await db.webhookDelivery.findFirst({ ...query, where: { id, projectId } });
    if (delivery === null) throw notFound('Webhook delivery');
    if (reopened === undefined) {
      throw new DomainError('CONFLICT', 'The endpoint is disabled: enable it first');
    }
    await enqueueDelivery(context, delivery);
    return delivery;
  });
}

const reopen = `
  update grounded.webhook_deliveries delivery
  set status = 'PENDING', attempts_before = attempts, next_attempt_at = now(), updated_at = now()
  from grounded.webhook_endpoints endpoint
  where delivery.id = $1::uuid and delivery.project_id = $2::uuid
    and endpoint.id = delivery.endpoint_id and endpoint.disabled_at is null
  returning delivery.id`;
