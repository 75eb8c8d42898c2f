import { z } from 'zod';
import { deadLetterQueue, defineJobType } from '../../platform/jobs/job.ts';

/** Identifies one attempt of a delivery. Attempts are numbered from 1. */
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
 * The group of a job is a lane of an organization (`enqueueDelivery`). The eight lanes of an organization use at most
 * half of the workers. So receivers that do not respond cannot block the webhooks of another organization.
 */
export const deliverWebhookJobType = defineJobType({
  name: 'deliver-webhook',
  payload,
  queue: deadLetterQueue,
  deadLetter: failDeliveryJobType,
  concurrency: 32,
  groupConcurrency: 2,
});
