import { z } from 'zod';
import { deadLetterQueue, defineJobType } from '../../platform/jobs/job.ts';

/** Identifies one attempt of a delivery. Attempts count from 1. */
const payload = z.object({
  deliveryId: z.string(),
  projectId: z.string(),
  attempt: z.number(),
});

export type DeliveryPayload = z.infer<typeof payload>;

export const failDeliveryJobType = defineJobType({
  name: 'fail-delivery',
  payload,
  queue: deadLetterQueue,
  concurrency: 1,
});

/**
 * Its group is a lane of an organization (`enqueueDelivery`). The eight lanes hold half of the workers at most, so that
 * receivers that do not respond cannot block the webhooks of another organization.
 */
export const deliverWebhookJobType = defineJobType({
  name: 'deliver-webhook',
  payload,
  queue: deadLetterQueue,
  deadLetter: failDeliveryJobType,
  concurrency: 32,
  groupConcurrency: 2,
});
