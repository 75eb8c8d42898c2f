import { type Adapters, type Context, systemContext } from '../context.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { JobAttempt } from '../jobs/queue.ts';
import { recordAttempt } from './record-attempt.ts';
import type { WebhookMessage } from './webhook-sender.ts';
import { webhookHeaders } from './webhook-signature.ts';
import { webhookBody } from './webhook-types.ts';

/** Which try of which delivery. Tries count from 1. */
interface DeliveryOrder {
  readonly deliveryId: string;
  readonly projectId: string;
  readonly attempt: number;
}

/**
 * Makes one try of a delivery and records it. Safe to run twice: a try on record is not made again, and one whose
 * worker died before it could record it is, with the same `webhook-id`. A delivery that is gone is left alone, one
 * whose endpoint is disabled fails. Throws when the worker stops.
 */
export async function deliverWebhook(
  adapters: Adapters,
  { deliveryId, projectId, attempt }: DeliveryOrder,
  { signal, requestId }: Pick<JobAttempt, 'signal' | 'requestId'>,
): Promise<void> {
  const context = systemContext(adapters, signal, requestId);
  const due = { id: deliveryId, projectId, status: 'PENDING', attempts: attempt - 1 } as const;
  const delivery = await context.db.webhookDelivery.findFirst({ where: due, ...withEverything });
  if (delivery === null) return;
  if (delivery.endpoint.disabledAt !== null) {
    await fail(context, due);
    return;
  }
  const sentAt = new Date();
  const answer = await adapters.webhookSender.send(messageOf(delivery, sentAt), signal);
  await recordAttempt(context, delivery, { number: attempt, sentAt, answer });
}

/**
 * Ends a delivery whose order has failed in every worker that took it, so that it does not stay `PENDING` for ever.
 * One that has gone on meanwhile is left alone. It can be sent again by hand.
 */
export async function failDelivery(
  adapters: Adapters,
  { deliveryId, projectId, attempt }: DeliveryOrder,
  { signal, requestId }: Pick<JobAttempt, 'signal' | 'requestId'>,
): Promise<void> {
  const context = systemContext(adapters, signal, requestId);
  context.log.error({ deliveryId, attempt }, 'webhook delivery given up: every worker has failed');
  await fail(context, { id: deliveryId, projectId, status: 'PENDING', attempts: attempt - 1 });
}

const withEverything = {
  include: { event: true, endpoint: true },
} as const satisfies Prisma.WebhookDeliveryDefaultArgs;

type Delivery = Prisma.WebhookDeliveryGetPayload<typeof withEverything>;

async function fail({ db }: Context, where: Prisma.WebhookDeliveryWhereInput): Promise<void> {
  await db.webhookDelivery.updateMany({ where, data: { status: 'FAILED', nextAttemptAt: null } });
}

function messageOf({ event, endpoint }: Delivery, sentAt: Date): WebhookMessage {
  const body = webhookBody(event);
  const signed = webhookHeaders({ id: event.id, body, sentAt }, secretsOf(endpoint, sentAt));
  const headers = { 'Content-Type': 'application/json', 'User-Agent': userAgent, ...signed };
  return { url: endpoint.url, headers, body };
}

const userAgent = 'grounded-chat-webhooks';

/** The one that it replaced still signs until it expires. */
function secretsOf(endpoint: Delivery['endpoint'], now: Date): string[] {
  const { secret, previousSecret, previousSecretExpiresAt } = endpoint;
  const isPreviousValid = previousSecretExpiresAt !== null && previousSecretExpiresAt > now;
  return previousSecret !== null && isPreviousValid ? [secret, previousSecret] : [secret];
}
