import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { WebhookResult } from '../../platform/webhooks/webhook-sender.ts';
import { type Context, transaction } from '../context.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import { lockEndpoint } from './lock-endpoint.ts';
import { nextRetryDelaySeconds } from './retry-schedule.ts';

type Delivery = Prisma.WebhookDeliveryGetPayload<object>;
type Endpoint = Prisma.WebhookEndpointGetPayload<object>;

interface Attempt {
  /** Number of the attempt, from 1. */
  readonly number: number;
  readonly sentAt: Date;
  readonly result: WebhookResult;
}

/**
 * Records an attempt and its result in one transaction: the final status of the delivery, the next attempt, or that the
 * endpoint is disabled. Does nothing if the attempt is already recorded, or if the delivery or its endpoint was
 * deleted. `endpoint` is the state of the endpoint when the message was sent.
 */
export async function recordAttempt(
  context: Context,
  { id, projectId, endpoint }: Pick<Delivery, 'id' | 'projectId'> & { readonly endpoint: Endpoint },
  attempt: Attempt,
): Promise<void> {
  const { number, result } = attempt;
  const responseStatus = result.type === 'response' ? result.status : null;
  const logFields = {
    deliveryId: id,
    attempt: number,
    responseStatus,
    latencyMs: result.latencyMs,
  };
  context.log.debug(
    { ...logFields, error: findDeliveryError(result) },
    'webhook delivery attempted',
  );

  await transaction(context, async (context) => {
    const { webhookDelivery } = context.db;
    if ((await lockEndpoint(context.db, { id: endpoint.id, projectId })) === null) return;
    const [delivery] = await webhookDelivery.updateManyAndReturn({
      where: { id, projectId, status: 'PENDING', attempts: number - 1 },
      data: { attempts: number, responseStatus, latencyMs: result.latencyMs },
    });
    if (delivery === undefined) return;
    // Use the updated row, because a manual redelivery may have started a new retry schedule during this attempt.
    const { status, waitSeconds } = decideNextStep(delivery, attempt);
    const nextAttemptAt = waitSeconds === null ? null : secondsFromNow(waitSeconds);
    await webhookDelivery.update({ where: { id, projectId }, data: { status, nextAttemptAt } });
    await insertAttempt(context, id, attempt);
    if (waitSeconds !== null) {
      await enqueueDelivery(context, delivery, waitSeconds);
    } else if (responseStatus === goneStatus) {
      await disableEndpoint(context, endpoint, 'The endpoint responded with 410 Gone');
    } else if (status === 'FAILED' && !(await hasDeliveredSince(context, delivery))) {
      await disableEndpoint(context, endpoint, 'All attempts of a delivery failed');
    }
  });
}

const goneStatus = 410;

/**
 * Returns the new status of the delivery and the seconds until the next attempt. The seconds are null if there is no
 * further attempt.
 */
function decideNextStep(
  { attemptsBefore }: Delivery,
  { number, result }: Attempt,
): { status: 'PENDING' | 'DELIVERED' | 'FAILED'; waitSeconds: number | null } {
  const isResponse = result.type === 'response';
  if (findDeliveryError(result) === null) return { status: 'DELIVERED', waitSeconds: null };
  if (isResponse && result.status === goneStatus) return { status: 'FAILED', waitSeconds: null };
  const retryAfter = isResponse ? result.retryAfter : null;
  const waitSeconds = nextRetryDelaySeconds(number - attemptsBefore, retryAfter);
  return { status: waitSeconds === null ? 'FAILED' : 'PENDING', waitSeconds };
}

function findDeliveryError(result: WebhookResult): string | null {
  if (result.type === 'failure') return result.reason;
  const { status } = result;
  if (status >= 200 && status < 300) return null;
  const isRedirect = status >= 300 && status < 400;
  return isRedirect ? `Redirects are not followed: ${status}` : `The response status was ${status}`;
}

function secondsFromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}

async function insertAttempt({ db }: Context, deliveryId: string, attempt: Attempt): Promise<void> {
  const { number, sentAt, result } = attempt;
  const isResponse = result.type === 'response';
  await db.webhookAttempt.create({
    data: {
      deliveryId,
      number,
      sentAt,
      latencyMs: result.latencyMs,
      responseStatus: isResponse ? result.status : null,
      responseExcerpt: isResponse ? result.excerpt : null,
      error: findDeliveryError(result),
    },
  });
}

/**
 * Returns whether any delivery to the endpoint has succeeded since the first attempt of the current retry schedule. If
 * so, the event causes the failure and not the endpoint.
 */
async function hasDeliveredSince(
  { db }: Context,
  { id, projectId, endpointId, attemptsBefore }: Delivery,
): Promise<boolean> {
  const { sentAt } = await db.webhookAttempt.findUniqueOrThrow({
    where: {
      deliveryId_number: { deliveryId: id, number: attemptsBefore + 1 },
      delivery: { projectId },
    },
  });
  const reached = await db.webhookDelivery.findFirst({
    where: { projectId, endpointId, status: 'DELIVERED', updatedAt: { gte: sentAt } },
    select: { id: true },
  });
  return reached !== null;
}

/** Disables the endpoint. Does nothing if the URL of the endpoint has changed since the attempt. */
async function disableEndpoint(
  { db, log }: Context,
  { id, projectId, url }: Endpoint,
  disabledReason: string,
): Promise<void> {
  await db.webhookEndpoint.updateMany({
    where: { id, projectId, url, disabledAt: null },
    data: { disabledAt: new Date(), disabledReason },
  });
  log.warn({ endpointId: id, reason: disabledReason }, 'webhook endpoint disabled');
}
