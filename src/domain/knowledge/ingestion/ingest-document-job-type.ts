import { defineJobType } from '../../../platform/jobs/job.ts';
import { failDocumentJob } from './fail-document.ts';

/**
 * Its group is the organization, so that documents of another organization can always run. Many run at the same time,
 * because most wait for an embedding server; processes, large documents and writers have limits of their own.
 */
export const ingestDocumentJobType = defineJobType({
  name: 'ingest-document',
  payload: failDocumentJob.payload,
  queue: {
    retryLimit: 5,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 120,
    expireInSeconds: 3600,
  },
  deadLetter: failDocumentJob,
  concurrency: 10,
  groupConcurrency: 7,
});
