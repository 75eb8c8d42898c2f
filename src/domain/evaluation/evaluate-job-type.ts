import { z } from 'zod';
import { deadLetterQueue, defineJobType } from '../../platform/jobs/job.ts';

const payload = z.object({ projectId: z.string(), runId: z.string() });
export type EvaluatePayload = z.infer<typeof payload>;

export const failEvaluationJob = defineJobType({
  name: 'fail-evaluation',
  payload,
  queue: deadLetterQueue,
  concurrency: 1,
});

/**
 * The group of a job is its organization. A job asks some of the questions and enqueues the next job, so that
 * organizations take turns.
 */
export const evaluateJob = defineJobType({
  name: 'evaluate',
  payload,
  queue: {
    retryLimit: 10,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 300,
    expireInSeconds: 15 * 60,
  },
  deadLetter: failEvaluationJob,
  concurrency: 2,
  groupConcurrency: 1,
});
