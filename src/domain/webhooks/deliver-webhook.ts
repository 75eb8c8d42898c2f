import { implementJob, type JobAttempt } from '../../platform/jobs/job.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { userAgent } from '../../platform/version.ts';
import type { WebhookMessage } from '../../platform/webhooks/webhook-sender.ts';
import { type Adapters, type Context, createSystemContext } from '../context.ts';
import {
  type DeliveryPayload,
  deliverWebhookJobType,
  failDeliveryJobType,
} from './delivery-job-types.ts';
import { recordAttempt } from './record-attempt.ts';
import { webhookBody } from './webhook-event-types.ts';
import { webhookHeaders } from './webhook-signature.ts';

/**
 * Makes one attempt of a delivery and records it. Safe to run twice: an attempt that was recorded is not made again. If
 * a worker dies before it records the attempt, the attempt is made again with the same `webhook-id`. Ignores deleted
 * deliveries. If the endpoint is disabled, marks the delivery as failed. Throws when the worker stops.
 */
export async function deliverWebhook(
  adapters: Adapters,
  { deliveryId, projectId, attempt }: DeliveryPayload,
  { signal, requestId }: Pick<JobAttempt, 'signal' | 'requestId'>,
): Promise<void> {
  const context = createSystemContext(adapters, signal, requestId);
  const due = { id: deliveryId, projectId, status: 'PENDING', attempts: attempt - 1 } as const;
  const delivery = await context.db.webhookDelivery.findFirst({
    where: due,
    ...withEventAndEndpoint,
  });
  if (delivery === null) return;
  if (delivery.endpoint.disabledAt !== null) {
    await markFailed(context, due);
    return;
  }
  const sentAt = new Date();
  const result = await adapters.webhookSender.send(buildMessage(context, delivery, sentAt), signal);
  await recordAttempt(context, delivery, { number: attempt, sentAt, result });
}

/**
 * Marks a delivery as failed if its job failed on every attempt. Otherwise the delivery would stay `PENDING`. Does
 * nothing if the delivery has changed in the meantime. A user can send the delivery again (`redeliverWebhook`).
 */
async function failDelivery(
  adapters: Adapters,
  { deliveryId, projectId, attempt }: DeliveryPayload,
  { signal, requestId }: Pick<JobAttempt, 'signal' | 'requestId'>,
): Promise<void> {
  const context = createSystemContext(adapters, signal, requestId);
  context.log.error(
    { deliveryId, attempt },
    'webhook delivery failed: its job failed on every attempt',
  );
  await markFailed(context, {
    id: deliveryId,
    projectId,
    status: 'PENDING',
    attempts: attempt - 1,
  });
}

export const deliverWebhookJob = implementJob(deliverWebhookJobType, deliverWebhook);
export const failDeliveryJob = implementJob(failDeliveryJobType, failDelivery);

const withEventAndEndpoint = {
  include: { event: true, endpoint: true },
} as const satisfies Prisma.WebhookDeliveryDefaultArgs;

type Delivery = Prisma.WebhookDeliveryGetPayload<typeof withEventAndEndpoint>;

async function markFailed({ db }: Context, where: Prisma.WebhookDeliveryWhereInput): Promise<void> {
  await db.webhookDelivery.updateMany({ where, data: { status: 'FAILED', nextAttemptAt: null } });
}

function buildMessage(
  context: Context,
  { event, endpoint }: Delivery,
  sentAt: Date,
): WebhookMessage {
  const body = webhookBody(event);
  const signed = webhookHeaders(
    { id: event.id, body, sentAt },
    signingSecrets(context, endpoint, sentAt),
  );
  const headers = { 'Content-Type': 'application/json', 'User-Agent': userAgent, ...signed };
  return { url: endpoint.url, headers, body };
}

/**
 * Returns the secrets with which a message is signed. After a rotation, includes the previous secret until it expires.
 */
function signingSecrets(
  { secretBox }: Context,
  endpoint: Delivery['endpoint'],
  now: Date,
): string[] {
  const { id, secret, previousSecret, previousSecretExpiresAt } = endpoint;
  const isPreviousValid = previousSecretExpiresAt !== null && previousSecretExpiresAt > now;
  const stored = previousSecret !== null && isPreviousValid ? [secret, previousSecret] : [secret];
  return stored.map((value) => secretBox.decrypt(value, id));
}
