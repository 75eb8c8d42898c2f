import { type Context, transaction } from '../context.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import { secondsUntilNextTry } from './retry-schedule.ts';
import type { WebhookAnswer } from './webhook-sender.ts';

type Delivery = Prisma.WebhookDeliveryGetPayload<object>;
type Endpoint = Prisma.WebhookEndpointGetPayload<object>;

interface Attempt {
  /** Counts from 1. */
  readonly number: number;
  readonly sentAt: Date;
  readonly answer: WebhookAnswer;
}

/**
 * Writes down a try and what follows from it, in one transaction: the delivery's end, the order for its next try,
 * the end of `endpoint`, which is as it was when the message was sent. Does nothing where the try is on record
 * already, or the delivery gone.
 */
export async function recordAttempt(
  context: Context,
  { id, projectId, endpoint }: Pick<Delivery, 'id' | 'projectId'> & { readonly endpoint: Endpoint },
  attempt: Attempt,
): Promise<void> {
  const { number, answer } = attempt;
  const responseStatus = answer.type === 'response' ? answer.status : null;
  const facts = { deliveryId: id, attempt: number, responseStatus, latencyMs: answer.latencyMs };
  context.log.debug({ ...facts, error: errorOf(answer) }, 'webhook sent');

  await transaction(context, async (context) => {
    const { webhookDelivery } = context.db;
    const [delivery] = await webhookDelivery.updateManyAndReturn({
      where: { id, projectId, status: 'PENDING', attempts: number - 1 },
      data: { attempts: number, responseStatus, latencyMs: answer.latencyMs },
    });
    if (delivery === undefined) return;
    // As it is now: where somebody has sent it again meanwhile, this was the first try of a new schedule.
    const { status, waitSeconds } = judge(delivery, attempt);
    const nextAttemptAt = waitSeconds === null ? null : inSeconds(waitSeconds);
    await webhookDelivery.update({ where: { id, projectId }, data: { status, nextAttemptAt } });
    await logAttempt(context, id, attempt);
    if (waitSeconds !== null) {
      await enqueueDelivery(context, delivery, waitSeconds);
    } else if (responseStatus === gone) {
      await disable(context, endpoint, 'It answered 410 Gone');
    } else if (status === 'FAILED' && !(await hasReached(context, delivery))) {
      await disable(context, endpoint, 'Every try of a delivery has failed');
    }
  });
}

const gone = 410;

/** How the delivery goes on, and after how long it is tried again, if it is. */
function judge(
  { attemptsBefore }: Delivery,
  { number, answer }: Attempt,
): { status: 'PENDING' | 'DELIVERED' | 'FAILED'; waitSeconds: number | null } {
  const isResponse = answer.type === 'response';
  if (errorOf(answer) === null) return { status: 'DELIVERED', waitSeconds: null };
  if (isResponse && answer.status === gone) return { status: 'FAILED', waitSeconds: null };
  const retryAfter = isResponse ? answer.retryAfter : null;
  const waitSeconds = secondsUntilNextTry(number - attemptsBefore, retryAfter);
  return { status: waitSeconds === null ? 'FAILED' : 'PENDING', waitSeconds };
}

function errorOf(answer: WebhookAnswer): string | null {
  if (answer.type === 'failure') return answer.reason;
  const { status } = answer;
  if (status >= 200 && status < 300) return null;
  const isRedirect = status >= 300 && status < 400;
  return isRedirect ? `Redirects are not followed: ${status}` : `The answer was ${status}`;
}

function inSeconds(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}

async function logAttempt({ db }: Context, deliveryId: string, attempt: Attempt): Promise<void> {
  const { number, sentAt, answer } = attempt;
  const isResponse = answer.type === 'response';
  await db.webhookAttempt.create({
    data: {
      deliveryId,
      number,
      sentAt,
      latencyMs: answer.latencyMs,
      responseStatus: isResponse ? answer.status : null,
      responseExcerpt: isResponse ? answer.excerpt : null,
      error: errorOf(answer),
    },
  });
}

/** Whether anything has arrived at the endpoint since the first of these tries: then it is the event, not the endpoint. */
async function hasReached(
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

/** Only where its address is still the one that was tried. */
async function disable(
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
